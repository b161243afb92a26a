package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.threads.hook.Hook;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The monitors that simulated threads wait to enter.
///
/// A monitor that a simulated thread has is left in a turn of that thread, so the others have
/// theirs meanwhile. A monitor that a real thread from outside of the simulation holds is left at
/// any time. These are first of all monitors that the JDK has once, such as those of caches and of
/// files that classes are loaded from. A simulated thread waits for such a monitor in real time,
/// and the world stands still: it keeps its turn, as it would if the monitor had been free. So
/// neither the order of turns nor virtual time depends on real threads.
///
/// The JVM leaves a monitor to the thread that has waited longest. If that is a real thread, those
/// of the simulation that wait as well come to it later, in the same turn.
///
/// Confined to the world's thread.
final class WorldMonitors {

  /// A monitor that simulated threads wait for.
  private static final class Wanted {

    private final Object monitor;
    private final List<CoroutineThread> waiters = new ArrayList<>();

    /// The simulated thread that has it, or is the next one to try to enter it; null if that is
    /// none.
    private @Nullable CoroutineThread holder;

    Wanted(Object monitor) {
      this.monitor = monitor;
    }
  }

  private final List<ThreadLoop> processes;
  private final List<Wanted> wanted = new ArrayList<>();

  /// Those for which a thread waited whose process has ended: the JVM leaves them to it as to
  /// others, and it does not go on.
  private final Set<Object> abandoned = Collections.newSetFromMap(new IdentityHashMap<>());

  /// How often the world has begun and ended to wait for real threads.
  private long outsideWaits;

  /// @param processes that run
  WorldMonitors(List<ThreadLoop> processes) {
    this.processes = processes;
  }

  /// {@return whether a thread waits for one} It may be free already, and is passed on when the
  /// turn is over.
  boolean areWanted() {
    return !wanted.isEmpty();
  }

  // In the turn of a thread.

  /// Waits, if a thread wants a monitor that no simulated thread has, until that is free.
  ///
  /// @param thread has left its stack, in its turn
  /// @return whether it goes on in this turn
  boolean keepsTurn(CoroutineThread thread) {
    Thread carrier = thread.carrier();
    while (ThreadFields.isBlocked(carrier)) {
      Object again = thread.monitor();
      Object monitor = again == null ? MonitorFields.wantedBy(carrier) : again;
      if (monitor == null) {
        RealWait.until(() -> isKnown(carrier)); // it is being unblocked
        continue;
      }
      CoroutineThread holder = holderOf(monitor);
      if (holder != null) {
        add(monitor, thread, holder);
        return false;
      }
      if (Thread.holdsLock(monitor)) {
        thread.loop().fail(thread, heldByTest(thread, monitor));
        return false;
      }
      if (!awaitOutside(thread, monitor)) {
        return false;
      }
    }
    if (!ThreadFields.isUnblocked(carrier)) {
      return false; // it waits for something else
    }
    RealWait.until(() -> thread.isFree() && !Hook.isUnblocking());
    return true;
  }

  /// Waits for a real thread. Once a millisecond the simulated one tries to enter again: the JVM
  /// wakes none if it has chosen another simulated thread before, which has no turn meanwhile.
  ///
  /// @return false if that takes too long, and the run fails
  private boolean awaitOutside(CoroutineThread thread, Object monitor) {
    boolean free = sleepOutside(thread, thread::isFree);
    if (thread.isStuck()) {
      thread.stuck(heldOutside(thread, monitor));
      return false;
    }
    if (!free) {
      ThreadFields.unblock(thread.carrier());
    }
    return true;
  }

  /// {@return whether it is known for which monitor a thread waits, or it waits no more}
  private static boolean isKnown(Thread carrier) {
    return !ThreadFields.isBlocked(carrier) || MonitorFields.wantedBy(carrier) != null;
  }

  /// Sleeps a millisecond, or until a thread is unblocked, and has the watch know why.
  private boolean sleepOutside(CoroutineThread thread, BooleanSupplier over) {
    thread.outsideWaits(++outsideWaits);
    boolean is = RealWait.sleep(over);
    thread.outsideWaits(++outsideWaits);
    return is;
  }

  private void add(Object monitor, CoroutineThread thread, @Nullable CoroutineThread holder) {
    Wanted known = null;
    for (Wanted each : wanted) {
      if (each.monitor == monitor) {
        known = each;
      }
    }
    if (known == null) {
      known = new Wanted(monitor);
      wanted.add(known);
    }
    known.holder = holder;
    known.waiters.add(thread);
    thread.wants(monitor);
  }

  /// {@return the simulated thread that has a monitor; null if there is none}
  private @Nullable CoroutineThread holderOf(Object monitor) {
    return first(each -> holds(each, monitor));
  }

  private static boolean holds(CoroutineThread thread, Object monitor) {
    return !thread.isOutOf(monitor) && MonitorFields.has(thread.carrier(), monitor);
  }

  // Between turns.

  /// A thread has a turn, and wants nothing that is known here.
  void begins(CoroutineThread thread) {
    wanted.forEach(each -> each.waiters.remove(thread));
    wanted.removeIf(each -> each.waiters.isEmpty());
  }

  /// A thread was notified in the turn that is over, and has to enter the monitor again.
  void notified(CoroutineThread thread, Object monitor) {
    CoroutineThread holder = holderOf(monitor);
    add(monitor, thread, holder == null ? nextOf(monitor) : holder);
  }

  /// If a thread has left monitors in its turn that others wait for, one of these may go on now.
  /// Waits for it in real time while there are real threads before it.
  ///
  /// @param thread has had the turn
  void settle(CoroutineThread thread) {
    for (int i = wanted.size() - 1; i >= 0; i--) {
      Wanted each = wanted.get(i);
      if ((each.holder == thread || each.holder == null) && !holds(thread, each.monitor)) {
        pass(each);
        if (each.waiters.isEmpty()) {
          wanted.remove(i);
        }
      }
    }
  }

  private void pass(Wanted of) {
    CoroutineThread first = of.waiters.getFirst();
    CoroutineThread next = nextOf(of.monitor);
    if (next == null && abandoned.contains(of.monitor)) {
      ThreadFields.unblock(first.carrier());
      next = first;
    } else if (next == null) {
      next = awaitNext(of, first);
    }
    if (next == null) {
      first.loop().fail(first, heldOutside(first, of.monitor));
      of.waiters.clear();
    } else {
      of.holder = next;
      of.waiters.remove(next);
    }
  }

  /// {@return the simulated thread to which the JVM leaves a monitor when real threads have had it;
  /// null if that takes too long}
  ///
  /// @param first for the watch
  private @Nullable CoroutineThread awaitNext(Wanted of, CoroutineThread first) {
    TurnWatch.begin(first);
    while (!first.isStuck() && !sleepOutside(first, () -> nextOf(of.monitor) != null)) {
      // it looks again
    }
    TurnWatch.end();
    return nextOf(of.monitor);
  }

  /// {@return the simulated thread to which the JVM has left a monitor, and which has not tried to
  /// enter it yet; null if there is none}
  private @Nullable CoroutineThread nextOf(Object monitor) {
    return first(each -> each.isChosen() && each.isOutOf(monitor));
  }

  private @Nullable CoroutineThread first(Predicate<CoroutineThread> kind) {
    for (ThreadLoop process : processes) {
      for (CoroutineThread each : process.alive()) {
        if (kind.test(each)) {
          return each;
        }
      }
    }
    return null;
  }

  /// The threads of a process are no more.
  void forget(ThreadLoop process) {
    for (Wanted each : wanted) {
      if (each.waiters.removeIf(waiter -> waiter.isOf(process)) || isNext(each, process)) {
        abandoned.add(each.monitor);
      }
    }
    wanted.removeIf(each -> each.waiters.isEmpty());
  }

  private static boolean isNext(Wanted of, ThreadLoop process) {
    CoroutineThread holder = of.holder;
    return holder != null && holder.isOf(process) && !holds(holder, of.monitor);
  }

  /// If a thread of a process that is no more was the next one to enter a monitor, another one may
  /// go on.
  void passOn(ThreadLoop process) {
    for (Wanted each : wanted) {
      if (isNext(each, process)) {
        pass(each);
      }
    }
    wanted.removeIf(each -> each.waiters.isEmpty());
  }

  // Failures.

  private static IllegalStateException heldByTest(CoroutineThread thread, Object monitor) {
    var failure =
        new IllegalStateException(
            "a simulated thread wants the monitor of a %s that the thread which runs the world has: it cannot leave it before the run is over"
                .formatted(monitor.getClass().getName()));
    failure.setStackTrace(thread.stackTrace());
    return failure;
  }

  private static IllegalStateException heldOutside(CoroutineThread thread, Object monitor) {
    Thread holder =
        Thread.getAllStackTraces().keySet().stream()
            .filter(each -> MonitorFields.has(each, monitor))
            .findFirst()
            .orElse(null);
    String what =
        "a simulated thread has waited too long in real time for the monitor of a %s of"
            .formatted(monitor.getClass().getName());
    IllegalStateException failure =
        holder == null
            ? new IllegalStateException(
                what + " a thread which is none of the simulation, or whose process has ended")
            : WorldBorder.failure(what, holder);
    failure.setStackTrace(thread.stackTrace());
    return failure;
  }
}
