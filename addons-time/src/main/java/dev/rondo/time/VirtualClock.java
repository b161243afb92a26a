package dev.rondo.time;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.addon.IdleStrategy;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A clock that stands still while tasks run, and jumps to the next deadline when all of them wait:
/// an hour of sleeping tasks takes microseconds, and gives the same trace every time.
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
/// With [#autojumpOff()] it moves only when told: [#advanceBy] runs everything that falls due on
/// the way, the target instant included.
///
/// It starts one second before its nanoseconds wrap from the largest `long` to the smallest, to
/// show who compares instants with `<`. It also stands still while a task waits for work that runs
/// elsewhere, in `blocking(..)` or until a `completion(..)`: that takes no virtual time, and no
/// timeout overtakes it. If it is a task of this scheduler that completes it after a while, time
/// must go on all the same: [#autojumpAlways()]. A clock that stands still for long says so in a
/// warning.
///
/// It is one scheduler's clock and the [IdleStrategy] of that scheduler. Reading and [#skip] are
/// for any thread, the rest for the scheduler's.
public final class VirtualClock extends Ticker implements IdleStrategy {

  private static final long START_NANOS = Long.MAX_VALUE - 1_000_000_000;

  /// After this much real time a clock that stands still says why.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final long startNanos;
  private final Duration patience;
  private final AtomicLong now;

  /// One for each wakeup that has not ended a wait yet.
  private final Semaphore wakeups = new Semaphore(0);

  private @Nullable Scheduler scheduler;

  /// When it jumps by itself.
  private enum Autojump {
    NEVER,
    UNLESS_OTHERS_WORK,
    ALWAYS
  }

  /// Written by the scheduler's thread, which also reads it.
  private Autojump autojump = Autojump.UNLESS_OTHERS_WORK;

  /// {@return a clock that jumps by itself}
  public static VirtualClock create() {
    return new VirtualClock(START_NANOS, PATIENCE);
  }

  /// A clock that jumps by itself and begins where it is told.
  VirtualClock(long startNanos) {
    this(startNanos, PATIENCE);
  }

  VirtualClock(long startNanos, Duration patience) {
    this.startNanos = startNanos;
    this.patience = patience;
    this.now = new AtomicLong(startNanos);
  }

  /// {@return a scheduler that lives by this clock, on the calling thread, with all else as by
  /// default} It has a [WaitForTime].
  ///
  /// @throws IllegalStateException if the clock has a scheduler already
  public Scheduler scheduler() {
    return scheduler(Scheduler.builder());
  }

  /// {@return a scheduler that lives by this clock, on the calling thread} It has a [WaitForTime].
  ///
  /// @param builder for all else; its ticker and its idler are this clock
  /// @throws IllegalStateException if the clock has a scheduler already
  public Scheduler scheduler(SchedulerBuilder builder) {
    if (scheduler != null) {
      throw new IllegalStateException(
          "this clock is the clock of " + scheduler + "; make another one for another scheduler");
    }
    Scheduler made = builder.ticker(this).build();
    made.host().idleStrategy(this);
    var _ = WaitForTime.on(made);
    scheduler = made;
    return made;
  }

  /// From now on it stands still also when all tasks wait. Then `start()` blocks until another
  /// thread calls [#skip] or into the scheduler; to drive it from the scheduler's thread use
  /// [#advanceBy].
  ///
  /// @return this clock
  public VirtualClock autojumpOff() {
    autojump = Autojump.NEVER;
    return this;
  }

  /// From now on it jumps to the next deadline when all tasks wait and none of them for work that
  /// runs elsewhere, as it does at first.
  ///
  /// @return this clock
  public VirtualClock autojumpOn() {
    autojump = Autojump.UNLESS_OTHERS_WORK;
    return this;
  }

  /// From now on it jumps to the next deadline when all tasks wait, also if it is for work that
  /// runs elsewhere: to have a timeout pass while something blocks, or for completions that come
  /// from tasks of this scheduler.
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

  /// {@return how far it is from where it began} Any thread.
  public Duration elapsed() {
    return Duration.ofNanos(now.get() - startNanos);
  }

  /// Runs the scheduler until the clock has moved this far: goes from deadline to deadline, and at
  /// each of them, at the first instant and at the last, steps until no task is ready. For a
  /// scheduler that is not running, and tasks that come to rest: one that yields for ever is
  /// stepped for ever.
  ///
  /// @param duration at least zero
  /// @throws IllegalArgumentException if it is negative; nothing has moved
  /// @throws IllegalStateException if the clock has no scheduler, or that is running
  public void advanceBy(Duration duration) {
    Scheduler driven = scheduler;
    if (driven == null) {
      throw new IllegalStateException(
          "this clock has no scheduler to run: make one with clock.scheduler()");
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
      // Until nobody is ready.
    }
  }

  /// Moves the clock and does nothing else: as if the current turn took this long. What falls due
  /// on the way is late. Never a suspension point. Any thread; a scheduler that waits is woken.
  ///
  /// @param duration at least zero
  /// @throws IllegalArgumentException if it is negative; nothing has moved
  public void skip(Duration duration) {
    now.addAndGet(WaitForTime.nanos(duration, "duration"));
    wakeup();
  }

  /// Only ever forward.
  private void moveTo(long instant) {
    now.accumulateAndGet(instant, (before, after) -> after - before > 0 ? after : before);
  }

  // The idler.

  /// Jumps there, unless there was a wakeup.
  @Override
  public void idleUntil(long deadlineNanos) {
    if (!mayJump()) {
      standStill();
    } else if (wakeups.drainPermits() == 0) {
      moveTo(deadlineNanos);
    }
  }

  /// Blocks until a wakeup, or an interrupt, but not for ever without a word.
  private void standStill() {
    try {
      if (!wakeups.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        logger()
            .warn(
                "virtual time has stood still at {} for {} of real time, {}",
                elapsed(),
                patience,
                autojump == Autojump.NEVER
                    ? "because autojump is off: call skip, or drive the scheduler by advanceBy"
                    : "because tasks wait for work outside of the scheduler; if a task of this one"
                        + " is to complete it later, use autojumpAlways()");
        wakeups.acquire();
      }
      wakeups.drainPermits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean mayJump() {
    return switch (autojump) {
      case NEVER -> false;
      case UNLESS_OTHERS_WORK -> scheduler == null || scheduler.host().externalWaits() == 0;
      case ALWAYS -> true;
    };
  }

  /// Blocks until a wakeup, or an interrupt.
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
    return "virtual clock at " + elapsed();
  }

  /// Looked up when there is something to log: loading a logging library takes longer than all the
  /// rest of the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(VirtualClock.class);
  }
}
