package dev.rondo.io.internal.channel;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// The bytes of a stream as an `InputStream`. Holds no lock while it reads.
public final class ChannelInput extends InputStream {

  private final Closeable source;
  private final InputHalf reader;
  private final byte[] one = new byte[1];

  /// Nothing is read yet.
  ///
  /// @param source closed with this; its text is part of this stream's text
  /// @param reader reads it
  public ChannelInput(Closeable source, InputHalf reader) {
    this.source = source;
    this.reader = reader;
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.requireNonNull(bytes, "bytes is null");
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return reader.read(bytes, offset, length);
  }

  @Override
  public int available() {
    return reader.heldBytes();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  @Override
  public String toString() {
    return "input of " + source;
  }
}
