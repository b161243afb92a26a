package dev.rondo.simulation.blocking.internal;

import dev.rondo.simulation.blocking.hook.Hook;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The monitors that simulated threads wait to enter.
///
/// A monitor that a simulated thread has is left in a turn of that thread, so the others have
/// theirs meanwhile. One that a real thread has, which is none of the simulation, is left at any
/// time: those are first of all the monitors that the JDK has once for all, such as those of caches
/// and of files that classes are loaded from. A simulated thread waits for it in real time, and the
/// world stands still: it keeps its turn, as it would if the monitor had been free. So neither the
/// order of turns nor virtual time depends on real threads.
///
/// The JVM leaves a monitor to the thread that has waited longest. If that is a real thread, those
/// of the simulation that wait as well come to it later, in the same turn.
///
/// Confined to the world's thread, except [#wake()].
final class WorldMonitors {

  /// How long the world sleeps, in real time, before a thread tries to enter again: the JVM wakes
  /// none if it has chosen another simulated thread before, which has no turn meanwhile.
  private static final long RETRY_NANOS = 1_000_000;

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

  /// The world's thread while it waits for a real one; null if it does not. Read by others.
  private volatile @Nullable Thread waiting;

  /// @param processes that run
  WorldMonitors(List<ThreadLoop> processes) {
    this.processes = processes;
  }

  /// A simulated thread may go on. Any thread.
  void wake() {
    LockSupport.unpark(waiting);
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
        Thread.onSpinWait(); // it is being unblocked
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
    while (!thread.isFree() || Hook.isUnblocking()) {
      Thread.onSpinWait();
    }
    return true;
  }

  /// Waits for a real thread.
  ///
  /// @return false if that takes too long, and the run fails
  private boolean awaitOutside(CoroutineThread thread, Object monitor) {
    thread.waitsOutside(true);
    waiting = Thread.currentThread();
    try {
      while (!thread.isFree()) {
        LockSupport.parkNanos(RETRY_NANOS);
        if (thread.isStuck()) {
          thread.stuck(heldOutside(thread, monitor));
          return false;
        }
        if (!thread.isFree()) {
          ThreadFields.unblock(thread.carrier());
        }
      }
      return true;
    } finally {
      waiting = null;
      thread.waitsOutside(false);
    }
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
    if (next == null) {
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
    first.waitsOutside(true);
    waiting = Thread.currentThread();
    TurnWatch.begin(first);
    try {
      CoroutineThread next;
      while ((next = nextOf(of.monitor)) == null && !first.isStuck()) {
        LockSupport.parkNanos(RETRY_NANOS);
      }
      return next;
    } finally {
      TurnWatch.end();
      waiting = null;
      first.waitsOutside(false);
    }
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
    wanted.forEach(each -> each.waiters.removeIf(waiter -> waiter.isOf(process)));
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
