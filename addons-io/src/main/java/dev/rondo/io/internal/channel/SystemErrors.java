package dev.rondo.io.internal.channel;

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

/// The texts of this system, in its language, for a broken connection (`EPIPE`, `ECONNRESET`).
///
/// The JDK reports a failed write by a plain `IOException` with the text of `strerror`, which the C
/// library translates. So such failures are provoked once, and their texts kept. That never blocks,
/// and it does not happen in a class initializer: a virtual thread that waits in one keeps its
/// carrier, and on a machine with one processor it would wait forever.
final class SystemErrors {

  /// Over loopback everything arrives at once.
  private static final int MAX_TRIES = 1_000;

  /// Null until learned. Written by any loop, always with the same texts.
  private static volatile @Nullable Set<String> ofResets;

  /// The same for `EPIPE` alone.
  private static volatile @Nullable Set<String> ofBrokenPipes;

  private SystemErrors() {}

  /// Creates a channel to which a write must fail.
  @FunctionalInterface
  interface Provocation {
    /// {@return the channel; empty if it could not be created}
    Optional<? extends WritableByteChannel> broken() throws IOException;
  }

  /// {@return the texts} The first call learns them, which takes some 100 us and three descriptors
  /// for a moment. If the system has no descriptors left, there are no texts, and the next call
  /// tries again.
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

  /// {@return the texts for a write after the peer has ended its stream} As [#ofResets()].
  static Set<String> ofBrokenPipes() {
    Set<String> known = ofBrokenPipes;
    if (known == null) {
      known = learned(SystemErrors::brokenPipe);
      if (!known.isEmpty()) {
        ofBrokenPipes = known;
      }
    }
    return known;
  }

  /// {@return the texts of the failures; none if one could not be provoked}
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
      return Optional.empty(); // a failure of the provocation itself
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
      for (int i = 0; i < MAX_TRIES && (!connected || server == null); i++) {
        connected = connected || client.finishConnect();
        server = server == null ? listener.accept() : server;
      }
      if (server == null) {
        return Optional.empty();
      }
      server.configureBlocking(false);
      client.setOption(StandardSocketOptions.SO_LINGER, 0);
      return Optional.of(
          server); // closing the client resets it, which arrives at once over loopback
    }
  }
}
