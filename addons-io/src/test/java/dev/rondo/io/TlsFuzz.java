package dev.rondo.io;

import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import dev.rondo.scheduler.testing.Certificates;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import javax.net.ssl.SSLContext;

/// Any bytes from a TLS peer. A target of Jazzer, see the profile `fuzz`.
public final class TlsFuzz {

  private static final SSLContext SERVER = context("one.test");
  private static final SSLContext CLIENT = context(null, "one.test");

  private TlsFuzz() {}

  private static SSLContext context(String me, String... trusted) {
    try {
      return Certificates.context(me, trusted);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// A peer that sends its bytes without regard to what it receives.
  private record Deaf(ByteBuffer words) implements ByteChannel {

    @Override
    public int read(ByteBuffer dst) {
      if (!words.hasRemaining()) {
        return -1;
      }
      int n = Math.min(dst.remaining(), words.remaining());
      dst.put(words.slice(words.position(), n));
      words.position(words.position() + n);
      return n;
    }

    @Override
    public int write(ByteBuffer src) {
      int n = src.remaining();
      src.position(src.limit());
      return n;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  /// Sends the bytes to one side of a TLS connection.
  ///
  /// @param bytes the first selects the side, the others are sent
  public static void fuzzerTestOneInput(byte[] bytes) throws Throwable {
    if (bytes.length == 0) {
      return;
    }
    FuzzScheduler.run(scheduler -> {
      var peer = new Deaf(ByteBuffer.wrap(bytes, 1, bytes.length - 1));
      try (TlsSocket socket =
          bytes[0] % 2 == 0
              ? new TlsServer(scheduler, SERVER).over(peer)
              : new TlsClient(scheduler, CLIENT).over(peer, "one.test")) {
        socket.handshake();
        throw new AssertionError("a handshake with a peer that does not listen");
      } catch (IOException e) {
        // as it should
      }
    });
  }
}
