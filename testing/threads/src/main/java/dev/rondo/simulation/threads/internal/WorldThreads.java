package dev.rondo.simulation.threads.internal;

import dev.rondo.simulation.internal.net.Blocker;
import dev.rondo.simulation.threads.hook.BorderHook;
import dev.rondo.simulation.threads.hook.Hook;
import dev.rondo.simulation.threads.hook.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// The simulated threads of all hosts of a world.
///
/// A monitor is handed over by a thread of the JDK. So that this has its place among the turns, a
/// turn is over when no thread is on its way any more, and unblocked threads go on in the order of
/// their numbers.
///
/// Confined to the world's thread, except [#isTurn()] and [#unblocked(CoroutineThread)].
final class WorldThreads implements Blocker {

  /// The threads that a call of the JDK blocks.
  private final List<CoroutineThread> blocked = new ArrayList<>();

  private final List<Wait> waits = new ArrayList<>();

  /// Filled by the thread of the JDK that unblocks others.
  private final Queue<CoroutineThread> unblocked = new ConcurrentLinkedQueue<>();

  /// Written by the world's thread, read by the threads that unblock one of these.
  private volatile boolean turn;

  /// Whether the world runs; if not, it is the test that has the turn. As [#turn].
  private volatile boolean runs;

  private final WorldBorder border = new WorldBorder();
  private final WorldMonitors monitors = new WorldMonitors(border.processes());

  private final ProcessOutput output = new ProcessOutput();

  private long numbers;
  private long threadIds = BorderHook.FIRST_THREAD_ID;
  private int threadNumbers;
  private int processIds;

  WorldBorder border() {
    return border;
  }

  WorldMonitors monitors() {
    return monitors;
  }

  ProcessOutput output() {
    return output;
  }

  long nextNumber() {
    return ++numbers;
  }

  long nextThreadId() {
    return ++threadIds;
  }

  int nextProcessId() {
    return ++processIds;
  }

  int nextThreadNumber() {
    return threadNumbers++;
  }

  /// Whether a turn is under way, or the test has it. Any thread.
  boolean isTurn() {
    return turn || !runs;
  }

  void beginTurn(CoroutineThread thread) {
    output.begin();
    turn = true;
    boolean _ = blocked.remove(thread);
  }

  /// Called after the thread has left its stack.
  void endTurn(CoroutineThread thread, boolean isBlocked) {
    if (isBlocked) {
      blocked.add(thread);
    }
    awaitUnblocking();
    noteNotified();
    monitors.settle(thread);
    awaitUnblocking();
    turn = false;
    output.flush();
    changed();
    deliver();
  }

  /// The test may have notified threads.
  @Override
  public void runs() {
    settle();
    runs = true;
  }

  @Override
  public void standsStill() {
    runs = false;
  }

  /// Has threads go on that were unblocked between turns, by what the test did or by the end of a
  /// process.
  private void settle() {
    awaitUnblocking();
    noteNotified();
    deliver();
  }

  private void awaitUnblocking() {
    if (isAnyUnblocking()) {
      RealWait.until(() -> !isAnyUnblocking());
    }
  }

  private void noteNotified() {
    for (CoroutineThread each : blocked) {
      Object monitor = each.wantsAgain();
      if (monitor != null) {
        monitors.notified(each, monitor);
      }
    }
  }

  /// The flag first: the JDK counts a thread before it takes it off the list, and until it has
  /// unblocked it.
  private boolean isAnyUnblocking() {
    for (CoroutineThread each : blocked) {
      if (ThreadFields.isOnWaitingList(each.carrier())) {
        return true;
      }
    }
    return Hook.isUnblocking();
  }

  private void deliver() {
    if (unblocked.isEmpty()) {
      return;
    }
    var all = new ArrayList<CoroutineThread>();
    for (CoroutineThread each; (each = unblocked.poll()) != null; ) {
      all.add(each);
    }
    all.sort(Comparator.comparingLong(CoroutineThread::number));
    all.forEach(CoroutineThread::goOn);
  }

  /// A monitor was handed to a thread. Any thread.
  void unblocked(CoroutineThread thread) {
    unblocked.add(thread);
  }

  // Waits for the network, in blocking mode and in selectors.

  /// A thread that waits, and until when.
  private static final class Wait {

    private final Thread carrier;
    private final BooleanSupplier condition;

    /// Whether the network has woken it.
    private boolean woken;

    /// Whether a thread has given it a permit meanwhile.
    private boolean permit;

    Wait(Thread carrier, BooleanSupplier condition) {
      this.carrier = carrier;
      this.condition = condition;
    }
  }

  @Override
  public boolean mayBlock() {
    return Hook.current() != null;
  }

  @Override
  public boolean await(BooleanSupplier condition, long nanos) {
    var own = new Wait(Thread.currentThread(), condition);
    Program program = Objects.requireNonNull(Hook.current());
    long begin = program.nanoTime();
    waits.add(own);
    boolean hasPermit = false;
    try {
      while (!condition.getAsBoolean()) {
        long left = nanos - (program.nanoTime() - begin);
        if (left <= 0) {
          return false;
        }
        own.woken = false;
        LockSupport.parkNanos(this, left);
        if (own.carrier.isInterrupted()) {
          return condition.getAsBoolean();
        }
        hasPermit |= !own.woken && program.nanoTime() - begin < nanos;
      }
      return true;
    } finally {
      waits.remove(own);
      if (hasPermit || own.permit) {
        LockSupport.unpark(own.carrier); // the program gave it for a wait of its own
      }
    }
  }

  @Override
  public void changed() {
    for (int i = 0; i < waits.size(); i++) {
      Wait each = waits.get(i);
      if (each.condition.getAsBoolean()) {
        each.woken = true;
        boolean permit = each.permit;
        LockSupport.unpark(each.carrier);
        each.permit = permit; // the program has not given this one
      }
    }
  }

  /// A thread of a program gives another one a permit to go on.
  void permits(Thread carrier) {
    for (int i = 0; i < waits.size(); i++) {
      Wait each = waits.get(i);
      each.permit |= each.carrier == carrier;
    }
  }

  /// Forgets the threads of a program that has ended.
  void forget(ThreadLoop loop) {
    waits.removeIf(each -> loop.carries(each.carrier));
    blocked.removeIf(each -> each.isOf(loop));
    unblocked.removeIf(each -> each.isOf(loop));
    monitors.forget(loop);
  }

  /// The process of a program is no more: other threads may go on.
  void ended(ThreadLoop loop) {
    monitors.passOn(loop);
    if (!turn) {
      settle();
    }
  }
}
