package dev.rondo.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/// The limit of servers in Java: a selector loop on one thread.
final class BareServer {

  static final int BACKLOG = 1_024;

  private BareServer() {}

  /// What is to be done when a connection can be read.
  @FunctionalInterface
  interface Conversation {

    /// {@return whether it goes on}
    boolean onReadable() throws IOException;
  }

  /// Makes a conversation of a connection.
  @FunctionalInterface
  interface Protocol {
    Conversation begin(SocketChannel connection);
  }

  static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /// Serves until the process ends.
  @SuppressWarnings("InfiniteLoopStatement")
  static void serve(Protocol protocol) throws IOException {
    var selector = Selector.open();
    var listener = ServerSocketChannel.open().bind(loopback(), BACKLOG);
    listener.configureBlocking(false);
    listener.register(selector, SelectionKey.OP_ACCEPT);
    ServerProcess.tell(listener.socket().getLocalPort());
    while (true) {
      selector.select(key -> {
        if (key.attachment() instanceof Conversation conversation) {
          if (!goesOn(conversation)) {
            close(key);
          }
        } else {
          accept(listener, selector, protocol);
        }
      });
    }
  }

  private static boolean goesOn(Conversation conversation) {
    try {
      return conversation.onReadable();
    } catch (IOException e) {
      return false; // the client has gone
    }
  }

  private static void close(SelectionKey key) {
    try {
      key.channel().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void accept(ServerSocketChannel listener, Selector selector, Protocol protocol) {
    try {
      SocketChannel connection = listener.accept();
      connection.configureBlocking(false);
      connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
      connection.register(selector, SelectionKey.OP_READ, protocol.begin(connection));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
