package dev.rondo.benchmarks.servers;

import dev.rondo.io.internal.linux.Epoll;
import dev.rondo.io.internal.linux.EpollSelector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Function;

/// The limit for servers in Java: a selector loop on one thread, with the selector and channels of
/// the JDK or of Rondo's EPOLL transport.
public final class BareServer {

  static final int BACKLOG = 1_024;

  private BareServer() {}

  /// Handles the input of a connection.
  @FunctionalInterface
  interface Conversation {

    /// {@return whether the connection stays open}
    boolean onReadable() throws IOException;
  }

  /// Makes the handler of a connection.
  @FunctionalInterface
  interface Protocol {
    Conversation begin(ByteChannel connection);
  }

  static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /// Serves until the process ends.
  static void serve(Protocol protocol) throws IOException {
    serve(Selector.open(), protocol::begin);
  }

  /// Serves on the EPOLL transport until the process ends.
  static void serveOnEpoll(Protocol protocol) throws IOException {
    EpollSelector selector = Epoll.open();
    serve(selector, connection -> protocol.begin(selector.stream(connection)));
  }

  @SuppressWarnings("InfiniteLoopStatement")
  private static void serve(Selector selector, Function<SocketChannel, Conversation> protocol)
      throws IOException {
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
      return false; // the client has left
    }
  }

  private static void close(SelectionKey key) {
    try {
      key.channel().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void accept(
      ServerSocketChannel listener,
      Selector selector,
      Function<SocketChannel, Conversation> protocol) {
    try {
      SocketChannel connection = listener.accept();
      connection.configureBlocking(false);
      connection.setOption(StandardSocketOptions.TCP_NODELAY, true);
      connection.register(selector, SelectionKey.OP_READ, protocol.apply(connection));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
