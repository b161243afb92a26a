package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.junit.jupiter.api.Test;

/// Binding, connecting and accepting.
final class ConnectContractTest extends SocketContract {

  // Connecting.

  @Test
  void connect_toListener_completes() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel client = socket();
    if (!client.connect(listener.getLocalAddress())) {
      assertEquals(CONNECT, await(client, CONNECT));
    }
    assertTrue(client.finishConnect());
    assertTrue(client.isConnected());
    assertFalse(client.isConnectionPending());
  }

  @Test
  void connect_pending_saysSo() throws IOException {
    SocketChannel client = socket();
    if (!client.connect(listener().getLocalAddress())) {
      assertTrue(client.isConnectionPending());
      assertFalse(client.isConnected());
    }
  }

  @Test
  void connect_pending_readAndWriteAreRefused() throws IOException {
    SocketChannel client = socket();
    if (!client.connect(listener().getLocalAddress())) {
      assertThrows(NotYetConnectedException.class, () -> client.read(ByteBuffer.allocate(1)));
      assertThrows(NotYetConnectedException.class, () -> client.write(ByteBuffer.allocate(1)));
    }
  }

  @Test
  void connect_pending_secondIsRefused() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel client = socket();
    if (!client.connect(listener.getLocalAddress())) {
      assertThrows(
          ConnectionPendingException.class, () -> client.connect(listener.getLocalAddress()));
    }
  }

  @Test
  void connect_connected_isRefused() throws IOException {
    ServerSocketChannel listener = listener();
    Pair pair = pair(listener);
    assertThrows(
        AlreadyConnectedException.class, () -> pair.client().connect(listener.getLocalAddress()));
  }

  @Test
  void finishConnect_connected_returnsTrueAgain() throws IOException {
    assertTrue(pair().client().finishConnect());
  }

  @Test
  void finishConnect_neverConnected_isRefused() throws IOException {
    SocketChannel client = socket();
    assertThrows(NoConnectionPendingException.class, client::finishConnect);
  }

  @Test
  void connect_nobodyListens_failsAndCloses() throws IOException {
    SocketChannel client = socket();
    client.connect(unused());
    await(client, CONNECT);
    var refused = assertThrows(ConnectException.class, client::finishConnect);
    assertEquals("Connection refused", refused.getMessage());
    assertFalse(client.isOpen());
  }

  @Test
  void connect_closed_throwsClosed() throws IOException {
    SocketChannel client = socket();
    client.close();
    assertThrows(ClosedChannelException.class, () -> client.connect(loopback(1)));
  }

  @Test
  void connect_unresolved_isRefused() throws IOException {
    SocketChannel client = socket();
    assertThrows(
        UnresolvedAddressException.class,
        () -> client.connect(InetSocketAddress.createUnresolved("nowhere.invalid", 1)));
  }

  @Test
  void connect_otherFamily_isRefused() throws IOException {
    SocketChannel client = socket();
    assertThrows(
        UnsupportedAddressTypeException.class,
        () -> client.connect(UnixDomainSocketAddress.of("/tmp/none")));
  }

  @Test
  void connect_wildcard_isThisHost() throws IOException {
    ServerSocketChannel listener = closing(provider.openServerSocketChannel());
    listener.bind(new InetSocketAddress(0));
    listener.configureBlocking(false);
    SocketChannel client = socket();
    client.connect(new InetSocketAddress(addressOf(listener).getPort()));
    accept(listener);
    await(client, CONNECT);
    assertTrue(client.finishConnect());
  }

  @Test
  void addresses_connected_mirrorEachOther() throws IOException {
    Pair pair = pair();
    assertEquals(pair.client().getLocalAddress(), pair.server().getRemoteAddress());
    assertEquals(pair.server().getLocalAddress(), pair.client().getRemoteAddress());
  }

  @Test
  void addresses_new_areNull() throws IOException {
    SocketChannel client = socket();
    assertNull(client.getLocalAddress());
    assertNull(client.getRemoteAddress());
  }

  @Test
  void addresses_closed_throwClosed() throws IOException {
    SocketChannel client = pair().client();
    client.close();
    assertThrows(ClosedChannelException.class, client::getLocalAddress);
    assertThrows(ClosedChannelException.class, client::getRemoteAddress);
  }

  @Test
  void localPort_connected_isEphemeral() throws IOException {
    var local = (InetSocketAddress) pair().client().getLocalAddress();
    assertTrue(local.getPort() >= 1024);
    assertTrue(local.getAddress().isLoopbackAddress());
  }

  @Test
  void localPorts_twoClients_differ() throws IOException {
    ServerSocketChannel listener = listener();
    assertNotEquals(
        pair(listener).client().getLocalAddress(), pair(listener).client().getLocalAddress());
  }

  @Test
  void bind_client_keepsPort() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel client = socket();
    client.bind(loopback(0));
    var bound = client.getLocalAddress();
    Pair pair = connected(client, listener);
    assertEquals(bound, pair.server().getRemoteAddress());
  }

  @Test
  void bind_clientTwice_isRefused() throws IOException {
    SocketChannel client = socket();
    client.bind(loopback(0));
    assertThrows(AlreadyBoundException.class, () -> client.bind(loopback(0)));
  }

  @Test
  void bind_clientToPortInUse_fails() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel client = socket();
    var inUse = assertThrows(BindException.class, () -> client.bind(listener.getLocalAddress()));
    assertEquals("Address already in use", inUse.getMessage());
  }

  @Test
  void connect_otherLoopbackAddress_comesFromThere() throws IOException {
    ServerSocketChannel listener = closing(provider.openServerSocketChannel());
    listener.configureBlocking(false);
    listener.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 0));
    Pair pair = pair(listener);
    assertEquals(
        InetAddress.ofLiteral("127.0.0.2"),
        ((InetSocketAddress) pair.server().getLocalAddress()).getAddress());
  }

  // Listening.

  @Test
  void bind_portZero_getsAPort() throws IOException {
    assertTrue(addressOf(listener()).getPort() > 0);
  }

  @Test
  void bind_null_isEveryAddress() throws IOException {
    ServerSocketChannel listener = closing(provider.openServerSocketChannel());
    listener.bind(null);
    assertTrue(addressOf(listener).getAddress().isAnyLocalAddress());
    assertTrue(addressOf(listener).getPort() > 0);
  }

  @Test
  void bind_samePort_isInUse() throws IOException {
    ServerSocketChannel first = listener();
    ServerSocketChannel second = closing(provider.openServerSocketChannel());
    var inUse = assertThrows(BindException.class, () -> second.bind(first.getLocalAddress()));
    assertEquals("Address already in use", inUse.getMessage());
    assertTrue(second.isOpen());
  }

  @Test
  void bind_wildcardOverLoopback_isInUse() throws IOException {
    int port = addressOf(listener()).getPort();
    ServerSocketChannel second = closing(provider.openServerSocketChannel());
    assertThrows(BindException.class, () -> second.bind(new InetSocketAddress(port)));
  }

  @Test
  void bind_samePortOfOtherAddress_works() throws IOException {
    int port = addressOf(listener()).getPort();
    ServerSocketChannel second = closing(provider.openServerSocketChannel());
    second.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), port));
    assertEquals(port, addressOf(second).getPort());
  }

  @Test
  void bind_afterClose_works() throws IOException {
    ServerSocketChannel first = listener();
    var address = first.getLocalAddress();
    first.close();
    ServerSocketChannel second = closing(provider.openServerSocketChannel());
    second.bind(address);
    assertEquals(address, second.getLocalAddress());
  }

  @Test
  void bind_connectionOfEarlierListenerOpen_worksWithReuse() throws IOException {
    ServerSocketChannel first = listener();
    var address = first.getLocalAddress();
    Pair pair = pair(first);
    first.close();
    ServerSocketChannel second = closing(provider.openServerSocketChannel());
    second.bind(address); // the JDK sets SO_REUSEADDR on listeners by default
    assertTrue(pair.server().isConnected());
  }

  @Test
  void bind_connectionOfEarlierListenerOpen_isInUseWithoutReuse() throws IOException {
    ServerSocketChannel first = listener();
    var address = first.getLocalAddress();
    Pair pair = pair(first);
    first.close();
    ServerSocketChannel second = closing(provider.openServerSocketChannel());
    second.setOption(java.net.StandardSocketOptions.SO_REUSEADDR, false);
    assertThrows(BindException.class, () -> second.bind(address));
    assertTrue(pair.server().isConnected());
  }

  @Test
  void bind_reusePort_sharesThePort() throws IOException {
    ServerSocketChannel first = closing(provider.openServerSocketChannel());
    first.setOption(java.net.StandardSocketOptions.SO_REUSEPORT, true);
    first.bind(loopback(0));
    ServerSocketChannel second = closing(provider.openServerSocketChannel());
    second.setOption(java.net.StandardSocketOptions.SO_REUSEPORT, true);
    second.bind(first.getLocalAddress());
    assertEquals(first.getLocalAddress(), second.getLocalAddress());
  }

  @Test
  void bind_foreignAddress_isNotAvailable() throws IOException {
    ServerSocketChannel listener = closing(provider.openServerSocketChannel());
    var foreign = new InetSocketAddress(InetAddress.ofLiteral("203.0.113.1"), 0);
    var failure = assertThrows(BindException.class, () -> listener.bind(foreign));
    assertEquals("Cannot assign requested address", failure.getMessage());
  }

  @Test
  void bind_twice_isRefused() throws IOException {
    ServerSocketChannel listener = listener();
    assertThrows(AlreadyBoundException.class, () -> listener.bind(loopback(0)));
  }

  @Test
  void accept_notBound_isRefused() throws IOException {
    ServerSocketChannel listener = closing(provider.openServerSocketChannel());
    listener.configureBlocking(false);
    assertThrows(NotYetBoundException.class, listener::accept);
  }

  @Test
  void accept_noPeer_returnsNull() throws IOException {
    assertNull(listener().accept());
  }

  @Test
  void accept_closed_throwsClosed() throws IOException {
    ServerSocketChannel listener = listener();
    listener.close();
    assertThrows(ClosedChannelException.class, listener::accept);
  }

  @Test
  void accept_peer_isInBlockingModeAndConnected() throws IOException {
    ServerSocketChannel listener = listener();
    socket().connect(listener.getLocalAddress());
    await(listener, ACCEPT);
    SocketChannel accepted = closing(listener.accept());
    assertTrue(accepted.isBlocking());
    assertTrue(accepted.isConnected());
  }

  @Test
  void accept_severalPeers_inTheirOrder() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel[] clients = {socket(), socket(), socket()};
    for (SocketChannel client : clients) {
      client.connect(listener.getLocalAddress());
      await(client, CONNECT);
      assertTrue(client.finishConnect());
    }
    for (SocketChannel client : clients) {
      assertEquals(client.getLocalAddress(), accept(listener).getRemoteAddress());
    }
  }

  @Test
  void connect_beforeAccept_completesAndWrites() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel client = socket();
    client.connect(listener.getLocalAddress());
    await(client, CONNECT);
    assertTrue(client.finishConnect());
    assertEquals(5, client.write(bytes("early")));
    assertEquals("early", read(accept(listener), 5));
  }

  @Test
  void backlog_full_nextStaysPending() throws IOException {
    ServerSocketChannel listener = listener(1);
    for (int i = 0; i < 2; i++) {
      SocketChannel client = socket();
      client.connect(listener.getLocalAddress());
      await(client, CONNECT);
      assertTrue(client.finishConnect());
    }
    SocketChannel third = socket();
    third.connect(listener.getLocalAddress());
    assertEquals(0, readyNow(third, CONNECT));
    assertFalse(third.finishConnect());
  }

  @Test
  void backlog_acceptedAgain_pendingCompletes() throws IOException {
    ServerSocketChannel listener = listener(1);
    SocketChannel[] clients = {socket(), socket(), socket()};
    for (SocketChannel client : clients) {
      client.connect(listener.getLocalAddress());
    }
    accept(listener);
    accept(listener);
    await(clients[2], CONNECT); // about a second later, when it tries again
    assertTrue(clients[2].finishConnect());
  }

  @Test
  void listenerClosed_waitingPeer_isReset() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel client = socket();
    client.connect(listener.getLocalAddress());
    await(client, CONNECT);
    assertTrue(client.finishConnect());
    listener.close();
    await(client, READ);
    var failure = assertThrows(IOException.class, () -> client.read(ByteBuffer.allocate(1)));
    assertEquals("Connection reset", failure.getMessage());
  }

  @Test
  void peerReset_beforeAccept_isAcceptedAllTheSame() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel client = socket();
    client.connect(listener.getLocalAddress());
    await(client, CONNECT);
    assertTrue(client.finishConnect());
    reset(client);
    SocketChannel accepted = accept(listener);
    await(accepted, READ);
    assertThrows(IOException.class, () -> accepted.read(ByteBuffer.allocate(1)));
  }

  @Test
  void clientClosed_whilePending_isNotAccepted() throws IOException {
    SocketChannel client = socket();
    ServerSocketChannel listener = listener();
    client.connect(listener.getLocalAddress());
    client.close();
    assertFalse(client.isConnectionPending() && client.isOpen());
  }

  @Test
  void connect_toItself_connects() throws IOException {
    SocketChannel channel = socket();
    channel.bind(loopback(0));
    if (!channel.connect(channel.getLocalAddress())) {
      await(channel, CONNECT);
      assertTrue(channel.finishConnect());
    }
    channel.write(bytes("echo"));
    assertEquals("echo", read(channel, 4));
  }
}
