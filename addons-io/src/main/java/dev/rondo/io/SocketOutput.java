package dev.rondo.io;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/// [ByteSink#output()]. Holds no lock while it writes.
final class SocketOutput extends OutputStream {

  private final ByteSink sink;
  private final Outbound outbound;
  private final byte[] one = new byte[1];

  SocketOutput(ByteSink sink, Outbound outbound) {
    this.sink = sink;
    this.outbound = outbound;
  }

  @Override
  public void write(int b) throws IOException {
    outbound.requireIdle();
    one[0] = (byte) b;
    outbound.write(one, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    outbound.write(bytes, offset, length);
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
