package dev.rondo.application;

import static java.util.Objects.requireNonNull;

import com.google.common.util.concurrent.ListenableScheduledFuture;
import com.google.common.util.concurrent.ListeningScheduledExecutorService;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.TickPolicy;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A [TaskExecutor] that also runs jobs later and periodically, by timers of the scheduler.
///
/// After `shutdown` it still runs delayed jobs but no periodic ones, as a
/// `ScheduledThreadPoolExecutor` does by default. A job at a fixed rate makes up for runs that it
/// missed while another task kept the loop; a job with a fixed delay does not.
final class ScheduledTaskExecutor extends TaskExecutor
    implements ListeningScheduledExecutorService {

  private final WaitForTime time;

  /// On the scheduler's thread.
  ScheduledTaskExecutor(Scheduler scheduler) {
    super(scheduler);
    this.time = WaitForTime.on(scheduler);
  }

  @Override
  public ListenableScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    requireNonNull(command, "command is null");
    return schedule(Executors.callable(command), delay, unit);
  }

  @Override
  public <V extends @Nullable Object> ListenableScheduledFuture<V> schedule(
      Callable<V> callable, long delay, TimeUnit unit) {
    requireNonNull(callable, "callable is null");
    requireNonNull(unit, "unit is null");
    return armed(newJob(Job.Kind.ONCE, callable, null, unit.toNanos(delay), 0));
  }

  @Override
  public ListenableScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return periodic(Job.Kind.FIXED_RATE, command, initialDelay, period, unit);
  }

  @Override
  public ListenableScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return periodic(Job.Kind.FIXED_DELAY, command, initialDelay, delay, unit);
  }

  private ListenableScheduledFuture<?> periodic(
      Job.Kind kind, Runnable command, long initialDelay, long period, TimeUnit unit) {
    requireNonNull(command, "command is null");
    requireNonNull(unit, "unit is null");
    if (period <= 0) {
      throw new IllegalArgumentException("period=" + period + " " + unit + ", must be above zero");
    }
    return armed(
        newJob(
            kind,
            Executors.callable(command),
            null,
            unit.toNanos(initialDelay),
            unit.toNanos(period)));
  }

  private <V extends @Nullable Object> Job<V> armed(Job<V> job) {
    post(job, () -> arm(job));
    return job;
  }

  /// On the loop's thread. The delay counts from the call of `schedule`.
  private void arm(Job<?> job) {
    if (!isQueued(job)) {
      return;
    }
    long nanos = job.deadlineNanos() - nowNanos();
    Duration delay = Duration.ofNanos(Math.max(0, nanos));
    Duration period = Duration.ofNanos(job.periodNanos);
    job.timer =
        switch (job.kind) {
          case COMMAND, ONCE -> time.delay(delay, () -> turn(job));
          case FIXED_RATE ->
              nanos < 0
                  ? time.delay(delay, () -> runLate(job))
                  : time.periodic(delay, period, TickPolicy.BURST, () -> turn(job));
          case FIXED_DELAY -> time.periodic(delay, period, TickPolicy.FIXED_DELAY, () -> turn(job));
        };
  }

  /// Makes up for a run that was due before the job was armed. A timer would begin a phase of its
  /// own.
  private void runLate(Job<?> job) {
    turn(job);
    arm(job);
  }
}
