package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.time.Recurrence;
import dev.rondo.time.TickPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// When a job of the cluster runs: at instants of the wall clock, which the nodes share.
interface JobSchedule {

  Duration LEAST = Duration.ofMillis(1);

  /// How much the clocks of two nodes may differ until the phase of a job changes with its node.
  Duration TOLERANCE = Duration.ofSeconds(1);

  /// A job with a longer period is never due.
  Duration MOST = Duration.ofDays(1_000_000_000);

  /// {@return when the first run is due; empty if none ever is}
  ///
  /// @param now when the job was first seen
  Optional<Instant> first(Instant now);

  /// {@return when the next run is due; empty if none ever is}
  ///
  /// @param due when the run was due
  /// @param began when it began
  /// @param now when it ended, or was found to have been interrupted
  Optional<Instant> next(Instant due, Instant began, Instant now);

  /// {@return how long to wait for the next run at most} A run that is further away was noted with
  /// a clock that has been set back since, or with that of a node that was wrong.
  Duration most();

  static JobSchedule of(Recurrence recurrence) {
    requireNonNull(recurrence, "recurrence is null");
    return new JobSchedule() {
      @Override
      public Optional<Instant> first(Instant now) {
        return recurrence.after(now);
      }

      @Override
      public Optional<Instant> next(Instant due, Instant began, Instant now) {
        return recurrence.after(now.isBefore(due) ? due : now);
      }

      @Override
      public Duration most() {
        return MOST; // an instant that has passed does not come again
      }
    };
  }

  static JobSchedule every(Duration period, TickPolicy policy) {
    requireNonNull(period, "period is null");
    requireNonNull(policy, "policy is null");
    if (period.compareTo(LEAST) < 0) {
      throw new IllegalArgumentException(
          "period must be at least 1 ms, but is " + ReportText.duration(period));
    }
    return new JobSchedule() {
      @Override
      public Optional<Instant> first(Instant now) {
        return period.compareTo(MOST) > 0 ? Optional.empty() : Optional.of(now.plus(period));
      }

      @Override
      public Optional<Instant> next(Instant due, Instant began, Instant now) {
        if (period.compareTo(MOST) > 0) {
          return Optional.empty();
        }
        Instant following = due.plus(period);
        boolean isMissed = !following.isAfter(now);
        return Optional.of(
            switch (policy) {
              case SKIP -> isMissed ? inPhase(following, now) : following;
              case BURST -> following;
              case DELAY -> isMissed ? began.plus(period) : following;
              case FIXED_DELAY -> now.plus(period);
            });
      }

      @Override
      public Duration most() {
        return period.compareTo(MOST) > 0 ? period : period.plus(TOLERANCE);
      }

      private Instant inPhase(Instant from, Instant now) {
        long missed = Duration.between(from, now).dividedBy(period) + 1;
        return from.plus(period.multipliedBy(missed));
      }
    };
  }
}
