package dev.rondo.simulation;

import java.util.UUID;

/// Makes UUIDs of version 4 (RFC 9562) that are unique in a world, whatever is drawn for them: one
/// half is drawn, the other counts.
///
/// Confined to the world's thread.
final class WorldUuids {

  private static final long VERSION_MASK = 0xf000;
  private static final long VERSION = 0x4000;
  private static final int VARIANT_SHIFT = 2;
  private static final long VARIANT = 0x8000_0000_0000_0000L;

  /// Odd, so that different counts have different products. From Steele, Lea and Flood's
  /// SplitMix64.
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private long count;

  /// {@return the next one}
  ///
  /// @param drawn its first half
  UUID next(long drawn) {
    count++;
    long last = (count * SPREAD) << VARIANT_SHIFT >>> VARIANT_SHIFT;
    return new UUID((drawn & ~VERSION_MASK) | VERSION, VARIANT | last);
  }
}
