package dev.rondo.io;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/// [TcpSocket#output()]. Holds no lock while it writes.
final class SocketOutput extends OutputStream {

  private final TcpSocket socket;
  private final Outbound outbound;

  SocketOutput(TcpSocket socket, Outbound outbound) {
    this.socket = socket;
    this.outbound = outbound;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    outbound.write(bytes, offset, length);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  @Override
  public String toString() {
    return "output of " + socket;
  }
}
