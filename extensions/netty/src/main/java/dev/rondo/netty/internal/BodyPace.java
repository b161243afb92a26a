package dev.rondo.netty.internal;

import dev.rondo.scheduler.addon.AddOnHost;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The pace at which a body that is read as a whole, or a message, has to arrive. A limit for each
/// part is not enough: a peer that sends a byte now and then satisfies it, and holds memory for
/// hours.
///
/// Confined to the scheduler's thread.
public final class BodyPace {

  /// The average pace that a peer must keep, after its time for one part.
  public static final long BYTES_PER_SECOND = 1 << 10;

  private static final long NANOS_PER_BYTE = TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;

  private final AddOnHost host;
  private final Duration grace;
  private long begunNanos;

  /// @param grace how long a peer may take for one part
  public BodyPace(AddOnHost host, Duration grace) {
    this.host = host;
    this.grace = grace;
    this.begunNanos = host.nowNanos();
  }

  /// This side has not read for a while, since an instant.
  public void pausedSince(long nanos) {
    begunNanos += host.nowNanos() - nanos;
  }

  /// {@return the time that is left for a body of which a number of bytes has arrived} Negative if
  /// the body is too slow.
  public long leftNanos(long receivedBytes) {
    return grace.toNanos() + receivedBytes * NANOS_PER_BYTE - (host.nowNanos() - begunNanos);
  }

  /// {@return whether a body of which a number of bytes has arrived is too slow}
  public boolean isTooSlow(long receivedBytes) {
    return leftNanos(receivedBytes) < 0;
  }
}
