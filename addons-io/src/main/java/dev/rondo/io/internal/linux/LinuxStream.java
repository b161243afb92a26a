package dev.rondo.io.internal.linux;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import sun.nio.ch.SelChImpl;

/// Reads and writes the bytes of a socket by `recv` and `send`. The JDK's channel reports errors of
/// use: that it is closed, or that a buffer is read-only.
///
/// The descriptor belongs to the channel until the selector releases it, which it does on the
/// thread that uses this.
final class LinuxStream implements ByteChannel {

  private final StreamCalls calls;
  private final SocketChannel channel;
  private final int descriptor;

  /// Whether a read has found that the peer broke the connection. The system reports that once;
  /// after that it reports the end of the stream, as if the peer had sent everything.
  private boolean reset;

  LinuxStream(StreamCalls calls, SocketChannel channel) {
    this.calls = calls;
    this.channel = channel;
    this.descriptor = ((SelChImpl) channel).getFDVal();
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    if (!dst.hasRemaining() || dst.isReadOnly() || !channel.isOpen()) {
      return channel.read(dst);
    }
    int n = reset ? Libc.RESET : calls.receive(descriptor, dst);
    if (n > 0) {
      return n;
    } else if (n == Libc.RESET) {
      reset = true;
      throw new SocketException("Connection reset"); // as the JDK's channel throws, every time
    }
    return n == Libc.AGAIN ? 0 : -1;
  }

  @Override
  public int write(ByteBuffer src) throws IOException {
    if (!src.hasRemaining() || !channel.isOpen()) {
      return channel.write(src);
    }
    int n = calls.send(descriptor, src);
    return n == Libc.AGAIN ? 0 : n;
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
