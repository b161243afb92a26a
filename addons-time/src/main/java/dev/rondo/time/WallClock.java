package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;

/// Waits for what the clock on the wall says: for dates, not for time spans.
///
/// That clock may be set, forwards and backwards, while the scheduler's ticker goes on evenly. So
/// an alarm goes off when the wall clock is *seen* to have reached its instant, never before. As
/// long as somebody waits it is looked at once per *interval*, and when something else is to be
/// awaited: that is how late an alarm can be if the clock is set forwards. If it is not set, alarms
/// are as exact as sleeps. A look sees to all alarms at once.
///
/// For what is to happen after a time span, use a [Timer], which no setting of clocks disturbs. If
/// looking at the clock fails, so do all waits for it. Confined to the scheduler's thread.
public final class WallClock {

  /// How often to look, unless told otherwise.
  public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

  /// One task's wait.
  private record Wait(Instant instant, long sequence, Waiter<? super Instant> waiter) {}

  private static final Comparator<Wait> ORDER =
      Comparator.comparing(Wait::instant).thenComparingLong(Wait::sequence);

  private final WaitForTime time;
  private final InstantSource source;
  private final long intervalNanos;
  private final TreeSet<Wait> waiting = new TreeSet<>(ORDER);
  private final Look look = new Look();
  private long lastSequence;

  /// The system's clock, looked at every [#DEFAULT_INTERVAL].
  ///
  /// @param scheduler whose tasks wait
  /// @return the wall clock
  public static WallClock create(Scheduler scheduler) {
    return create(scheduler, InstantSource.system(), DEFAULT_INTERVAL);
  }

  /// Any clock.
  ///
  /// @param scheduler whose tasks wait
  /// @param source what is on the wall
  /// @param interval how often to look at it while somebody waits, above zero
  /// @return the wall clock
  /// @throws IllegalArgumentException if the interval is not above zero
  public static WallClock create(Scheduler scheduler, InstantSource source, Duration interval) {
    return new WallClock(WaitForTime.on(scheduler), source, interval);
  }

  private WallClock(WaitForTime time, InstantSource source, Duration interval) {
    this.time = time;
    this.source = requireNonNull(source, "source is null");
    this.intervalNanos = WaitForTime.nanos(interval, "interval");
    if (intervalNanos == 0) {
      throw new IllegalArgumentException("interval must be above zero, but is " + interval);
    }
  }

  /// {@return what the clock says} Never a suspension point.
  public Instant now() {
    return requireNonNull(source.instant(), "the wall clock answered null");
  }

  /// {@return an instant as something to await or select; it results in what the clock said when it
  /// was seen to have come} Once seen to have come it has come, for that wait.
  ///
  /// @param instant any; one that has passed is there at once
  public Waitable<Instant> at(Instant instant) {
    return new At(requireNonNull(instant, "instant is null"));
  }

  /// Waits until an instant. *Always* a suspension point: a plain yield if it has passed.
  ///
  /// @param instant any
  /// @return what the clock says then
  /// @throws IllegalStateException outside a stackful task of the scheduler
  public Instant sleepUntil(Instant instant) {
    return time.scheduler().await(at(instant));
  }

  /// Has an action run at an instant, in a task of its own. Never a suspension point.
  ///
  /// @param instant any; one that has passed means now
  /// @param action may suspend
  /// @return the task, to cancel or join it
  /// @throws IllegalStateException if the scheduler is closed
  public Task<Void> alarm(Instant instant, TaskAction action) {
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

  /// Has an action run again and again, in a task of its own: at each instant that a recurrence
  /// names, until it names no more, or the action fails. Instants that pass while the action runs
  /// are skipped, and several that a jump of the clock passes count as one; none is repeated when
  /// the clock is set back. Never a suspension point.
  ///
  /// @param recurrence asked for one instant after the other
  /// @param action may suspend
  /// @return the task, to cancel or join it
  /// @throws IllegalStateException if the scheduler is closed
  public Task<Void> recurring(Recurrence recurrence, TaskAction action) {
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
            var _ = scheduler.await(at(instant));
            action.run();
            Instant now = now();
            next = recurrence.after(now.isBefore(instant) ? instant : now);
          }
        });
  }

  /// {@return how many waits there are}
  public int waiterCount() {
    time.scheduler().host().checkThread();
    return waiting.size();
  }

  // Looking.

  /// Fires what the clock has reached, and says when to look again.
  private void look(Instant now) {
    while (!waiting.isEmpty() && !now.isBefore(waiting.first().instant())) {
      var _ = fire(waiting.removeFirst().waiter(), now);
    }
    var _ = time.alarms().disarm(look);
    if (!waiting.isEmpty()) {
      time.alarms().arm(look, time.nowNanos() + nanosUntil(now, waiting.first().instant()));
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

  /// The next look, while somebody waits.
  private final class Look extends TimerEntry {
    @Override
    void fire() {
      Instant now;
      try {
        now = now();
      } catch (Throwable e) {
        failAll(e);
        return;
      }
      look(now);
    }
  }

  private final class At implements Waitable<Instant> {

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
      Instant now = now(); // first: if this fails there is no wait
      var wait = new Wait(instant, ++lastSequence, waiter);
      waiter.attach(wait);
      waiting.add(wait);
      look(now); // a new one may be the first; and the clock may have been set
    }

    @Override
    public void disarm(Waiter<? super Instant> waiter) {
      if (waiter.attachment() instanceof Wait wait && waiting.remove(wait) && waiting.isEmpty()) {
        var _ = time.alarms().disarm(look);
      }
    }

    /// False: time is looked at, not taken.
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
