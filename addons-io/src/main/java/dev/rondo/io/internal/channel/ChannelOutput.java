package dev.rondo.io.internal.channel;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/// A socket or pipe as an `OutputStream` that sends each write at once. Holds no lock while it
/// writes.
public final class ChannelOutput extends OutputStream {

  private final Closeable sink;
  private final StreamWriter writer;
  private final byte[] one = new byte[1];

  /// Nothing is written yet.
  ///
  /// @param sink closed with this; its text is part of this stream's text
  /// @param writer writes to it
  public ChannelOutput(Closeable sink, StreamWriter writer) {
    this.sink = sink;
    this.writer = writer;
  }

  @Override
  public void write(int b) throws IOException {
    writer.requireIdle();
    one[0] = (byte) b;
    writer.write(one, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.requireNonNull(bytes, "bytes is null");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    writer.write(bytes, offset, length);
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }

  @Override
  public String toString() {
    return "output of " + sink;
  }
}
