package dev.rondo.io.internal.channel;

import java.io.IOException;

/// The reading half of a byte stream, as a [ChannelInput] sees it.
public sealed interface InputHalf permits StreamReader, PullReader {

  /// Reads at least one byte.
  ///
  /// @param bytes where to
  /// @param offset of the first
  /// @param length how many at most
  /// @return how many bytes; -1 at the end; 0 only if the length is 0
  /// @throws IOException if this side has closed it, or the stream broke
  int read(byte[] bytes, int offset, int length) throws IOException;

  /// {@return how many bytes can be read without waiting}
  int heldBytes();
}
