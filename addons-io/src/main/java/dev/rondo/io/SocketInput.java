package dev.rondo.io;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// [ByteSource#input()]. Holds no lock while it reads.
final class SocketInput extends InputStream {

  private final ByteSource source;
  private final Inbound inbound;
  private final byte[] one = new byte[1];

  SocketInput(ByteSource source, Inbound inbound) {
    this.source = source;
    this.inbound = inbound;
  }

  @Override
  public int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int n;
    do {
      n = inbound.read(bytes, offset, length);
    } while (n == 0 && length > 0); // scheduled directly, which a stream has no word for
    return n;
  }

  @Override
  public int available() {
    return inbound.heldBytes();
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
