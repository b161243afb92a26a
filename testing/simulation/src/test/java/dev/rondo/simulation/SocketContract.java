package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What sockets do, on the kernel's loopback and in the simulation: each subclass runs against
/// both. No test sleeps or spins: what takes time is awaited by a selector.
@ParameterizedClass(name = "{0}")
@EnumSource(SocketSystem.class)
abstract class SocketContract {

  /// Far more than any of this takes.
  private static final long MILLIS = 10_000;

  static final int READ = SelectionKey.OP_READ;
  static final int WRITE = SelectionKey.OP_WRITE;
  static final int CONNECT = SelectionKey.OP_CONNECT;
  static final int ACCEPT = SelectionKey.OP_ACCEPT;

  @Parameter SocketSystem system;

  SelectorProvider provider;
  private final Deque<Closeable> opened = new ArrayDeque<>();

  @BeforeEach
  void open() {
    provider = system.provider();
  }

  @AfterEach
  void closeAll() throws IOException {
    for (Closeable each : opened) {
      each.close();
    }
  }

  /// Two ends of a connection, both in non-blocking mode.
  record Pair(SocketChannel client, SocketChannel server) {}

  <C extends Closeable> C closing(C channel) {
    opened.push(channel);
    return channel;
  }

  // Opening.

  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  Selector selector() throws IOException {
    return closing(provider.openSelector());
  }

  SocketChannel socket() throws IOException {
    SocketChannel made = closing(provider.openSocketChannel());
    made.configureBlocking(false);
    return made;
  }

  ServerSocketChannel listener() throws IOException {
    return listener(0);
  }

  ServerSocketChannel listener(int backlog) throws IOException {
    ServerSocketChannel made = closing(provider.openServerSocketChannel());
    made.configureBlocking(false);
    made.bind(loopback(0), backlog);
    return made;
  }

  static InetSocketAddress addressOf(ServerSocketChannel listener) throws IOException {
    return (InetSocketAddress) listener.getLocalAddress();
  }

  /// An address on which nothing listens.
  InetSocketAddress unused() throws IOException {
    try (ServerSocketChannel listener = provider.openServerSocketChannel()) {
      return addressOf(listener.bind(loopback(0)));
    }
  }

  Pair pair() throws IOException {
    ServerSocketChannel listener = listener();
    Pair made = pair(listener);
    listener.close();
    return made;
  }

  Pair pair(ServerSocketChannel listener) throws IOException {
    return connected(socket(), listener);
  }

  Pair connected(SocketChannel client, ServerSocketChannel listener) throws IOException {
    if (!client.connect(listener.getLocalAddress())) {
      await(client, CONNECT);
      assertTrue(client.finishConnect());
    }
    return new Pair(client, accept(listener));
  }

  SocketChannel accept(ServerSocketChannel listener) throws IOException {
    await(listener, ACCEPT);
    SocketChannel accepted = closing(listener.accept());
    accepted.configureBlocking(false);
    return accepted;
  }

  DatagramChannel datagrams() throws IOException {
    DatagramChannel made = closing(provider.openDatagramChannel());
    made.configureBlocking(false);
    return made.bind(loopback(0));
  }

  static InetSocketAddress addressOf(DatagramChannel channel) throws IOException {
    return (InetSocketAddress) channel.getLocalAddress();
  }

  Pipe pipe() throws IOException {
    Pipe made = provider.openPipe();
    closing(made.sink()).configureBlocking(false);
    closing(made.source()).configureBlocking(false);
    return made;
  }

  // Waiting.

  /// Waits until a channel is ready for one of these operations.
  ///
  /// @return for which ones
  int await(SelectableChannel channel, int operations) throws IOException {
    try (Selector selector = provider.openSelector()) {
      SelectionKey key = channel.register(selector, operations);
      assertNotEquals(0, selector.select(MILLIS), () -> channel + " is not ready");
      return key.readyOps();
    }
  }

  /// {@return for which of these operations a channel is ready now}
  int readyNow(SelectableChannel channel, int operations) throws IOException {
    try (Selector selector = provider.openSelector()) {
      SelectionKey key = channel.register(selector, operations);
      return selector.selectNow() == 0 ? 0 : key.readyOps();
    }
  }

  // Bytes.

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(ByteBuffer read) {
    return StandardCharsets.UTF_8.decode(read.flip()).toString();
  }

  /// Reads this many bytes.
  <C extends SelectableChannel & ReadableByteChannel> String read(C channel, int count)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(count);
    while (buffer.hasRemaining()) {
      await(channel, READ);
      assertNotEquals(-1, channel.read(buffer), "the end");
    }
    return text(buffer);
  }

  /// Reads to the end.
  ///
  /// @return how many bytes
  <C extends SelectableChannel & ReadableByteChannel> long readToEnd(C channel) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(100_000);
    long total = 0;
    for (int count = 0; count >= 0; count = channel.read(buffer.clear())) {
      total += count;
      if (count == 0) {
        await(channel, READ);
      }
    }
    return total;
  }

  void assertEnd(SocketChannel channel) throws IOException {
    await(channel, READ);
    assertEquals(-1, channel.read(ByteBuffer.allocate(1)));
  }

  /// Writes until there is no room, with small buffers.
  ///
  /// @return how many bytes
  static long fill(Pair pair) throws IOException {
    pair.server().setOption(StandardSocketOptions.SO_RCVBUF, 16_384);
    pair.client().setOption(StandardSocketOptions.SO_SNDBUF, 16_384);
    ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
    long total = 0;
    int count;
    while ((count = pair.client().write(buffer.clear())) > 0) {
      total += count;
    }
    return total;
  }

  /// Makes the peer of a channel reset the connection.
  static void reset(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    channel.close();
  }
}
