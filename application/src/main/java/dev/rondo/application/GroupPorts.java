package dev.rondo.application;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashMap;
import java.util.Map;

/// The ports that the loops of a group share. Any thread.
final class GroupPorts {

  /// Listens on an address.
  @FunctionalInterface
  interface Opener {
    LoopListener open(InetSocketAddress address) throws IOException;
  }

  /// Identifies one of the times that a loop listens on any free port of an interface.
  private record AnyPort(InetAddress address, int ordinal) {}

  private final AcceptSharing sharing;
  private final AcceptorLoop acceptor;

  /// The port that the first loop has found, for the other loops. Guarded by this.
  private final Map<AnyPort, InetSocketAddress> found = new HashMap<>();

  GroupPorts(AcceptSharing sharing, AcceptorLoop acceptor) {
    this.sharing = sharing;
    this.acceptor = acceptor;
  }

  AcceptorLoop acceptor() {
    return acceptor;
  }

  /// Listens on the free port that the first loop found when it listened for the same time.
  synchronized LoopListener listenOnAny(InetSocketAddress address, int ordinal, Opener opener)
      throws IOException {
    var key = new AnyPort(address.getAddress(), ordinal);
    LoopListener listener = opener.open(found.getOrDefault(key, address));
    found.put(key, listener.localAddress());
    return listener;
  }

  boolean isDealt(SelectorProvider provider) {
    return switch (sharing) {
      case DEALT -> true;
      case REUSE_PORT -> false;
      case AUTOMATIC -> !spreads(provider);
    };
  }

  /// Whether the system spreads connections over the sockets that share a port. Systems other than
  /// Linux give all connections to one socket. A simulated system does as Linux does.
  private static boolean spreads(SelectorProvider provider) {
    if (provider == SelectorProvider.provider()
        && !System.getProperty("os.name", "").startsWith("Linux")) {
      return false;
    }
    try (ServerSocketChannel probe = provider.openServerSocketChannel()) {
      return probe.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
