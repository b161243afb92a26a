package dev.rondo.io.tls;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The writing half of a [TlsSocket] as a stream. It holds no lock.
final class TlsOutput extends OutputStream {

  private final TlsSocket socket;

  TlsOutput(TlsSocket socket) {
    this.socket = socket;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.requireNonNull(bytes, "bytes is null");
    socket.write(ByteBuffer.wrap(bytes, offset, length));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
