package dev.rondo.simulation;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;

/// The clock of a [WorldHost]: it may be wrong, and may run too fast or too slow.
///
/// A host has two clocks, as computers have. Timers, sleeps and timeouts go by the *monotonic* one,
/// which only drifts. The *wall* clock is this object, for code that takes a [Clock] or an
/// `InstantSource`, and what a [dev.rondo.time.WallClock] of the host's scheduler shows; it has the
/// drift and an offset, and jumps when that is set. Without both it shows the time of the world,
/// which begins at 2026-01-01T00:00:00Z.
///
/// Any thread may read it; it is set on the world's thread.
public final class HostClock extends Clock {

  /// The reading of a correct wall clock when the world begins.
  static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

  private static final long MOST_DRIFT = 500_000;
  private static final long MILLION = 1_000_000;

  /// One second before the reading wraps, as that of a [dev.rondo.time.VirtualClock].
  private static final long FIRST_READING = Long.MAX_VALUE - 1_000_000_000;

  /// Nanoseconds of the host for nanoseconds of the world, from an instant on.
  ///
  /// @param world when this rate began, in the world's time
  /// @param local the same in the host's
  /// @param drift in parts per million
  private record Rate(long world, long local, long drift) {

    long localAt(long worldNanos) {
      long passed = worldNanos - world;
      return local + passed + drifted(passed);
    }

    private long drifted(long passed) {
      return Math.floorDiv(passed, MILLION) * drift
          + Math.floorDiv(Math.floorMod(passed, MILLION) * drift, MILLION);
    }

    /// The first instant of the world at which the host's clock shows at least this much.
    long worldAt(long localNanos) {
      long due = localNanos - local;
      long rate = MILLION + drift;
      long passed = due / rate * MILLION + due % rate * MILLION / rate;
      while (passed + drifted(passed) < due) {
        passed++;
      }
      return world + passed;
    }
  }

  private final WorldTime time;

  /// Runs when timers are due at other instants than before.
  private final Runnable rateChanged;

  /// Written by the world's thread.
  private volatile Rate rate;

  /// Written by the world's thread.
  private volatile Duration offset = Duration.ZERO;

  /// Added to the offset by chaos. Written by the world's thread.
  private volatile Duration skew = Duration.ZERO;

  HostClock(WorldTime time, Runnable rateChanged) {
    this.time = time;
    this.rateChanged = rateChanged;
    this.rate = new Rate(0, 0, 0);
  }

  /// Sets the wall clock of the host: it jumps, forwards or backwards. Sleeps and timeouts take no
  /// notice.
  ///
  /// @param offset what the wall clock is ahead of a correct one; negative if it is behind
  /// @return this clock
  public HostClock offset(Duration offset) {
    this.offset = requireNonNull(offset, "offset is null");
    return this;
  }

  /// Lets the wall clock jump, on top of the offset.
  ///
  /// @return what ends that
  Runnable skew(Duration by) {
    skew = skew.plus(by);
    return () -> skew = skew.minus(by);
  }

  /// Sets how fast the clocks of the host run, from now on: timers, too.
  ///
  /// @param partsPerMillion 100 makes an hour of the host 0.36 s shorter than the world's; negative
  ///   if the clock is slow; from -500,000 to 500,000
  /// @return this clock
  /// @throws IllegalArgumentException if it is out of this range; the earlier drift stays
  public HostClock drift(long partsPerMillion) {
    if (Math.abs(partsPerMillion) > MOST_DRIFT) {
      throw new IllegalArgumentException(
          "drift must be from -%d to %d parts per million: partsPerMillion=%d"
              .formatted(MOST_DRIFT, MOST_DRIFT, partsPerMillion));
    }
    long now = time.nanos();
    rate = new Rate(now, rate.localAt(now), partsPerMillion);
    rateChanged.run();
    return this;
  }

  // For timers.

  Ticker ticker() {
    return new HostTicker();
  }

  /// The monotonic clock, which shows the dates of the wall clock.
  private final class HostTicker extends Ticker implements InstantSource {

    @Override
    public long read() {
      return FIRST_READING + local();
    }

    @Override
    public Instant instant() {
      return HostClock.this.instant();
    }

    @Override
    public String toString() {
      return "ticker of a host";
    }
  }

  /// The monotonic clock, in nanoseconds since the world began.
  long local() {
    return rate.localAt(time.nanos());
  }

  /// The instant of the world at which so much time of the host will have passed.
  ///
  /// @param nanos more than zero
  /// @return [Long#MAX_VALUE] for never
  long worldAfter(long nanos) {
    long due = local() + nanos;
    return due < 0 || due > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : rate.worldAt(due);
  }

  // As the clock of the JDK.

  @Override
  public Instant instant() {
    return EPOCH.plusNanos(local()).plus(offset).plus(skew);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId other) {
    requireNonNull(other, "other is null");
    HostClock own = this;
    return new Clock() {
      @Override
      public Instant instant() {
        return own.instant();
      }

      @Override
      public ZoneId getZone() {
        return other;
      }

      @Override
      public Clock withZone(ZoneId another) {
        return own.withZone(another);
      }
    };
  }

  @Override
  public String toString() {
    return "clock of a host at " + instant();
  }
}
