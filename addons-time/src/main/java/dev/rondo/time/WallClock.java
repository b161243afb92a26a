package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.Attachment;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/// Waits for instants of the wall clock: for dates, not for time spans.
///
/// The wall clock may be set forwards and backwards, while the scheduler's ticker runs evenly. A
/// wait ends when a reading of the clock has reached its instant, never before. While tasks wait,
/// the clock is read once per *interval*, and whenever another wait begins. So if the clock is set
/// forwards, a wait ends at most one interval late. If the clock is not set, waits are as exact as
/// sleeps. One reading serves all waits.
///
/// For an action after a time span use a [Timer], which is not affected by clock changes. If
/// reading the clock fails, all waits for it fail. Confined to the scheduler's thread.
///
/// An alarm is a task from the beginning, because the clock may be set while it waits. It appears
/// in dumps, and is cancelled as any task is. So `task.cancel(why)` also ends a running action,
/// with a [dev.rondo.scheduler.TaskCancelled] that has the reason. A [Timer] has no task between
/// its ticks, so its `cancel()` lets a running action end.
public final class WallClock {

  /// The default time between two readings of the clock.
  public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

  /// One task's wait.
  private record Wait(Instant instant, long sequence, Waiter<? super Instant> waiter) {}

  private static final Comparator<Wait> ORDER =
      Comparator.comparing(Wait::instant).thenComparingLong(Wait::sequence);

  private final WaitForTime time;
  private final InstantSource source;
  private final long intervalNanos;
  private final TreeSet<Wait> waiting = new TreeSet<>(ORDER);
  private final Reading reading = new Reading();
  private long lastSequence;

  /// Makes the wall clock of a scheduler, read every [#DEFAULT_INTERVAL] while tasks wait. It is
  /// the system's clock, or the simulated one with a [VirtualClock] and in a simulation. Never a
  /// suspension point.
  ///
  /// @param scheduler whose tasks wait
  public WallClock(Scheduler scheduler) {
    requireNonNull(scheduler, "scheduler is null");
    this(scheduler, LoopControl.of(scheduler.host()).wallClock(), DEFAULT_INTERVAL);
  }

  /// Makes a wall clock that reads any source. Never a suspension point.
  ///
  /// @param scheduler whose tasks wait
  /// @param source the clock to read
  /// @param interval the time between two readings while tasks wait, above zero
  /// @throws IllegalArgumentException if the interval is not above zero
  public WallClock(Scheduler scheduler, InstantSource source, Duration interval) {
    this(WaitForTime.on(scheduler), source, interval);
  }

  private WallClock(WaitForTime time, InstantSource source, Duration interval) {
    this.time = time;
    this.source = requireNonNull(source, "source is null");
    this.intervalNanos = WaitForTime.nanos(interval, "interval");
    if (intervalNanos == 0) {
      throw new IllegalArgumentException(
          "interval must be above zero, but is " + ReportText.duration(interval));
    }
  }

  /// {@return the present instant of the clock} Never a suspension point.
  public Instant now() {
    return requireNonNull(source.instant(), "the wall clock returned null");
  }

  /// {@return an instant as something to await or select} A wait results in the reading of the
  /// clock that ended it; setting the clock back after that changes nothing.
  ///
  /// @param instant any; a wait for a past instant ends after a plain yield
  public Waitable<Instant> at(Instant instant) {
    return new At(requireNonNull(instant, "instant is null"));
  }

  /// Runs an action at an instant, in a task of its own. Never a suspension point.
  ///
  /// @param instant any; a past instant means now
  /// @param action may suspend
  /// @return the task, to cancel or join it
  /// @throws IllegalStateException if the scheduler is closed
  public Task<Void> alarm(Instant instant, TaskAction<?> action) {
    Waitable<Instant> event = at(instant);
    requireNonNull(action, "action is null");
    Scheduler scheduler = time.scheduler();
    return scheduler.spawn(
        "alarm " + instant,
        () -> {
          scheduler.await(event);
          action.run();
        });
  }

  /// Runs an action repeatedly, in a task of its own: at each instant of a recurrence, until there
  /// are no more or the action fails. Instants that pass while the action runs are skipped; several
  /// instants that a clock change skips count as one; none is repeated when the clock is set back.
  /// The task ends when a shutdown begins, after the action if that is running. Never a suspension
  /// point.
  ///
  /// @param recurrence supplies one instant after the other
  /// @param action may suspend
  /// @return the task, to cancel or join it
  /// @throws IllegalStateException if the scheduler is closed
  public Task<Void> recurring(Recurrence recurrence, TaskAction<?> action) {
    requireNonNull(recurrence, "recurrence is null");
    requireNonNull(action, "action is null");
    Scheduler scheduler = time.scheduler();
    Instant begin = now();
    return scheduler.spawn(
        "recurring " + recurrence,
        () -> {
          Optional<Instant> next = recurrence.after(begin);
          while (next.isPresent()) {
            Instant instant = next.get();
            if (scheduler.select(scheduler.shutdownRequested(), at(instant)).index() == 0) {
              return;
            }
            action.run();
            Instant now = now();
            next = recurrence.after(now.isBefore(instant) ? instant : now);
          }
        });
  }

  /// {@return the number of tasks that wait}
  int waiterCount() {
    time.scheduler().host().checkThread();
    return waiting.size();
  }

  // Reading the clock.

  /// Ends the waits whose instant has come, and arms the next reading.
  private void serve(Instant now) {
    while (!waiting.isEmpty() && !now.isBefore(waiting.first().instant())) {
      var _ = fire(waiting.removeFirst().waiter(), now);
    }
    var _ = time.alarms().disarm(reading);
    if (!waiting.isEmpty()) {
      time.alarms().arm(reading, time.nowNanos() + nanosUntil(now, waiting.first().instant()));
    }
  }

  private void failAll(Throwable failure) {
    while (!waiting.isEmpty()) {
      var _ = waiting.removeFirst().waiter().fail(failure);
    }
  }

  private static boolean fire(Waiter<? super Instant> waiter, Instant now) {
    return waiter.fire(now);
  }

  private long nanosUntil(Instant now, Instant then) {
    Duration distance;
    try {
      distance = Duration.between(now, then);
    } catch (ArithmeticException e) {
      return intervalNanos; // Instant.MAX
    }
    return Math.min(intervalNanos, WaitForTime.nanos(distance, "distance"));
  }

  /// The next reading of the clock, while tasks wait.
  private final class Reading extends TimerEntry {
    @Override
    void fire() {
      Instant now;
      try {
        now = now();
      } catch (Throwable e) {
        failAll(e);
        return;
      }
      serve(now);
    }

    @Override
    String describe() {
      return "reads the wall clock for its waits";
    }
  }

  private final class At implements Source<Instant> {

    private final Instant instant;

    At(Instant instant) {
      this.instant = instant;
    }

    @Override
    public boolean poll(Waiter<? super Instant> waiter) {
      Instant now = now();
      return !now.isBefore(instant) && waiter.fire(now);
    }

    @Override
    public void arm(Waiter<? super Instant> waiter) {
      Instant now = now(); // first, so that a failure leaves no wait behind
      var wait = new Wait(instant, ++lastSequence, waiter);
      Attachment.set(waiter, wait);
      waiting.add(wait);
      serve(now); // the new wait may be the first, and the clock may have been set
    }

    @Override
    public void disarm(Waiter<? super Instant> waiter) {
      if (Attachment.of(waiter) instanceof Wait wait && waiting.remove(wait) && waiting.isEmpty()) {
        var _ = time.alarms().disarm(reading);
      }
    }

    @Override
    public Scheduler scheduler() {
      return time.scheduler();
    }

    /// False: an instant is observed, not taken.
    @Override
    public boolean isEager() {
      return false;
    }

    @Override
    public String toString() {
      return "the instant " + instant;
    }
  }
}
