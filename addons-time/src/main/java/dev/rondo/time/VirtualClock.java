package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LendableEventSource;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLogger;

/// A clock for tests that stands still while tasks run, and jumps to the next deadline when all of
/// them wait. An hour of sleeping tasks takes microseconds and gives the same trace every time.
///
/// ```java
/// var clock = new VirtualClock();
/// try (var scheduler = clock.scheduler()) {
///   scheduler.spawn(() -> WaitForTime.on(scheduler).sleep(Duration.ofHours(1)));
///   scheduler.start();
/// }
/// assertEquals(Duration.ofHours(1), clock.elapsed());
/// ```
///
/// With [Autojump#NEVER] the clock moves only by [#advanceBy], which runs everything that is due on
/// the way, the target instant included.
///
/// The clock starts one second before its nanoseconds wrap from the largest `long` to the smallest,
/// to reveal code that compares instants with `<`.
///
/// The clock also stands still while a task waits for work outside the scheduler, in `blocking(..)`
/// or for a `completion(..)`. Such work takes no virtual time, and no timeout passes before its
/// end. If a task of this scheduler completes the work after a sleep, the clock must not stand
/// still: see [Autojump#ALWAYS]. A clock that stands still for long logs a warning.
///
/// A `keepAlive()` does not stop the clock, because a server may have one open as long as it runs.
/// So if a task waits with a limit for another thread that will call `post(..)`, the limit passes
/// at once. Wait for such a thread with `completion(..)`, or without a limit.
///
/// The clock waits together with each [EventSource], such as the IO add-on. It jumps to the next
/// event of simulated channels as it does to a deadline. If the channels are real and a task waits
/// for one, the clock first waits up to 50 ms of real time, or less if the deadline is nearer, once
/// for each wait that begins. Then it jumps, and logs a warning the first time.
///
/// If tasks wait only for predicates that are polled, the clock jumps from poll to poll. If no
/// predicate becomes true within 10 s of real time, the run fails with a [DeadlockException]: only
/// another thread, which the scheduler does not know of, could change the state that the predicates
/// read. To wait for another thread, use `completion(..)`, `blocking(..)` or `keepAlive()`.
///
/// [WallClock] and Rondo's servers read the same clock as their wall clock. The wall clock begins
/// at 2026-01-01T00:00:00Z, or at the instant of [#startAt(Instant)], and moves with the virtual
/// time.
///
/// A `VirtualClock` is the clock and the [IdleStrategy] of one scheduler. Any thread may read and
/// [#skip]; the other methods are confined to the scheduler's thread.
public final class VirtualClock extends Ticker implements IdleStrategy, InstantSource {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final long START_NANOS = Long.MAX_VALUE - 1_000_000_000;

  /// The real time after which a clock that stands still logs why.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /// The real time that the clock gives real channels, after a wait for one has begun, before it
  /// jumps.
  private static final long GRACE_NANOS = 50_000_000;

  private final long startNanos;
  private final Duration patience;
  private final AtomicLong now;

  /// A permit for each wakeup that has not ended a wait yet.
  private final Semaphore wakeups = new Semaphore(0);

  private @Nullable Scheduler scheduler;
  private @Nullable Alarms alarms;

  /// Written by the scheduler's thread; woken by any.
  private volatile @Nullable EventSource events;

  /// The value of [EventSource#waitsBegun()] when the grace began.
  private long graceBegan;

  private long graceLeftNanos;
  private boolean warnedOfReal;

  /// Counts the jumps that reach only another poll of predicates.
  private final IdleJumps idleJumps;

  /// When the clock jumps to the next deadline by itself, while all tasks wait.
  public enum Autojump {
    /// The clock stands still. `start()` blocks until another thread calls [#skip] or enters the
    /// scheduler; on the scheduler's thread use [#advanceBy].
    NEVER,
    /// The clock jumps if no task waits for work outside the scheduler.
    UNLESS_OTHERS_WORK,
    /// The clock jumps even if a task waits for work outside the scheduler. For tests of timeouts
    /// that pass while a call blocks, and of completions that come from tasks of this scheduler.
    ALWAYS
  }

  /// Read and written by the scheduler's thread.
  private Autojump autojump = Autojump.UNLESS_OTHERS_WORK;

  /// The instant that the wall clock shows when no virtual time has passed. Read by any thread.
  private volatile Instant start = START;

  /// Makes a clock that jumps by itself.
  public VirtualClock() {
    this(START_NANOS, PATIENCE);
  }

  /// Makes a clock that jumps by itself and starts at a given reading.
  VirtualClock(long startNanos) {
    this(startNanos, PATIENCE);
  }

  VirtualClock(long startNanos, Duration patience) {
    this.startNanos = startNanos;
    this.patience = patience;
    this.now = new AtomicLong(startNanos);
    this.idleJumps = new IdleJumps(patience);
  }

  /// {@return a scheduler with this clock, for the calling thread} A [WaitForTime] is installed.
  ///
  /// @param builder has the other settings; its ticker and idle strategy are replaced by this clock
  /// @throws IllegalStateException if the clock has a scheduler already
  public Scheduler scheduler(SchedulerBuilder builder) {
    requireNonNull(builder, "builder is null");
    if (scheduler != null) {
      throw new IllegalStateException(
          "this clock belongs to " + scheduler + "; create another one for another scheduler");
    }
    Scheduler made = builder.ticker(this).build();
    made.host().idleStrategy(this);
    alarms = WaitForTime.on(made).alarms();
    scheduler = made;
    return made;
  }

  /// Sets the wall clock. A task that already waits for a date notices the change when the wall
  /// clock is next read. Any thread; never a suspension point.
  ///
  /// @param instant the instant that the wall clock shows when no virtual time has passed
  /// @return this clock
  public VirtualClock startAt(Instant instant) {
    start = requireNonNull(instant, "instant is null");
    return this;
  }

  /// Sets when the clock jumps by itself. The first mode is [Autojump#UNLESS_OTHERS_WORK].
  ///
  /// @param mode see [Autojump]
  /// @return this clock
  public VirtualClock autojump(Autojump mode) {
    autojump = requireNonNull(mode, "mode is null");
    return this;
  }

  @Override
  public long read() {
    return now.get();
  }

  /// {@return the date that the wall clock shows} Any thread.
  @Override
  public Instant instant() {
    return start.plus(elapsed());
  }

  /// {@return the virtual time since the clock was created} Any thread.
  public Duration elapsed() {
    return Duration.ofNanos(now.get() - startNanos);
  }

  /// Runs the scheduler until the clock has moved this far. It moves from deadline to deadline. At
  /// each of them, and at the first and the last instant, it steps until no task is ready. The
  /// scheduler must not be running, and its tasks must come to rest: a task that yields for ever is
  /// stepped for ever.
  ///
  /// @param duration at least zero
  /// @throws IllegalArgumentException if it is negative; nothing has moved
  /// @throws IllegalStateException if the clock has no scheduler, or the scheduler is running
  public void advanceBy(Duration duration) {
    requireNonNull(duration, "duration is null");
    Scheduler driven = scheduler;
    if (driven == null) {
      throw new IllegalStateException(
          "this clock has no scheduler to run: create one with clock.scheduler()");
    }
    Alarms alarms = WaitForTime.on(driven).alarms();
    long target = now.get() + WaitForTime.nanos(duration, "duration");
    settle(driven);
    for (Long next = nextInstant(alarms);
        next != null && next - target <= 0;
        next = nextInstant(alarms)) {
      moveTo(next);
      settle(driven);
    }
    moveTo(target);
    settle(driven);
  }

  /// The next deadline or simulated event; null if there is none.
  private @Nullable Long nextInstant(Alarms alarms) {
    Long deadline = alarms.nextDeadlineNanos();
    EventSource source = events;
    long until = source == null ? EventSource.FOREVER : source.untilNextNanos();
    if (until == EventSource.FOREVER) {
      return deadline;
    }
    long event = now.get() + Math.max(0, until);
    return deadline == null || event - deadline < 0 ? Long.valueOf(event) : deadline;
  }

  private void settle(Scheduler driven) {
    EventSource source = events;
    do {
      while (driven.step()) {
        // Until no task is ready.
      }
    } while (source != null && source.poll());
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

  @Override
  public boolean timeStandsStill() {
    return true;
  }

  @Override
  public boolean joins(EventSource source) {
    requireNonNull(source, "source is null");
    EventSource earlier = events;
    events = earlier == null ? source : LendableEventSource.both(earlier, source);
    return true;
  }

  /// Jumps to the deadline, unless there was a wakeup or an event.
  ///
  /// @throws DeadlockException if predicates are polled, and nothing else can happen, for long
  @Override
  public void idleUntil(long deadlineNanos) {
    EventSource source = events;
    if (!mayJump()) {
      standStill(
          autojump == Autojump.NEVER
              ? "autojump is off: call skip(..), or run the scheduler by advanceBy(..)"
              : "tasks wait for work outside the scheduler; if a task of this scheduler completes"
                  + " that work after a sleep, call autojump(ALWAYS)");
    } else if (wakeups.drainPermits() > 0) {
      idleJumps.end();
    } else if (isForPollingOnly(source)) {
      idleJumps.add(now.get(), deadlineNanos, requireNonNull(scheduler));
      moveTo(deadlineNanos);
    } else if (source == null) {
      idleJumps.end();
      moveTo(deadlineNanos);
    } else if (source.isReal()) {
      idleJumps.end();
      if (!source.poll() && !awaitReal(source, deadlineNanos)) {
        moveTo(deadlineNanos);
      }
    } else {
      jump(source, deadlineNanos);
    }
  }

  /// Whether no timer, event, or work outside the scheduler can end the wait of a task.
  private boolean isForPollingOnly(@Nullable EventSource source) {
    Scheduler own = scheduler;
    Alarms timers = alarms;
    return own != null
        && timers != null
        && timers.hasNone()
        && !LoopControl.of(own.host()).expectsOtherThreads()
        && (source == null
            || (source.waitCount() == 0 && source.untilNextNanos() == EventSource.FOREVER));
  }

  /// Jumps to each simulated event on the way to a deadline, until tasks are ready.
  private void jump(EventSource source, long deadlineNanos) {
    while (!source.poll() && wakeups.drainPermits() == 0) {
      long until = source.untilNextNanos();
      if (until >= deadlineNanos - now.get()) {
        moveTo(deadlineNanos);
        return;
      }
      moveTo(now.get() + Math.max(0, until));
    }
  }

  /// Waits for events of real channels, in real time.
  ///
  /// @return whether there was an event, a wakeup or an interrupt
  private boolean awaitReal(EventSource source, long deadlineNanos) {
    if (source.waitCount() == 0) {
      return false;
    }
    if (graceBegan != source.waitsBegun()) {
      graceBegan = source.waitsBegun();
      graceLeftNanos = GRACE_NANOS;
    }
    long nanos = Math.min(graceLeftNanos, deadlineNanos - now.get());
    if (nanos > 0) {
      if (isWoken(source, nanos)) {
        wakeups.drainPermits();
        return true;
      }
      graceLeftNanos -= nanos;
    }
    if (!warnedOfReal) {
      warnedOfReal = true;
      warn(
          "virtual time jumps from %s although tasks wait for real sockets, which have %d ms of real"
                  .formatted(ReportText.duration(elapsed()), GRACE_NANOS / 1_000_000)
              + " time after each wait has begun: such a run is not deterministic; simulated"
              + " sockets have virtual time");
    }
    return false;
  }

  /// Blocks until a wakeup or an interrupt; logs a warning if that takes long.
  ///
  /// @param why the reason why the time does not move
  private void standStill(String why) {
    try {
      if (!isWoken(patience.toNanos())) {
        warn(
            "virtual time has stood still at %s for %s of real time, because %s"
                .formatted(ReportText.duration(elapsed()), ReportText.duration(patience), why));
        boolean _ = isWoken(EventSource.FOREVER);
      }
      wakeups.drainPermits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Blocks in real time until a wakeup, an event, or an interrupt, or until the time is over.
  ///
  /// @return false if the time is over
  private boolean isWoken(long nanos) throws InterruptedException {
    EventSource source = events;
    if (source != null && source.isReal()) {
      return isWoken(source, nanos);
    }
    if (nanos == EventSource.FOREVER) {
      wakeups.acquire();
      return true;
    }
    return wakeups.tryAcquire(nanos, TimeUnit.NANOSECONDS);
  }

  /// As [#isWoken(long)], in a real source. The source may return early, and its poll takes earlier
  /// wakeups. Without a limit this may return early, too.
  private boolean isWoken(EventSource real, long nanos) {
    long begunNanos = System.nanoTime();
    long left = nanos;
    do {
      if (wakeups.availablePermits() > 0
          || real.await(left)
          || Thread.currentThread().isInterrupted()) {
        return true;
      }
      left = nanos - (System.nanoTime() - begunNanos);
    } while (left > 0 && nanos != EventSource.FOREVER);
    return wakeups.availablePermits() > 0;
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
      case UNLESS_OTHERS_WORK ->
          scheduler == null || LoopControl.of(scheduler.host()).externalWaits() == 0;
      case ALWAYS -> true;
    };
  }

  /// Blocks until a wakeup, an event or an interrupt; jumps to simulated events.
  @Override
  public void idle() {
    EventSource source = events;
    try {
      if (source != null && !source.isReal() && mayJump()) {
        idle(source);
      } else if (scheduler != null && LoopControl.of(scheduler.host()).externalWaits() > 0) {
        standStill("tasks wait for work outside the scheduler");
      } else if (source == null || wakeups.availablePermits() == 0) {
        boolean _ = isWoken(EventSource.FOREVER);
      }
      wakeups.drainPermits();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void idle(EventSource source) throws InterruptedException {
    while (wakeups.availablePermits() == 0 && !source.poll()) {
      long until = source.untilNextNanos();
      if (until != EventSource.FOREVER) {
        moveTo(now.get() + Math.max(0, until));
      } else if (source.waitCount() == 0) {
        wakeups.acquire();
        return;
      } else {
        boolean _ = source.await(EventSource.FOREVER); // fails the waits: nothing can happen
        return;
      }
    }
  }

  /// Looks for events while tasks are ready: no virtual time passes until they wait, so no deadline
  /// comes meanwhile.
  @Override
  public void pass() {
    EventSource source = events;
    if (source != null) {
      boolean _ = source.pollIfAwaited();
    }
  }

  @Override
  public void wakeup() {
    wakeups.release();
    EventSource source = events;
    if (source != null) {
      source.wakeup();
    }
  }

  @Override
  public String toString() {
    return "virtual clock at " + ReportText.duration(elapsed());
  }

  /// Looked up when needed: loading a logging library takes longer than the rest of the start.
  private static Logger logger() {
    return LoggerFactory.getLogger(VirtualClock.class);
  }
}
