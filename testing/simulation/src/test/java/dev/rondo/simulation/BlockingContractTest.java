package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Channels in blocking mode, their sockets, and options. All runs on one thread: what an operation
/// waits for is on its way already.
final class BlockingContractTest extends SocketContract {

  private Pair blockingPair() throws IOException {
    Pair pair = pair();
    pair.client().configureBlocking(true);
    pair.server().configureBlocking(true);
    return pair;
  }

  // Blocking mode.

  @Test
  void connect_blocking_returnsConnected() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel client = closing(provider.openSocketChannel());
    assertTrue(client.connect(listener.getLocalAddress()));
    assertTrue(client.isConnected());
  }

  @Test
  void connect_blockingRefused_failsAndCloses() throws IOException {
    SocketChannel client = closing(provider.openSocketChannel());
    var address = unused();
    assertThrows(ConnectException.class, () -> client.connect(address));
    assertFalse(client.isOpen());
  }

  @Test
  void accept_blocking_returnsTheConnection() throws IOException {
    ServerSocketChannel listener = listener();
    listener.configureBlocking(true);
    SocketChannel client = closing(provider.openSocketChannel());
    client.connect(listener.getLocalAddress());
    SocketChannel accepted = closing(listener.accept());
    assertEquals(client.getLocalAddress(), accepted.getRemoteAddress());
  }

  @Test
  void read_blocking_returnsWhatArrives() throws IOException {
    Pair pair = blockingPair();
    pair.client().write(bytes("abc"));
    ByteBuffer target = ByteBuffer.allocate(10);
    assertEquals(3, pair.server().read(target));
    assertEquals("abc", text(target));
  }

  @Test
  void read_blockingPeerClosed_returnsTheEnd() throws IOException {
    Pair pair = blockingPair();
    pair.client().close();
    assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
  }

  @Test
  void write_blocking_takesAll() throws IOException {
    Pair pair = blockingPair();
    assertEquals(2_000, pair.client().write(ByteBuffer.allocate(2_000)));
  }

  @Test
  void read_blockingInterrupted_closesTheChannel() throws IOException {
    Pair pair = blockingPair();
    Thread.currentThread().interrupt();
    assertThrows(
        ClosedByInterruptException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
    assertTrue(Thread.interrupted());
    assertFalse(pair.client().isOpen());
  }

  @Test
  void read_nonBlockingInterrupted_ignoresIt() throws IOException {
    Pair pair = pair();
    Thread.currentThread().interrupt();
    assertEquals(0, pair.client().read(ByteBuffer.allocate(1)));
    assertTrue(Thread.interrupted());
    assertTrue(pair.client().isOpen());
  }

  // Sockets.

  @Test
  void socket_isOfItsChannel() throws IOException {
    SocketChannel client = socket();
    assertSame(client.socket(), client.socket());
    assertSame(client, client.socket().getChannel());
    ServerSocketChannel listener = listener();
    assertSame(listener, listener.socket().getChannel());
  }

  @Test
  void socket_new_hasNoAddresses() throws IOException {
    Socket socket = closing(provider.openSocketChannel()).socket();
    assertFalse(socket.isBound());
    assertFalse(socket.isConnected());
    assertFalse(socket.isClosed());
    assertNull(socket.getInetAddress());
    assertNull(socket.getRemoteSocketAddress());
    assertNull(socket.getLocalSocketAddress());
    assertEquals(0, socket.getPort());
    assertEquals(-1, socket.getLocalPort());
    assertTrue(socket.getLocalAddress().isAnyLocalAddress());
  }

  @Test
  void socket_connected_hasTheChannelsAddresses() throws IOException {
    SocketChannel client = pair().client();
    Socket socket = client.socket();
    assertTrue(socket.isBound());
    assertTrue(socket.isConnected());
    assertEquals(client.getLocalAddress(), socket.getLocalSocketAddress());
    assertEquals(client.getRemoteAddress(), socket.getRemoteSocketAddress());
    assertTrue(socket.getInetAddress().isLoopbackAddress());
    assertTrue(socket.getPort() > 0);
    assertTrue(socket.getLocalPort() > 0);
  }

  @Test
  void socket_streams_carryBytes() throws IOException {
    Pair pair = blockingPair();
    pair.client().socket().getOutputStream().write(bytes("text").array());
    byte[] read = pair.server().socket().getInputStream().readNBytes(4);
    assertEquals("text", new String(read, StandardCharsets.UTF_8));
  }

  @Test
  void socket_inputOfClosedPeer_ends() throws IOException {
    Pair pair = blockingPair();
    pair.client().socket().close();
    assertEquals(-1, pair.server().socket().getInputStream().read());
  }

  @Test
  void socket_streamsNotConnected_areRefused() throws IOException {
    Socket socket = closing(provider.openSocketChannel()).socket();
    assertThrows(SocketException.class, socket::getInputStream);
    assertThrows(SocketException.class, socket::getOutputStream);
  }

  @Test
  void socket_readOfNonBlockingChannel_isRefused() throws IOException {
    var input = pair().client().socket().getInputStream();
    assertThrows(IllegalBlockingModeException.class, input::read);
  }

  @Test
  void socket_readTimeout_throws() throws IOException {
    Socket socket = blockingPair().client().socket();
    socket.setSoTimeout(1);
    assertEquals(1, socket.getSoTimeout());
    var input = socket.getInputStream();
    assertThrows(SocketTimeoutException.class, input::read);
    assertFalse(socket.isClosed());
  }

  @Test
  void socket_acceptTimeout_throws() throws IOException {
    ServerSocketChannel listener = listener();
    listener.configureBlocking(true);
    ServerSocket socket = listener.socket();
    socket.setSoTimeout(1);
    assertThrows(SocketTimeoutException.class, socket::accept);
  }

  @Test
  void socket_connectWithTimeout_connects() throws IOException {
    ServerSocketChannel listener = listener();
    Socket socket = closing(provider.openSocketChannel()).socket();
    socket.connect(listener.getLocalAddress(), 5_000);
    assertTrue(socket.isConnected());
  }

  @Test
  void socket_halfClosed_saysSo() throws IOException {
    Socket socket = pair().client().socket();
    assertFalse(socket.isInputShutdown());
    assertFalse(socket.isOutputShutdown());
    socket.shutdownInput();
    socket.shutdownOutput();
    assertTrue(socket.isInputShutdown());
    assertTrue(socket.isOutputShutdown());
  }

  @Test
  void socket_closed_closesTheChannel() throws IOException {
    SocketChannel client = pair().client();
    client.socket().close();
    assertFalse(client.isOpen());
    assertTrue(client.socket().isClosed());
    assertThrows(SocketException.class, () -> client.socket().setTcpNoDelay(true));
  }

  @Test
  void serverSocket_bindAndAccept() throws IOException {
    ServerSocketChannel listener = closing(provider.openServerSocketChannel());
    ServerSocket socket = listener.socket();
    assertFalse(socket.isBound());
    assertEquals(-1, socket.getLocalPort());
    socket.bind(loopback(0), 5);
    assertTrue(socket.isBound());
    assertEquals(listener.getLocalAddress(), socket.getLocalSocketAddress());
    SocketChannel client = closing(provider.openSocketChannel());
    client.connect(listener.getLocalAddress());
    try (Socket accepted = socket.accept()) {
      assertEquals(client.getLocalAddress(), accepted.getRemoteSocketAddress());
      assertNotNull(accepted.getChannel());
    }
  }

  // Options.

  @Test
  void options_socket_haveTheDefaultsOfLinux() throws IOException {
    SocketChannel client = socket();
    assertEquals(false, client.getOption(StandardSocketOptions.TCP_NODELAY));
    assertEquals(false, client.getOption(StandardSocketOptions.SO_KEEPALIVE));
    assertEquals(false, client.getOption(StandardSocketOptions.SO_REUSEADDR));
    assertEquals(-1, client.getOption(StandardSocketOptions.SO_LINGER));
    assertEquals(0, client.getOption(StandardSocketOptions.IP_TOS));
    assertTrue(client.getOption(StandardSocketOptions.SO_SNDBUF) > 0);
    assertTrue(client.getOption(StandardSocketOptions.SO_RCVBUF) > 0);
  }

  @Test
  void options_listener_reusesAddresses() throws IOException {
    ServerSocketChannel listener = closing(provider.openServerSocketChannel());
    assertEquals(true, listener.getOption(StandardSocketOptions.SO_REUSEADDR));
    assertEquals(false, listener.getOption(StandardSocketOptions.SO_REUSEPORT));
  }

  @Test
  void options_set_areKept() throws IOException {
    SocketChannel client = socket();
    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
    client.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    client.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    client.setOption(StandardSocketOptions.SO_LINGER, 7);
    assertEquals(true, client.getOption(StandardSocketOptions.TCP_NODELAY));
    assertEquals(true, client.getOption(StandardSocketOptions.SO_KEEPALIVE));
    assertEquals(true, client.getOption(StandardSocketOptions.SO_REUSEADDR));
    assertEquals(7, client.getOption(StandardSocketOptions.SO_LINGER));
  }

  @Test
  void options_bufferSizes_areAtLeastWhatWasAsked() throws IOException {
    SocketChannel client = socket();
    client.setOption(StandardSocketOptions.SO_SNDBUF, 20_000);
    client.setOption(StandardSocketOptions.SO_RCVBUF, 30_000);
    assertTrue(client.getOption(StandardSocketOptions.SO_SNDBUF) >= 20_000);
    assertTrue(client.getOption(StandardSocketOptions.SO_RCVBUF) >= 30_000);
  }

  @Test
  void options_unknown_areRefused() throws IOException {
    SocketChannel client = socket();
    assertThrows(
        UnsupportedOperationException.class,
        () -> client.setOption(StandardSocketOptions.SO_BROADCAST, true));
    assertThrows(
        UnsupportedOperationException.class,
        () -> client.getOption(StandardSocketOptions.IP_MULTICAST_TTL));
  }

  @Test
  void options_badValues_areRefused() throws IOException {
    SocketChannel client = socket();
    assertThrows(
        IllegalArgumentException.class,
        () -> client.setOption(StandardSocketOptions.SO_SNDBUF, -1));
    assertThrows(
        IllegalArgumentException.class,
        () -> client.setOption(StandardSocketOptions.TCP_NODELAY, null));
    assertThrows(NullPointerException.class, () -> client.setOption(null, true));
  }

  @Test
  void options_closed_throwClosed() throws IOException {
    SocketChannel client = socket();
    client.close();
    assertThrows(
        ClosedChannelException.class,
        () -> client.setOption(StandardSocketOptions.TCP_NODELAY, true));
    assertThrows(
        ClosedChannelException.class, () -> client.getOption(StandardSocketOptions.TCP_NODELAY));
  }

  @Test
  void options_supported_nameTheStandardOnes() throws IOException {
    assertTrue(socket().supportedOptions().contains(StandardSocketOptions.SO_LINGER));
    assertFalse(socket().supportedOptions().contains(StandardSocketOptions.SO_BROADCAST));
    assertTrue(
        closing(provider.openServerSocketChannel())
            .supportedOptions()
            .contains(StandardSocketOptions.SO_REUSEPORT));
  }

  @Test
  void options_ofSocketAdaptor_areTheChannels() throws IOException {
    SocketChannel client = socket();
    client.socket().setTcpNoDelay(true);
    client.socket().setSoLinger(true, 3);
    client.socket().setKeepAlive(true);
    assertEquals(true, client.getOption(StandardSocketOptions.TCP_NODELAY));
    assertEquals(3, client.getOption(StandardSocketOptions.SO_LINGER));
    assertTrue(client.socket().getKeepAlive());
    client.socket().setSoLinger(false, 0);
    assertEquals(-1, client.socket().getSoLinger());
  }
}
