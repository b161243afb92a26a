package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Unix domain sockets: names, connections, bytes.
final class UnixContractTest extends SocketContract {

  /// What the JDK accepts of the 108 bytes that Linux has.
  private static final int LONGEST_PATH = 106;

  @TempDir private Path folder;

  private UnixDomainSocketAddress address() {
    return address("socket");
  }

  private UnixDomainSocketAddress address(String name) {
    return UnixDomainSocketAddress.of(folder.resolve(name));
  }

  private SocketChannel unix() throws IOException {
    SocketChannel made = closing(provider.openSocketChannel(StandardProtocolFamily.UNIX));
    made.configureBlocking(false);
    return made;
  }

  private ServerSocketChannel unbound() throws IOException {
    ServerSocketChannel made =
        closing(provider.openServerSocketChannel(StandardProtocolFamily.UNIX));
    made.configureBlocking(false);
    return made;
  }

  private ServerSocketChannel unixListener(int backlog) throws IOException {
    return unbound().bind(address(), backlog);
  }

  private Pair unixPair() throws IOException {
    ServerSocketChannel listener = unixListener(5);
    Pair made = connected(unix(), listener);
    listener.close();
    return made;
  }

  private static String textOf(Throwable e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  private static String failure(Executable action) {
    return textOf(assertThrows(IOException.class, action));
  }

  private static final UnixDomainSocketAddress UNNAMED = UnixDomainSocketAddress.of("");

  // Names.

  @Test
  void bind_address_isItsName() throws IOException {
    ServerSocketChannel listener = unbound();
    assertNull(listener.getLocalAddress());
    listener.bind(address());
    assertEquals(address(), listener.getLocalAddress());
    assertTrue(listener.toString().endsWith("[" + address() + "]"), listener::toString);
  }

  @Test
  void bind_nameTaken_isRefused() throws IOException {
    unixListener(0);
    assertEquals("BindException: Address already in use", failure(() -> unbound().bind(address())));
    assertEquals("BindException: Address already in use", failure(() -> unix().bind(address())));
  }

  @Test
  void bind_nameOfAClient_isRefused() throws IOException {
    unix().bind(address());
    assertEquals("BindException: Address already in use", failure(() -> unbound().bind(address())));
  }

  @Test
  void bind_twice_isRefused() throws IOException {
    ServerSocketChannel listener = unixListener(0);
    assertThrows(AlreadyBoundException.class, () -> listener.bind(address("other")));
    SocketChannel client = unix().bind(address("client"));
    assertThrows(AlreadyBoundException.class, () -> client.bind(address("other")));
  }

  @Test
  void bind_nameRemoved_isFree() throws IOException {
    unixListener(0);
    system.delete(provider, address().getPath());
    assertEquals(address(), unbound().bind(address()).getLocalAddress());
  }

  @Test
  void bind_nullListener_hasANameOfItsOwn() throws IOException {
    var one = (UnixDomainSocketAddress) unbound().bind(null).getLocalAddress();
    var other = (UnixDomainSocketAddress) unbound().bind(null).getLocalAddress();
    try {
      assertNotEquals(one, other);
      assertTrue(unix().connect(one));
    } finally {
      system.delete(provider, one.getPath());
      system.delete(provider, other.getPath());
    }
  }

  @Test
  void bind_unnamedListener_isRefused() throws IOException {
    assertThrows(BindException.class, () -> unbound().bind(UNNAMED));
  }

  @Test
  void bind_nullClient_isUnnamed() throws IOException {
    SocketChannel client = unix();
    assertNull(client.getLocalAddress());
    client.bind(null);
    assertEquals(UNNAMED, client.getLocalAddress());
  }

  @Test
  void bind_longPath_isRefused() throws IOException {
    String start = folder + "/";
    String longest = start + "x".repeat(LONGEST_PATH - start.length());
    unbound().bind(UnixDomainSocketAddress.of(longest));
    String tooLong = "SocketException: Unix domain path too long";
    var more = UnixDomainSocketAddress.of(longest + "x");
    assertEquals(tooLong, failure(() -> unbound().bind(more)));
    assertEquals(tooLong, failure(() -> unix().bind(more)));
    assertEquals(tooLong, failure(() -> unix().connect(more)));
  }

  @Test
  void bind_relativePath_isTheAbsoluteOne() throws IOException {
    Path relative = Path.of("").toAbsolutePath().relativize(address().getPath());
    if (relative.toString().length() <= LONGEST_PATH) {
      ServerSocketChannel listener = unbound();
      listener.bind(UnixDomainSocketAddress.of(relative));
      assertTrue(unix().connect(address()));
    }
  }

  @Test
  void bind_addressOfAnotherFamily_isRefused() {
    SocketAddress internet = loopback(0);
    assertThrows(UnsupportedAddressTypeException.class, () -> unbound().bind(internet));
    assertThrows(UnsupportedAddressTypeException.class, () -> unix().bind(internet));
    assertThrows(UnsupportedAddressTypeException.class, () -> unix().connect(loopback(1)));
    assertThrows(UnsupportedAddressTypeException.class, () -> socket().bind(address()));
    assertThrows(UnsupportedAddressTypeException.class, () -> socket().connect(address()));
  }

  @Test
  void openDatagramChannel_isRefused() {
    assertThrows(
        UnsupportedOperationException.class,
        () -> provider.openDatagramChannel(StandardProtocolFamily.UNIX));
  }

  @Test
  void socket_ofAChannel_isRefused() {
    assertThrows(UnsupportedOperationException.class, () -> unix().socket());
    assertThrows(UnsupportedOperationException.class, () -> unbound().socket());
  }

  // Connecting.

  @Test
  void connect_listener_isConnectedAtOnce() throws IOException {
    unixListener(5);
    SocketChannel client = unix();
    assertTrue(client.connect(address()));
    assertTrue(client.isConnected());
    assertTrue(client.finishConnect());
    assertEquals(address(), client.getRemoteAddress());
    assertEquals(UNNAMED, client.getLocalAddress());
  }

  @Test
  void accept_unnamedClient_addressesAreThoseOfTheListener() throws IOException {
    Pair pair = unixPair();
    assertEquals(address(), pair.server().getLocalAddress());
    assertEquals(UNNAMED, pair.server().getRemoteAddress());
    assertEquals(
        "java.nio.channels.SocketChannel[connected local= remote=" + address() + "]",
        pair.client().toString());
  }

  @Test
  void accept_namedClient_hasItsName() throws IOException {
    ServerSocketChannel listener = unixListener(5);
    SocketChannel client = unix().bind(address("client"));
    assertEquals(address("client"), connected(client, listener).server().getRemoteAddress());
  }

  @Test
  void accept_noConnection_returnsNull() throws IOException {
    ServerSocketChannel listener = unixListener(5);
    assertNull(listener.accept());
    assertEquals(0, readyNow(listener, ACCEPT));
    assertThrows(NotYetBoundException.class, () -> unbound().accept());
  }

  @Test
  void accept_severalConnections_inTheirOrder() throws IOException {
    ServerSocketChannel listener = unixListener(5);
    for (String each : Set.of("a", "b", "c").stream().sorted().toList()) {
      SocketChannel client = unix();
      client.connect(address());
      client.write(bytes(each));
    }
    assertEquals("a", read(accept(listener), 1));
    assertEquals("b", read(accept(listener), 1));
    assertEquals("c", read(accept(listener), 1));
    assertEquals(0, readyNow(listener, ACCEPT));
  }

  @Test
  void connect_noSuchName_isRefusedAndCloses() throws IOException {
    SocketChannel client = unix();
    assertEquals(
        "SocketException: No such file or directory", failure(() -> client.connect(address())));
    assertFalse(client.isOpen());
  }

  @Test
  void connect_nothingListens_isRefusedAndCloses() throws IOException {
    unix().bind(address());
    SocketChannel client = unix();
    assertEquals("ConnectException: Connection refused", failure(() -> client.connect(address())));
    assertFalse(client.isOpen());
    assertThrows(ConnectException.class, () -> unix().connect(UNNAMED));
  }

  @Test
  void connect_listenerClosed_nameIsThereAndRefuses() throws IOException {
    unixListener(0).close();
    assertEquals("ConnectException: Connection refused", failure(() -> unix().connect(address())));
  }

  @Test
  void connect_nameRemoved_isRefusedAndTheConnectionsStay() throws IOException {
    ServerSocketChannel listener = unixListener(5);
    Pair pair = connected(unix(), listener);
    system.delete(provider, address().getPath());
    assertEquals(
        "SocketException: No such file or directory", failure(() -> unix().connect(address())));
    pair.client().write(bytes("x"));
    assertEquals("x", read(pair.server(), 1));
  }

  @Test
  void connect_backlogFull_isRefusedAndCloses() throws IOException {
    ServerSocketChannel listener = unixListener(2);
    for (int i = 0; i < 3; i++) {
      assertTrue(unix().connect(address()));
    }
    SocketChannel client = unix();
    assertEquals(
        "SocketException: Resource temporarily unavailable",
        failure(() -> client.connect(address())));
    assertFalse(client.isOpen());
    accept(listener);
    assertTrue(unix().connect(address()));
  }

  @Test
  void connect_connected_isRefused() throws IOException {
    Pair pair = unixPair();
    assertThrows(AlreadyConnectedException.class, () -> pair.client().connect(address()));
  }

  @Test
  void connect_blocking_connects() throws IOException {
    unixListener(5);
    SocketChannel client = closing(provider.openSocketChannel(StandardProtocolFamily.UNIX));
    assertTrue(client.connect(address()));
    assertEquals(2, client.write(bytes("hi")));
  }

  // Bytes.

  @Test
  void write_beforeAccept_arrives() throws IOException {
    ServerSocketChannel listener = unixListener(5);
    SocketChannel client = unix();
    client.connect(address());
    assertEquals(5, client.write(bytes("early")));
    client.close();
    SocketChannel server = accept(listener);
    assertEquals("early", read(server, 5));
    assertEnd(server);
  }

  @Test
  void bothDirections_areIndependent() throws IOException {
    Pair pair = unixPair();
    pair.client().write(bytes("ping"));
    pair.server().write(bytes("pong"));
    assertEquals("ping", read(pair.server(), 4));
    assertEquals("pong", read(pair.client(), 4));
    assertEquals(0, pair.client().read(ByteBuffer.allocate(1)));
  }

  @Test
  void write_gathersAndReadScatters() throws IOException {
    Pair pair = unixPair();
    assertEquals(4, pair.client().write(new ByteBuffer[] {bytes("ab"), bytes("cd")}));
    await(pair.server(), READ);
    ByteBuffer one = ByteBuffer.allocate(1);
    ByteBuffer other = ByteBuffer.allocate(9);
    assertEquals(4, pair.server().read(new ByteBuffer[] {one, other}));
    assertEquals("abcd", text(one) + text(other));
  }

  @Test
  void readAndWrite_unconnected_areRefused() throws IOException {
    SocketChannel client = unix();
    assertThrows(NotYetConnectedException.class, () -> client.write(bytes("x")));
    assertThrows(NotYetConnectedException.class, () -> client.read(ByteBuffer.allocate(1)));
    assertEquals(WRITE | READ | CONNECT, readyNow(client, WRITE | READ | CONNECT));
  }

  @Test
  void write_noRoom_writesAPartAndAllArrives() throws IOException {
    Pair pair = unixPair();
    ByteBuffer large = ByteBuffer.allocate(1 << 20);
    long written = pair.client().write(large);
    assertTrue(written > 0 && large.hasRemaining(), () -> "written " + large);
    assertEquals(0, pair.client().write(ByteBuffer.allocate(100_000)));
    assertEquals(0, readyNow(pair.client(), WRITE));
    pair.client().shutdownOutput();
    assertEquals(written, readToEnd(pair.server()));
  }

  @Test
  void write_smallSendBuffer_limitsIt() throws IOException {
    Pair pair = unixPair();
    pair.client().setOption(StandardSocketOptions.SO_SNDBUF, 16_384);
    int small = pair.client().write(ByteBuffer.allocate(1 << 20));
    int large = pair.server().write(ByteBuffer.allocate(1 << 20));
    assertTrue(small >= 16_384 && small < large, () -> small + " of " + large);
  }

  @Test
  void ready_peerReads_writableAgainWhenThreeQuartersAreFree() throws IOException {
    Pair pair = unixPair();
    int written = pair.client().write(ByteBuffer.allocate(1 << 20));
    assertEquals(0, readyNow(pair.client(), WRITE));
    pair.server().read(ByteBuffer.allocate(written / 2));
    assertEquals(0, readyNow(pair.client(), WRITE));
    pair.server().read(ByteBuffer.allocate(written / 2));
    assertEquals(WRITE, readyNow(pair.client(), WRITE));
  }

  @Test
  void select_peerWrites_wakes() throws IOException {
    Pair pair = unixPair();
    try (var selector = provider.openSelector()) {
      pair.server().register(selector, READ);
      assertEquals(0, selector.selectNow());
      pair.client().write(bytes("x"));
      assertEquals(1, selector.select());
    }
  }

  // The end.

  @Test
  void shutdownOutput_peerReadsTheEndAndMayWrite() throws IOException {
    Pair pair = unixPair();
    pair.client().write(bytes("last"));
    pair.client().shutdownOutput();
    assertEquals("last", read(pair.server(), 4));
    assertEnd(pair.server());
    assertEquals(READ | WRITE, readyNow(pair.server(), READ | WRITE));
    assertThrows(ClosedChannelException.class, () -> pair.client().write(bytes("x")));
    pair.server().write(bytes("answer"));
    assertEquals("answer", read(pair.client(), 6));
  }

  @Test
  void shutdownInput_peerCannotWrite() throws IOException {
    Pair pair = unixPair();
    pair.server().shutdownInput();
    assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    assertEquals("IOException: Broken pipe", failure(() -> pair.client().write(bytes("x"))));
    pair.server().write(bytes("on"));
    assertEquals("on", read(pair.client(), 2));
  }

  @Test
  void close_peerReadsTheEndAndCannotWrite() throws IOException {
    Pair pair = unixPair();
    pair.server().write(bytes("bye"));
    pair.server().close();
    assertEquals(READ | WRITE, readyNow(pair.client(), READ | WRITE));
    assertEquals("bye", read(pair.client(), 3));
    assertEnd(pair.client());
    assertEquals("IOException: Broken pipe", failure(() -> pair.client().write(bytes("x"))));
    assertEnd(pair.client());
  }

  @Test
  void close_bytesUnread_peerReadsWhatIsThereAndIsReset() throws IOException {
    Pair pair = unixPair();
    pair.client().write(bytes("unread"));
    pair.server().write(bytes("sent"));
    pair.server().close();
    assertEquals("sent", read(pair.client(), 4));
    assertThrows(SocketException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
    assertEquals(
        "SocketException: Connection reset",
        failure(() -> pair.client().read(ByteBuffer.allocate(1))));
    assertEquals("IOException: Broken pipe", failure(() -> pair.client().write(bytes("x"))));
  }

  @Test
  void close_listener_resetsWhatWaits() throws IOException {
    ServerSocketChannel listener = unixListener(5);
    SocketChannel client = unix();
    client.connect(address());
    listener.close();
    assertNotEquals(0, await(client, SelectionKey.OP_READ));
    assertEquals(
        "SocketException: Connection reset", failure(() -> client.read(ByteBuffer.allocate(1))));
    assertEquals("IOException: Broken pipe", failure(() -> client.write(bytes("x"))));
  }

  @Test
  void close_registered_peerReadsTheEndBeforeTheSelectorReleasesIt() throws IOException {
    Pair pair = unixPair();
    try (var selector = provider.openSelector()) {
      pair.server().register(selector, READ);
      pair.server().close();
      assertEnd(pair.client());
      selector.selectNow();
    }
    assertEnd(pair.client());
  }

  @Test
  void close_listener_connectionsStay() throws IOException {
    Pair pair = unixPair(); // closes it
    pair.client().write(bytes("x"));
    assertEquals("x", read(pair.server(), 1));
  }

  // Options.

  @Test
  void supportedOptions_areThoseOfUnixSockets() throws IOException {
    assertEquals(
        Set.of(
            StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF,
            StandardSocketOptions.SO_LINGER,
            ExtendedSocketOptions.SO_PEERCRED),
        unix().supportedOptions());
    assertEquals(Set.of(StandardSocketOptions.SO_RCVBUF), unbound().supportedOptions());
  }

  @Test
  void getOption_fresh_hasTheDefaults() throws IOException {
    assertEquals(106_496, unix().getOption(StandardSocketOptions.SO_SNDBUF));
    assertEquals(106_496, unix().getOption(StandardSocketOptions.SO_RCVBUF));
    assertEquals(106_496, unbound().getOption(StandardSocketOptions.SO_RCVBUF));
    assertEquals(-1, unix().getOption(StandardSocketOptions.SO_LINGER));
    assertThrows(
        UnsupportedOperationException.class,
        () -> unix().getOption(StandardSocketOptions.TCP_NODELAY));
  }

  @Test
  void peerCredentials_areThoseOfTheUser() throws IOException {
    Pair pair = unixPair();
    var seen = pair.server().getOption(ExtendedSocketOptions.SO_PEERCRED);
    assertEquals(System.getProperty("user.name"), seen.user().getName());
    assertNotNull(seen.group().getName());
    assertEquals(seen, pair.client().getOption(ExtendedSocketOptions.SO_PEERCRED));
  }

  @Test
  void peerCredentials_unconnectedOrSet_areRefused() throws IOException {
    SocketChannel client = unix();
    assertThrows(SocketException.class, () -> client.getOption(ExtendedSocketOptions.SO_PEERCRED));
    assertThrows(
        IllegalArgumentException.class,
        () -> client.setOption(ExtendedSocketOptions.SO_PEERCRED, null));
    var own = unixPair().client().getOption(ExtendedSocketOptions.SO_PEERCRED);
    assertThrows(
        SocketException.class, () -> client.setOption(ExtendedSocketOptions.SO_PEERCRED, own));
  }

  // Only the simulation.

  @Test
  void simulation_fileSystem_isNotTouched() throws IOException {
    unixListener(5);
    boolean real = Files.exists(address().getPath());
    assertEquals(system == SocketSystem.KERNEL, real);
  }

  @Test
  void addresses_areNotThoseOfTcp() throws IOException {
    assertEquals(InetSocketAddress.class, listener().getLocalAddress().getClass());
    assertEquals(UnixDomainSocketAddress.class, unixListener(1).getLocalAddress().getClass());
  }
}
