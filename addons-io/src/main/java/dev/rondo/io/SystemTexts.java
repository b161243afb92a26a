package dev.rondo.io;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;

/// What this system, in its language, says of a connection that is broken (`EPIPE`, `ECONNRESET`).
///
/// A write that fails is told by the JDK with a plain `IOException` and the text of `strerror`,
/// which the C library translates. So such failures are provoked once, and their texts kept.
final class SystemTexts {

  /// Learned when first needed: some 100 us and three descriptors for a moment.
  static final Set<String> OF_RESETS =
      Set.of(text(SystemTexts::brokenPipe), text(SystemTexts::reset));

  private SystemTexts() {}

  @FunctionalInterface
  private interface Provocation {
    void run() throws IOException;
  }

  private static String text(Provocation provocation) {
    try {
      provocation.run();
      return "no failure of " + provocation;
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void brokenPipe() throws IOException {
    Pipe pipe = Pipe.open();
    try (var sink = pipe.sink()) {
      pipe.source().close();
      sink.write(ByteBuffer.allocate(1));
    }
  }

  private static void reset() throws IOException {
    var anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var listener = ServerSocketChannel.open().bind(anywhere)) {
      SocketChannel client = SocketChannel.open(listener.getLocalAddress());
      try (SocketChannel server = listener.accept()) {
        client.setOption(StandardSocketOptions.SO_LINGER, 0);
        client.close(); // resets, and over loopback that has arrived
        server.write(ByteBuffer.allocate(1));
      } finally {
        client.close();
      }
    }
  }
}
