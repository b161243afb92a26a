package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Determines how often an operation that fails is attempted, and how long to wait between
/// attempts. Each wait is longer than the one before, and a random share makes the waits of
/// different callers differ.
///
/// The wait after attempt n is `first * factor^(n-1)`, at most `longest`, minus a random share of
/// up to `jitter` of it (M. Brooker, *Exponential backoff and jitter*, 2015: 1 is his *full
/// jitter*).
///
/// @param attempts the number of attempts, at least one
/// @param first the wait after the first attempt, at least zero
/// @param factor the ratio of each wait to the one before, at least one
/// @param longest the longest wait, at least the first
/// @param jitter the largest random share that is subtracted from a wait, from zero to one
public record Backoff(
    int attempts, Duration first, double factor, Duration longest, double jitter) {

  private static final double DOUBLING = 2;
  private static final double HALF = 0.5;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /// Checks the ranges.
  ///
  /// @throws IllegalArgumentException if a value is out of range; the message names it
  public Backoff {
    require(attempts >= 1, "attempts must be at least 1, but is ", attempts);
    require(
        !requireNonNull(first, "first is null").isNegative(),
        "first must not be negative, but is ",
        ReportText.duration(first));
    require(
        factor >= 1 && Double.isFinite(factor),
        "factor must be at least 1 and finite, but is ",
        factor);
    require(
        requireNonNull(longest, "longest is null").compareTo(first) >= 0,
        "longest must be at least first, which is " + ReportText.duration(first) + ", but is ",
        ReportText.duration(longest));
    require(jitter >= 0 && jitter <= 1, "jitter must be from 0 to 1, but is ", jitter);
  }

  private static void require(boolean condition, String message, Object found) {
    if (!condition) {
      throw new IllegalArgumentException(message + found);
    }
  }

  /// {@return waits that double, up to a minute or the first wait if that is longer, with a jitter
  /// of one half}
  ///
  /// @param attempts the number of attempts, at least one
  /// @param first the wait after the first attempt, at least zero
  /// @throws IllegalArgumentException if a value is out of range
  public static Backoff exponential(int attempts, Duration first) {
    requireNonNull(first, "first is null");
    Duration longest = first.compareTo(MINUTE) > 0 ? first : MINUTE;
    return new Backoff(attempts, first, DOUBLING, longest, HALF);
  }

  /// {@return the wait after an attempt}
  ///
  /// @param attempt counted from one
  /// @param random supplies the jitter; not used if the jitter is zero
  Duration after(int attempt, RandomGenerator random) {
    requireNonNull(random, "random is null");
    require(attempt >= 1, "attempt must be at least 1, but is ", attempt);
    double longestNanos = WaitForTime.nanos(longest, "longest");
    double nanos =
        Math.min(longestNanos, WaitForTime.nanos(first, "first") * Math.pow(factor, attempt - 1.0));
    if (jitter > 0) {
      nanos -= nanos * jitter * random.nextDouble();
    }
    return Duration.ofNanos((long) nanos);
  }

  @Override
  public String toString() {
    return "Backoff[attempts=%d, first=%s, factor=%s, longest=%s, jitter=%s]"
        .formatted(
            attempts, ReportText.duration(first), factor, ReportText.duration(longest), jitter);
  }
}
