package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What the kernel's loopback cannot show: several hosts, virtual time, limits and wrong use.
final class SimulatedNetworkTest {

  private static final int PORT = 80;

  private final SimulatedNetwork network = new SimulatedNetwork();
  private final SimulatedHost server = network.host("server", "10.0.0.1");
  private final SimulatedHost client = network.host("client", "10.0.0.2");

  private static InetSocketAddress at(String address, int port) {
    return new InetSocketAddress(InetAddress.ofLiteral(address), port);
  }

  private ServerSocketChannel listener() throws IOException {
    return server.provider().openServerSocketChannel().bind(at("10.0.0.1", PORT));
  }

  // Hosts.

  @Test
  void connect_otherHost_comesFromTheHostsAddress() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel channel = client.provider().openSocketChannel();
    channel.connect(at("10.0.0.1", PORT));
    var peer = (InetSocketAddress) listener.accept().getRemoteAddress();
    assertEquals(InetAddress.ofLiteral("10.0.0.2"), peer.getAddress());
  }

  @Test
  void loopback_isOfEachHostAlone() throws IOException {
    server.provider().openServerSocketChannel().bind(at("127.0.0.1", PORT));
    SocketChannel channel = client.provider().openSocketChannel();
    assertThrows(ConnectException.class, () -> channel.connect(at("127.0.0.1", PORT)));
  }

  @Test
  void ipv6_addresses_carryStreamsAndDatagrams() throws IOException {
    SimulatedHost one = network.host("one", "fd00::1", "10.0.1.1");
    SimulatedHost other = network.host("other", "10.0.1.2", "fd00::2");
    ServerSocketChannel listener =
        one.provider().openServerSocketChannel().bind(at("fd00::1", PORT));
    SocketChannel channel = other.provider().openSocketChannel();
    channel.connect(at("fd00::1", PORT));
    var peer = (InetSocketAddress) listener.accept().getRemoteAddress();
    assertEquals(InetAddress.ofLiteral("fd00::2"), peer.getAddress());
    try (DatagramChannel receiver = one.provider().openDatagramChannel().bind(at("fd00::1", PORT));
        DatagramChannel sender = other.provider().openDatagramChannel()) {
      sender.send(ByteBuffer.allocate(1), at("fd00::1", PORT));
      var from = (InetSocketAddress) receiver.receive(ByteBuffer.allocate(1));
      assertEquals(InetAddress.ofLiteral("fd00::2"), from.getAddress());
    }
  }

  @Test
  void connect_unknownAddress_hasNoRoute() throws IOException {
    SocketChannel channel = client.provider().openSocketChannel();
    assertThrows(NoRouteToHostException.class, () -> channel.connect(at("10.9.9.9", PORT)));
    assertFalse(channel.isOpen());
  }

  @Test
  void connectAndSend_familyWithoutAddress_networkIsUnreachable() throws IOException {
    var unreachable = at("fd00::9", PORT);
    SocketChannel channel = client.provider().openSocketChannel();
    var e = assertThrows(SocketException.class, () -> channel.connect(unreachable));
    assertEquals("Network is unreachable", e.getMessage());
    assertFalse(channel.isOpen());
    try (DatagramChannel datagrams = client.provider().openDatagramChannel()) {
      ByteBuffer one = ByteBuffer.allocate(1);
      assertThrows(SocketException.class, () -> datagrams.send(one, unreachable));
      assertEquals(1, one.remaining());
      assertEquals(1, datagrams.send(one, at("10.9.9.9", PORT)));
    }
  }

  @Test
  void host_addressTaken_isRefused() {
    var failure =
        assertThrows(IllegalArgumentException.class, () -> network.host("third", "10.0.0.1"));
    assertEquals(
        "host 'server' has the address already: address=third/10.0.0.1", failure.getMessage());
  }

  @Test
  void host_addressOfAll_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> network.host("bad", "127.0.0.1"));
    assertThrows(IllegalArgumentException.class, () -> network.host("bad", "0.0.0.0"));
    assertThrows(IllegalArgumentException.class, () -> network.host("bad", "not-numeric"));
  }

  @Test
  void register_selectorOfAnotherHost_isRefused() throws IOException {
    SocketChannel channel = client.provider().openSocketChannel();
    channel.configureBlocking(false);
    Selector selector = server.provider().openSelector();
    assertThrows(IllegalSelectorException.class, () -> channel.register(selector, 0));
  }

  // Time.

  @Test
  void connect_takesTheLatencyThereAndBack() throws IOException {
    network.links().latency(Duration.ofMillis(10));
    listener();
    assertTrue(client.provider().openSocketChannel().connect(at("10.0.0.1", PORT)));
    assertEquals(Duration.ofMillis(20), network.elapsed());
  }

  @Test
  void loopback_takesNoTime() throws IOException {
    listener();
    assertTrue(server.provider().openSocketChannel().connect(at("10.0.0.1", PORT)));
    assertEquals(Duration.ZERO, network.elapsed());
  }

  @Test
  void select_timeout_passesVirtually() throws IOException {
    ServerSocketChannel listener = listener();
    listener.configureBlocking(false);
    Selector selector = server.provider().openSelector();
    listener.register(selector, SelectionKey.OP_ACCEPT);
    assertEquals(0, selector.select(86_400_000));
    assertEquals(Duration.ofDays(1), network.elapsed());
  }

  @Test
  void select_nothingCanHappen_saysWhatItWaitsFor() throws IOException {
    ServerSocketChannel listener = listener();
    listener.configureBlocking(false);
    Selector selector = server.provider().openSelector();
    listener.register(selector, SelectionKey.OP_ACCEPT);
    var stalled = assertThrows(SimulationStalledException.class, selector::select);
    assertTrue(stalled.getMessage().contains("ServerSocketChannel"), stalled.getMessage());
    assertTrue(stalled.getMessage().contains("host 'server'"), stalled.getMessage());
    assertTrue(selector.isOpen());
  }

  @Test
  void read_blockingNothingCanArrive_says() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel channel = client.provider().openSocketChannel();
    channel.connect(at("10.0.0.1", PORT));
    assertNotNull(listener.accept());
    assertThrows(SimulationStalledException.class, () -> channel.read(ByteBuffer.allocate(1)));
  }

  @Test
  void backlog_full_connectTimesOutAfterItsRetries() throws IOException {
    ServerSocketChannel listener =
        server.provider().openServerSocketChannel().bind(at("10.0.0.1", PORT), 1);
    client.provider().openSocketChannel().connect(at("10.0.0.1", PORT));
    client.provider().openSocketChannel().connect(at("10.0.0.1", PORT));
    SocketChannel third = client.provider().openSocketChannel();
    var failure = assertThrows(ConnectException.class, () -> third.connect(at("10.0.0.1", PORT)));
    assertEquals("Connection timed out", failure.getMessage());
    assertEquals(127, network.elapsed().toSeconds());
    assertTrue(listener.isOpen());
  }

  @Test
  void connect_closedWhilePending_isNotTriedAgain() throws IOException {
    ServerSocketChannel listener =
        server.provider().openServerSocketChannel().bind(at("10.0.0.1", PORT), 1);
    client.provider().openSocketChannel().connect(at("10.0.0.1", PORT));
    client.provider().openSocketChannel().connect(at("10.0.0.1", PORT));
    SocketChannel third = client.provider().openSocketChannel();
    third.configureBlocking(false);
    third.connect(at("10.0.0.1", PORT));
    network.advanceBy(Duration.ofMillis(500));
    third.close();
    while (network.advance()) {
      // to the last event
    }
    assertTrue(network.elapsed().toSeconds() < 2, () -> "" + network.elapsed());
    assertTrue(listener.isOpen());
  }

  @Test
  void advance_runsOneInstant() throws IOException {
    SocketChannel channel = client.provider().openSocketChannel();
    channel.configureBlocking(false);
    listener();
    channel.connect(at("10.0.0.1", PORT));
    assertTrue(network.advance());
    assertEquals(Duration.ofNanos(100_000), network.elapsed());
    assertFalse(channel.finishConnect());
    assertTrue(network.advance());
    assertTrue(channel.finishConnect());
    assertTrue(network.advance());
    assertFalse(network.advance());
  }

  @Test
  void advanceBy_movesTime() {
    network.advanceBy(Duration.ofHours(1));
    assertEquals(Duration.ofHours(1), network.elapsed());
    assertThrows(IllegalArgumentException.class, () -> network.advanceBy(Duration.ofNanos(-1)));
    assertThrows(
        IllegalArgumentException.class, () -> network.links().latency(Duration.ofNanos(-1)));
  }

  // Limits.

  @Test
  void maxDescriptors_reached_opensNothing() throws IOException {
    server.maxDescriptors(3);
    ServerSocketChannel listener = listener();
    server.provider().openPipe();
    assertEquals(3, server.openDescriptors());
    var failure = assertThrows(IOException.class, () -> server.provider().openSocketChannel());
    assertEquals("Too many open files", failure.getMessage());
    assertThrows(IOException.class, () -> server.provider().openSelector());
    listener.close();
    assertEquals(2, server.openDescriptors());
    assertThrows(IOException.class, () -> server.provider().openPipe());
    assertEquals(2, server.openDescriptors());
    server.provider().openSocketChannel();
  }

  @Test
  void maxDescriptors_reached_acceptFailsAndTheConnectionWaits() throws IOException {
    ServerSocketChannel listener = listener();
    server.maxDescriptors(1);
    client.provider().openSocketChannel().connect(at("10.0.0.1", PORT));
    var failure = assertThrows(IOException.class, listener::accept);
    assertEquals("Too many open files", failure.getMessage());
    server.maxDescriptors(2);
    assertNotNull(listener.accept());
  }

  @Test
  void close_registered_keepsTheDescriptorUntilTheSelectorReleasesIt() throws IOException {
    SocketChannel channel = client.provider().openSocketChannel();
    channel.configureBlocking(false);
    Selector selector = client.provider().openSelector();
    channel.register(selector, 0);
    channel.close();
    assertEquals(3, client.openDescriptors());
    selector.selectNow();
    assertEquals(2, client.openDescriptors());
    selector.close();
    assertEquals(0, client.openDescriptors());
  }

  @Test
  void closedConnections_leaveNothing() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel channel = client.provider().openSocketChannel();
    channel.connect(at("10.0.0.1", PORT));
    SocketChannel accepted = listener.accept();
    channel.close();
    accepted.close();
    listener.close();
    assertEquals(0, server.openDescriptors());
    assertEquals(0, client.openDescriptors());
    assertTrue(network.advance());
  }

  @Test
  void timeWait_keepsThePort() throws IOException {
    ServerSocketChannel listener = listener();
    SocketChannel channel = client.provider().openSocketChannel();
    channel.bind(at("10.0.0.2", 5_000));
    channel.connect(at("10.0.0.1", PORT));
    SocketChannel accepted = listener.accept();
    channel.close();
    accepted.close();
    network.advanceBy(Duration.ofSeconds(30));
    SocketChannel second = client.provider().openSocketChannel();
    assertThrows(IOException.class, () -> second.bind(at("10.0.0.2", 5_000)));
    network.advanceBy(Duration.ofSeconds(31));
    second.bind(at("10.0.0.2", 5_000));
  }

  // Wrong use.

  @Test
  void anotherThread_isRefused() throws Exception {
    SocketChannel channel = client.provider().openSocketChannel();
    var thrown = new AtomicReference<Throwable>();
    Thread.ofPlatform()
        .name("stranger")
        .start(() -> {
          try {
            channel.connect(at("10.0.0.1", PORT));
          } catch (Throwable e) {
            thrown.set(e);
          }
        })
        .join();
    assertInstanceOf(WrongThreadException.class, thrown.get());
    assertTrue(thrown.get().getMessage().contains("'stranger'"), thrown.get().getMessage());
  }
}
