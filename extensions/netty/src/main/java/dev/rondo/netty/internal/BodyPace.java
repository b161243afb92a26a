package dev.rondo.netty.internal;

import dev.rondo.scheduler.addon.AddOnHost;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// How fast a body that is read as a whole, or a message, has to arrive. A peer that sends a byte
/// now and then satisfies a limit for each part, and would hold what it has for hours.
///
/// Confined to the scheduler's thread.
public final class BodyPace {

  /// What a peer has to send on the average, after the time that it has for one part.
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

  /// {@return how much longer a body may take of which so many bytes are here} Negative if it is
  /// too slow.
  public long leftNanos(long receivedBytes) {
    return grace.toNanos() + receivedBytes * NANOS_PER_BYTE - (host.nowNanos() - begunNanos);
  }

  /// {@return whether a body is too slow of which so many bytes are here}
  public boolean isTooSlow(long receivedBytes) {
    return leftNanos(receivedBytes) < 0;
  }
}
