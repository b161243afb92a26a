package dev.rondo.io;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What this system, in its language, says of a connection that is broken (`EPIPE`, `ECONNRESET`).
///
/// A write that fails is told by the JDK with a plain `IOException` and the text of `strerror`,
/// which the C library translates. So such failures are provoked once, and their texts kept. That
/// never blocks, and is no class initialization: a virtual thread that waits in one keeps its
/// carrier, and on a machine with one processor it would wait for ever.
final class SystemErrors {

  /// Over loopback all is there at once.
  private static final int MOST_TRIES = 1_000;

  /// Null until learned. Written by any loop: all learn the same.
  private static volatile @Nullable Set<String> ofResets;

  private SystemErrors() {}

  /// Makes a channel to which a write must fail.
  @FunctionalInterface
  interface Provocation {
    /// {@return the channel; empty if it could not be made}
    Optional<? extends WritableByteChannel> broken() throws IOException;
  }

  /// {@return the texts} Learned at the first call: some 100 us and three descriptors for a moment.
  /// If there are none left, there are no texts, and the next call tries again.
  static Set<String> ofResets() {
    Set<String> known = ofResets;
    if (known == null) {
      known = learned(SystemErrors::brokenPipe, SystemErrors::reset);
      if (!known.isEmpty()) {
        ofResets = known;
      }
    }
    return known;
  }

  /// {@return what the failures say; nothing if one could not be provoked}
  static Set<String> learned(Provocation... provocations) {
    Set<Optional<String>> texts =
        Arrays.stream(provocations).map(SystemErrors::text).collect(Collectors.toSet());
    return texts.contains(Optional.<String>empty())
        ? Set.of()
        : texts.stream().flatMap(Optional::stream).collect(Collectors.toUnmodifiableSet());
  }

  private static Optional<String> text(Provocation provocation) {
    Optional<? extends WritableByteChannel> broken;
    try {
      broken = provocation.broken();
    } catch (IOException e) {
      return Optional.empty(); // which says something else
    }
    if (broken.isEmpty()) {
      return Optional.empty();
    }
    try (WritableByteChannel channel = broken.get()) {
      channel.write(ByteBuffer.allocate(1));
      return Optional.empty();
    } catch (IOException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  private static Optional<Pipe.SinkChannel> brokenPipe() throws IOException {
    Pipe pipe = Pipe.open();
    pipe.source().close();
    pipe.sink().configureBlocking(false);
    return Optional.of(pipe.sink());
  }

  private static Optional<SocketChannel> reset() throws IOException {
    var anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (var listener = ServerSocketChannel.open().bind(anywhere);
        SocketChannel client = SocketChannel.open()) {
      listener.configureBlocking(false);
      client.configureBlocking(false);
      boolean connected = client.connect(listener.getLocalAddress());
      SocketChannel server = null;
      for (int i = 0; i < MOST_TRIES && (!connected || server == null); i++) {
        connected = connected || client.finishConnect();
        server = server == null ? listener.accept() : server;
      }
      if (server == null) {
        return Optional.empty();
      }
      server.configureBlocking(false);
      client.setOption(StandardSocketOptions.SO_LINGER, 0);
      return Optional.of(server); // the client's end resets it, and over loopback that arrives
    }
  }
}
