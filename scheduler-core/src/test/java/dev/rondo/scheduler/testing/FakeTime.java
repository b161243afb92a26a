package dev.rondo.scheduler.testing;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A clock for tests: it stands still until the scheduler has nothing to do before an instant, and
/// then jumps to that instant. Also the simplest [TimerService] for a scheduler.
///
/// It starts a millisecond before `Long.MAX_VALUE`, so that code which does not compare instants by
/// subtraction fails. Confined to the scheduler's thread, except [#wakeup()].
public final class FakeTime extends Ticker implements AddOn, IdleStrategy, TimerService {

  private static final long START_NANOS = Long.MAX_VALUE - 1_000_000;

  private long nowNanos = START_NANOS;
  private long perReadNanos;
  private long sequence;
  private int sleeps;
  private final PriorityQueue<Armed> armed = new PriorityQueue<>();
  private @Nullable StepTask<Void> task;

  /// The thread that sleeps in [#idle()]. Written by the loop before it reads `woken`.
  private volatile @Nullable Thread sleeper;

  /// A wakeup that has not ended a sleep yet.
  private volatile boolean woken;

  /// Makes a clock that serves no scheduler yet.
  public FakeTime() {}

  /// One timer.
  private final class Armed implements TimerHandle, Comparable<Armed> {

    private final long deadlineNanos;
    private final long order = sequence++;
    private final Runnable action;

    Armed(long deadlineNanos, Runnable action) {
      this.deadlineNanos = deadlineNanos;
      this.action = action;
    }

    @Override
    public boolean cancel() {
      return armed.remove(this);
    }

    @Override
    public int compareTo(Armed other) {
      long early = deadlineNanos - other.deadlineNanos;
      return early != 0 ? Long.signum(early) : Long.compare(order, other.order);
    }
  }

  /// Makes it the idle strategy and the timer service of a scheduler that was built with it as its
  /// ticker.
  ///
  /// @param scheduler of this thread
  public void serve(Scheduler scheduler) {
    task = scheduler.host().install(this);
    scheduler.host().idleStrategy(this);
    LoopControl.of(scheduler.host()).timerService(this);
  }

  @Override
  public long read() {
    nowNanos += perReadNanos;
    return nowNanos;
  }

  /// Moves the clock. Timers that are due fire when the scheduler runs next.
  ///
  /// @param by at least zero
  public void advance(Duration by) {
    nowNanos += by.toNanos();
  }

  /// Makes the clock advance each time it is read, as a real clock does.
  ///
  /// @param by at least zero
  public void advancePerRead(Duration by) {
    perReadNanos = by.toNanos();
  }

  /// How far the clock has advanced.
  public Duration elapsed() {
    return Duration.ofNanos(nowNanos - START_NANOS);
  }

  /// How many timers are armed.
  public int alarms() {
    return armed.size();
  }

  /// How often the scheduler went to sleep in it.
  public int sleeps() {
    return sleeps;
  }

  // The timer.

  @Override
  public TimerHandle at(long deadlineNanos, Runnable action) {
    var alarm = new Armed(deadlineNanos, action);
    armed.add(alarm);
    if (task != null) {
      task.wake();
    }
    return alarm;
  }

  @Override
  public StepResult turn(StepTask<Void> self) {
    for (Armed first; (first = armed.peek()) != null; ) {
      if (nowNanos - first.deadlineNanos < 0) {
        return self.idleUntil(first.deadlineNanos);
      }
      armed.remove(first);
      first.action.run();
    }
    return StepResult.SUSPEND;
  }

  // The idle strategy.

  /// Jumps to the instant, unless woken.
  @Override
  public void idleUntil(long deadlineNanos) {
    sleeps++;
    if (woken) {
      woken = false;
    } else if (deadlineNanos - nowNanos > 0) {
      nowNanos = deadlineNanos;
    }
  }

  /// Parks the thread until it is woken or interrupted.
  @Override
  public void idle() {
    sleeps++;
    sleeper = Thread.currentThread();
    while (!woken && !Thread.currentThread().isInterrupted()) {
      LockSupport.park(this);
    }
    woken = false;
  }

  @Override
  public void wakeup() {
    woken = true;
    LockSupport.unpark(sleeper);
  }
}
