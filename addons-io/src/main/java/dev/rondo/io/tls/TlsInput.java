package dev.rondo.io.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/// The reading half of a [TlsSocket] as a stream. It holds no lock.
final class TlsInput extends InputStream {

  private final TlsSocket socket;

  TlsInput(TlsSocket socket) {
    this.socket = socket;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    ByteBuffer room = ByteBuffer.wrap(bytes, offset, length);
    int n;
    do {
      n = socket.read(room);
    } while (n == 0 && length > 0); // a wait that was ended from elsewhere
    return n;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
