package dev.rondo.benchmarks.servers;

import java.nio.ByteBuffer;

/// Counts the empty lines that end requests without a body, across reads.
public final class RequestEnds {
  private static final int END = 4;

  /// The number of bytes of CR LF CR LF at the end of the last read.
  private int matched;

  /// {@return the number of ends in a buffer, which is read to its limit}
  int in(ByteBuffer buffer) {
    int ends = 0;
    while (buffer.hasRemaining()) {
      byte next = buffer.get();
      boolean fits = next == (matched % 2 == 0 ? '\r' : '\n');
      if (fits) {
        matched++;
      } else {
        matched = next == '\r' ? 1 : 0;
      }
      if (matched == END) {
        matched = 0;
        ends++;
      }
    }
    return ends;
  }
}
