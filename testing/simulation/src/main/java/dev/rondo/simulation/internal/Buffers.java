package dev.rondo.simulation.internal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/// Scattering reads and gathering writes, made of operations with one buffer.
public final class Buffers {

  /// An operation with one buffer.
  @FunctionalInterface
  public interface Transfer {

    /// {@return how many bytes it has moved; negative at the end}
    ///
    /// @param buffer whose position moves
    /// @throws IOException if it fails
    int apply(ByteBuffer buffer) throws IOException;
  }

  private Buffers() {}

  /// Fills buffers in their order, up to the first that is not filled.
  ///
  /// @param offset of the first
  /// @param length how many
  /// @param first until something was read; it may wait
  /// @param next afterwards
  /// @return how many bytes; negative if the end comes first
  /// @throws IOException if an operation fails
  public static long scatter(
      ByteBuffer[] targets, int offset, int length, Transfer first, Transfer next)
      throws IOException {
    Objects.checkFromIndexSize(offset, length, targets.length);
    long total = 0;
    for (int i = offset; i < offset + length; i++) {
      ByteBuffer target = targets[i];
      if (target.hasRemaining() || target.isReadOnly()) {
        int count = (total == 0 ? first : next).apply(target);
        if (count < 0) {
          return total == 0 ? count : total;
        }
        total += count;
        if (target.hasRemaining()) {
          break;
        }
      }
    }
    return total;
  }

  /// Writes buffers in their order, up to the first that is not written completely.
  ///
  /// @param offset of the first
  /// @param length how many
  /// @return how many bytes
  /// @throws IOException if an operation fails
  public static long gather(ByteBuffer[] sources, int offset, int length, Transfer write)
      throws IOException {
    Objects.checkFromIndexSize(offset, length, sources.length);
    long total = 0;
    for (int i = offset; i < offset + length; i++) {
      total += write.apply(sources[i]);
      if (sources[i].hasRemaining()) {
        break;
      }
    }
    return total;
  }
}
