package dev.rondo.time;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.observe.ReportText;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/// A clock for tests that stands still while tasks run and jumps to the next deadline when all of
/// them wait: an hour of sleeping tasks takes microseconds and gives the same trace every time.
///
/// ```
/// var clock = VirtualClock.create();
/// try (var scheduler = clock.scheduler()) {
///   scheduler.spawn(() -> WaitForTime.on(scheduler).sleep(Duration.ofHours(1)));
///   scheduler.start();
/// }
/// assertEquals(Duration.ofHours(1), clock.elapsed());
/// ```
///
/// After [#autojumpOff()] it moves only by [#advanceBy], which runs everything that is due on the
/// way, the target instant included.
///
/// It starts one second before its nanoseconds wrap from the largest `long` to the smallest, to
/// reveal code that compares instants with `<`.
///
/// It also stands still while a task waits for work outside the scheduler, in `blocking(..)` or for
/// a `completion(..)`: such work takes no virtual time, and no timeout overtakes it. If a task of
/// this scheduler completes it after a sleep, time must go on nevertheless: [#autojumpAlways()]. A
/// clock that stands still for long logs a warning.
///
/// It is the clock and the [IdleStrategy] of one scheduler. Any thread may read and [#skip]; the
/// other methods are confined to the scheduler's thread.
public final class VirtualClock extends Ticker implements IdleStrategy {

  private static final long START_NANOS = Long.MAX_VALUE - 1_000_000_000;

  /// The real time after which a clock that stands still logs why.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final long startNanos;
  private final Duration patience;
  private final AtomicLong now;

  /// A permit for each wakeup that has not ended a wait yet.
  private final Semaphore wakeups = new Semaphore(0);

  private @Nullable Scheduler scheduler;

  /// When the clock jumps by itself.
  private enum Autojump {
    NEVER,
    UNLESS_OTHERS_WORK,
    ALWAYS
  }

  /// Read and written by the scheduler's thread.
  private Autojump autojump = Autojump.UNLESS_OTHERS_WORK;

  /// {@return a clock that jumps by itself}
  public static VirtualClock create() {
    return new VirtualClock(START_NANOS, PATIENCE);
  }

  /// Makes a clock that jumps by itself and starts at a given reading.
  VirtualClock(long startNanos) {
    this(startNanos, PATIENCE);
  }

  VirtualClock(long startNanos, Duration patience) {
    this.startNanos = startNanos;
    this.patience = patience;
    this.now = new AtomicLong(startNanos);
  }

  /// {@return a scheduler with this clock, for the calling thread, with the default settings
  /// otherwise} A [WaitForTime] is installed.
  ///
  /// @throws IllegalStateException if the clock has a scheduler already
  public Scheduler scheduler() {
    return scheduler(Scheduler.builder());
  }

  /// {@return a scheduler with this clock, for the calling thread} A [WaitForTime] is installed.
  ///
  /// @param builder has the other settings; its ticker and idle strategy are replaced by this clock
  /// @throws IllegalStateException if the clock has a scheduler already
  public Scheduler scheduler(SchedulerBuilder builder) {
    if (scheduler != null) {
      throw new IllegalStateException(
          "this clock belongs to " + scheduler + "; create another one for another scheduler");
    }
    Scheduler made = builder.ticker(this).build();
    made.host().idleStrategy(this);
    var _ = WaitForTime.on(made);
    scheduler = made;
    return made;
  }

  /// Makes the clock stand still even when all tasks wait. `start()` then blocks until another
  /// thread calls [#skip] or enters the scheduler; on the scheduler's thread use [#advanceBy].
  ///
  /// @return this clock
  public VirtualClock autojumpOff() {
    autojump = Autojump.NEVER;
    return this;
  }

  /// Makes the clock jump to the next deadline when all tasks wait and none of them waits for work
  /// outside the scheduler. This is the initial mode.
  ///
  /// @return this clock
  public VirtualClock autojumpOn() {
    autojump = Autojump.UNLESS_OTHERS_WORK;
    return this;
  }

  /// Makes the clock jump to the next deadline when all tasks wait, even if one of them waits for
  /// work outside the scheduler: for timeouts that pass while a call blocks, and for completions
  /// that come from tasks of this scheduler.
  ///
  /// @return this clock
  public VirtualClock autojumpAlways() {
    autojump = Autojump.ALWAYS;
    return this;
  }

  @Override
  public long read() {
    return now.get();
  }

  /// {@return the virtual time since the clock was created} Any thread.
  public Duration elapsed() {
    return Duration.ofNanos(now.get() - startNanos);
  }

  /// Runs the scheduler until the clock has moved this far: moves from deadline to deadline, and at
  /// each of them, as well as at the first and the last instant, steps until no task is ready. The
  /// scheduler must not be running, and its tasks must come to rest: a task that yields for ever is
  /// stepped for ever.
  ///
  /// @param duration at least zero
  /// @throws IllegalArgumentException if it is negative; nothing has moved
  /// @throws IllegalStateException if the clock has no scheduler, or the scheduler is running
  public void advanceBy(Duration duration) {
    Scheduler driven = scheduler;
    if (driven == null) {
      throw new IllegalStateException(
          "this clock has no scheduler to run: create one with clock.scheduler()");
    }
    Alarms alarms = WaitForTime.on(driven).alarms();
    long target = now.get() + WaitForTime.nanos(duration, "duration");
    settle(driven);
    for (Long next = alarms.nextDeadlineNanos();
        next != null && next - target <= 0;
        next = alarms.nextDeadlineNanos()) {
      moveTo(next);
      settle(driven);
    }
    moveTo(target);
    settle(driven);
  }

  private static void settle(Scheduler driven) {
    while (driven.step()) {
      // Until no task is ready.
    }
  }

  /// Moves the clock and does nothing else, as if the current turn took this long: timers that are
  /// due on the way fire late. Never a suspension point. Any thread; wakes an idle scheduler.
  ///
  /// @param duration at least zero
  /// @throws IllegalArgumentException if it is negative; nothing has moved
  public void skip(Duration duration) {
    now.addAndGet(WaitForTime.nanos(duration, "duration"));
    wakeup();
  }

  /// Moves the clock forward, never backward.
  private void moveTo(long instant) {
    now.accumulateAndGet(instant, (before, after) -> after - before > 0 ? after : before);
  }

  // As an idle strategy.

  /// Jumps to the deadline, unless there was a wakeup.
  @Override
  public void idleUntil(long deadlineNanos) {
    if (!mayJump()) {
      standStill();
    } else if (wakeups.drainPermits() == 0) {
      moveTo(deadlineNanos);
    }
  }

  /// Blocks until a wakeup or an interrupt; logs a warning if that takes long.
  private void standStill() {
    try {
      if (!wakeups.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        warn(
            "virtual time has stood still at %s for %s of real time, because %s"
                .formatted(
                    ReportText.duration(elapsed()),
                    ReportText.duration(patience),
                    autojump == Autojump.NEVER
                        ? "autojump is off: call skip(..), or run the scheduler by advanceBy(..)"
                        : "tasks wait for work outside the scheduler; if a task of this"
                            + " scheduler completes that work after a sleep, call"
                            + " autojumpAlways()"));
        wakeups.acquire();
      }
      wakeups.drainPermits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Logs a hang; without a logging library it prints it on `System.err`.
  private static void warn(String message) {
    if (logger() instanceof NOPLogger) {
      System.err.println(message);
    } else {
      logger().warn(message);
    }
  }

  private boolean mayJump() {
    return switch (autojump) {
      case NEVER -> false;
      case UNLESS_OTHERS_WORK -> scheduler == null || scheduler.host().externalWaits() == 0;
      case ALWAYS -> true;
    };
  }

  /// Blocks until a wakeup or an interrupt.
  @Override
  public void idle() {
    try {
      wakeups.acquire();
      wakeups.drainPermits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void wakeup() {
    wakeups.release();
  }

  @Override
  public String toString() {
    return "virtual clock at " + ReportText.duration(elapsed());
  }

  /// Looked up when it is needed: loading a logging library takes longer than the rest of the
  /// start.
  private static Logger logger() {
    return LoggerFactory.getLogger(VirtualClock.class);
  }
}
