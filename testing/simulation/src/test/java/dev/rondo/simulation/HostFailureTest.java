package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the others see of a host that crashes or loses its power.
final class HostFailureTest {

  private static final InetSocketAddress SERVER =
      new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 80);

  private final SimulatedNetwork network = new SimulatedNetwork();
  private final SimulatedHost server = network.host("server", "10.0.0.1");
  private final SimulatedHost client = network.host("client", "10.0.0.2");

  private ServerSocketChannel listener;
  private SocketChannel near;
  private SocketChannel far;

  @BeforeEach
  void connect() throws IOException {
    listener = server.provider().openServerSocketChannel().bind(SERVER);
    near = client.provider().openSocketChannel();
    near.connect(SERVER);
    far = listener.accept();
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static int read(SocketChannel channel) throws IOException {
    return channel.read(ByteBuffer.allocate(100));
  }

  private SocketChannel connecting() throws IOException {
    SocketChannel channel = client.provider().openSocketChannel();
    channel.connect(SERVER);
    return channel;
  }

  // A crash.

  @Test
  void crash_peerReadsTheEnd_andIsResetWhenItWrites() throws IOException {
    server.crash();
    assertEquals(-1, read(near));
    assertEquals(1, near.write(bytes("a")));
    network.advanceBy(Duration.ofSeconds(1));
    assertThrows(IOException.class, () -> near.write(bytes("b")));
  }

  @Test
  void crash_writtenBytes_stillArrive() throws IOException {
    far.write(bytes("last words"));
    server.crash();
    assertEquals(10, read(near));
    assertEquals(-1, read(near));
  }

  @Test
  void crash_unreadBytes_resetThePeer() throws IOException {
    near.write(bytes("unread"));
    network.advanceBy(Duration.ofSeconds(1));
    server.crash();
    var failure = assertThrows(SocketException.class, () -> read(near));
    assertEquals("Connection reset", failure.getMessage());
  }

  @Test
  void crash_waitingConnection_isReset() throws IOException {
    SocketChannel waiting = connecting();
    server.crash();
    assertThrows(SocketException.class, () -> read(waiting));
  }

  @Test
  void crash_newConnection_isRefused() {
    server.crash();
    assertThrows(ConnectException.class, this::connecting);
    assertTrue(network.elapsed().toSeconds() < 1);
  }

  @Test
  void crash_udpPort_isUnreachable() throws IOException {
    DatagramChannel bound = server.provider().openDatagramChannel().bind(SERVER);
    DatagramChannel sender = client.provider().openDatagramChannel();
    sender.connect(SERVER);
    server.crash();
    sender.write(bytes("a"));
    assertThrows(PortUnreachableException.class, () -> sender.read(ByteBuffer.allocate(1)));
    assertFalse(bound.isOpen());
  }

  @Test
  void crash_lingeringSocket_takesNoTime() throws IOException {
    far.setOption(StandardSocketOptions.SO_LINGER, 1_000);
    far.write(bytes("a"));
    Duration before = network.elapsed();
    server.crash();
    assertEquals(before, network.elapsed());
  }

  @Test
  void crash_channels_areClosed() throws IOException {
    Selector selector = server.provider().openSelector();
    far.configureBlocking(false);
    SelectionKey key = far.register(selector, SelectionKey.OP_READ);
    Pipe pipe = server.provider().openPipe();
    server.crash();
    assertEquals(0, server.openDescriptors());
    assertFalse(far.isOpen());
    assertFalse(key.isValid());
    assertThrows(ClosedChannelException.class, () -> read(far));
    assertThrows(ClosedChannelException.class, listener::accept);
    assertThrows(ClosedSelectorException.class, selector::selectNow);
    assertThrows(ClosedChannelException.class, () -> pipe.sink().write(bytes("a")));
    assertThrows(ClosedChannelException.class, () -> pipe.source().read(ByteBuffer.allocate(1)));
  }

  @Test
  void crash_opening_saysThatTheHostHasCrashed() {
    server.crash();
    var failure = assertThrows(SocketException.class, () -> server.provider().openSocketChannel());
    assertEquals("Network is down: host 'server' has crashed", failure.getMessage());
    assertThrows(SocketException.class, () -> server.provider().openSelector());
    assertEquals(0, server.openDescriptors());
  }

  @Test
  void crash_restart_hasThePortAgain() throws IOException {
    server.crash();
    server.restart();
    ServerSocketChannel again = server.provider().openServerSocketChannel().bind(SERVER);
    SocketChannel fresh = connecting();
    SocketChannel accepted = again.accept();
    assertNotNull(accepted);
    fresh.write(bytes("a"));
    assertEquals(1, read(accepted));
  }

  // No power.

  @Test
  void powerOff_newConnection_timesOut() {
    server.powerOff();
    Duration before = network.elapsed();
    var failure = assertThrows(ConnectException.class, this::connecting);
    assertEquals("Connection timed out", failure.getMessage());
    assertEquals(127, network.elapsed().minus(before).toSeconds());
  }

  @Test
  void powerOff_peerThatOnlyReads_learnsNothing() throws IOException {
    server.powerOff();
    assertThrows(SimulationStalledException.class, () -> read(near));
    assertTrue(near.isOpen());
  }

  @Test
  void powerOff_peerThatWrites_timesOut() throws IOException {
    server.powerOff();
    near.write(bytes("a"));
    var failure = assertThrows(IOException.class, () -> read(near));
    assertEquals("Connection timed out", failure.getMessage());
    long minutes = network.elapsed().toMinutes();
    assertTrue(minutes >= 13 && minutes <= 31, () -> network.elapsed() + " is not as of Linux");
  }

  @Test
  void powerOff_underWay_arrives() throws IOException {
    far.write(bytes("under way"));
    server.powerOff();
    assertEquals(9, read(near));
  }

  @Test
  void powerOff_restart_resetsWhatPeersStillSend() throws IOException {
    server.powerOff();
    near.write(bytes("a"));
    network.advanceBy(Duration.ofSeconds(10));
    server.restart();
    assertThrows(SocketException.class, () -> read(near));
    assertTrue(network.elapsed().toSeconds() < 30);
  }

  @Test
  void powerOff_restart_hasThePortAgain() throws IOException {
    server.powerOff();
    server.restart();
    assertEquals(
        SERVER, server.provider().openServerSocketChannel().bind(SERVER).getLocalAddress());
  }

  @Test
  void powerOff_udp_vanishes() throws IOException {
    DatagramChannel sender = client.provider().openDatagramChannel();
    sender.configureBlocking(false);
    sender.connect(SERVER);
    server.powerOff();
    sender.write(bytes("a"));
    network.advanceBy(Duration.ofSeconds(1));
    assertEquals(1, sender.write(bytes("b")));
  }

  // Wrong use.

  @Test
  void crash_crashed_isRefused() {
    server.crash();
    var failure = assertThrows(IllegalStateException.class, server::crash);
    assertEquals("host 'server' cannot crash: it has crashed", failure.getMessage());
    server.powerOff();
    assertThrows(IllegalStateException.class, server::crash);
    failure = assertThrows(IllegalStateException.class, server::powerOff);
    assertEquals("host 'server' cannot be powered off: it is off", failure.getMessage());
    assertFalse(server.isRunning());
    server.restart();
    assertTrue(server.isRunning());
    failure = assertThrows(IllegalStateException.class, server::restart);
    assertEquals("host 'server' cannot restart: it is running", failure.getMessage());
  }
}
