package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.internal.jgroups.JavaSerialization;
import dev.rondo.cluster.members.ClusterException;
import dev.rondo.scheduler.testing.Certificates;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jgroups.Version;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What is refused: unsafe addresses, strangers, bytes.
final class SecurityTest extends ClusterRig {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final int PORT = 7800;

  // The first bytes of records of TLS.
  private static final int ALERT = 0x15;
  private static final int HANDSHAKE = 0x16;

  /// How long a stranger tries to become a member.
  private static final Duration SHORT = Duration.ofSeconds(2);

  /// A member with a name's key, that trusts the certificates of some names.
  static ClusterTls tls(String name, String... trusted) throws Exception {
    return ClusterTls.of(Certificates.keys(name), PASSWORD, Certificates.trusting(trusted));
  }

  private static InetSocketAddress at(String host) throws Exception {
    return new InetSocketAddress(InetAddress.getByName(host), PORT);
  }

  // Addresses.

  @Test
  void anAddressThatIsNoLoopback_needsTls() throws Exception {
    ClusterConfig plain = ClusterConfig.of("a");
    var refused = assertThrows(IllegalArgumentException.class, () -> plain.at(at("192.0.2.1")));
    assertEquals(
        "/192.0.2.1:7800 is no loopback address, so members need TLS there: see secured(..)",
        refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> plain.at(at("2001:db8::1")));
    ClusterConfig secured = plain.secured(tls("a", "b"));
    assertEquals(at("192.0.2.1"), secured.at(at("192.0.2.1")).address());
    assertEquals(at("127.0.0.1"), plain.at(at("127.0.0.1")).address());
    assertEquals(at("::1"), plain.at(at("::1")).address());
  }

  @Test
  void anAddressOfAllInterfaces_isRefused_withTlsToo() throws Exception {
    ClusterConfig secured = ClusterConfig.of("a").secured(tls("a", "b"));
    for (String each : List.of("0.0.0.0", "::")) {
      assertThrows(IllegalArgumentException.class, () -> secured.at(at(each)));
    }
    assertThrows(IllegalArgumentException.class, () -> secured.at(new InetSocketAddress(PORT)));
    assertThrows(
        IllegalArgumentException.class,
        () -> secured.at(InetSocketAddress.createUnresolved("localhost", PORT)));
    assertThrows(IllegalArgumentException.class, () -> secured.at(at("224.0.0.1")));
  }

  @Test
  void members_thatALoopbackAddressCannotReach_areRefused() throws Exception {
    ClusterConfig local = ClusterConfig.of("a").at(anyPort());
    List<InetSocketAddress> remote = List.of(at("192.0.2.1"));
    assertThrows(IllegalArgumentException.class, () -> local.with(remote));
    assertThrows(
        IllegalArgumentException.class, () -> ClusterConfig.of("a").with(List.of(anyPort())));
  }

  @Test
  void tls_withoutAKey_orWithoutTrust_isRefused() throws Exception {
    KeyStore keys = Certificates.keys("a");
    KeyStore none = Certificates.trusting();
    assertThrows(
        IllegalArgumentException.class,
        () -> ClusterTls.of(none, PASSWORD, Certificates.trusting("b")));
    assertThrows(
        IllegalArgumentException.class,
        () -> ClusterTls.of(Certificates.trusting("b"), PASSWORD, Certificates.trusting("b")));
    assertThrows(IllegalArgumentException.class, () -> ClusterTls.of(keys, PASSWORD, none));
    assertThrows(IllegalArgumentException.class, () -> ClusterTls.of(keys, PASSWORD, keys));
  }

  // Strangers.

  private Node secured(String name, ClusterTls tls, List<InetSocketAddress> members)
      throws Exception {
    Node node = node(ClusterConfig.of(name).secured(tls).at(anyPort()).with(members));
    node.join();
    return node;
  }

  /// An address that ends TLS without a word may be a busy member, or this node is the busy one.
  @Test
  void whereTlsEndsWithoutAWord_aNodeWaitsForOthers() throws Exception {
    InetSocketAddress free;
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = (InetSocketAddress) socket.getLocalSocketAddress();
    }
    var asked = new CountDownLatch(3);
    try (var busy = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      var _ = Thread.startVirtualThread(() -> beBusy(busy, asked));
      Node b =
          node(
              ClusterConfig.of("b")
                  .secured(tls("b", "a", "b"))
                  .at(free)
                  .with(List.of((InetSocketAddress) busy.getLocalSocketAddress()))
                  .limited(ClusterLimits.USUAL.with(Time.JOIN, HANG)));
      CompletableFuture<Boolean> joins =
          b.begin(() -> {
            b.cluster.join();
            return true;
          });
      asked.await();
      Node _ = secured("a", tls("a", "a", "b"), List.of(free));
      assertTrue(result(joins));
      assertEquals(2, b.members().all().size());
    }
  }

  /// Ends each connection without a word of TLS.
  private static void beBusy(ServerSocket listening, CountDownLatch asked) {
    while (!listening.isClosed()) {
      try (Socket from = listening.accept()) {
        if (from.getInputStream().read() != HANDSHAKE) {
          from.getOutputStream().write(ALERT);
          asked.countDown();
        }
      } catch (IOException e) {
        // One side has closed it.
      }
    }
  }

  @Test
  void members_thatTrustEachOther_joinAndExchangeMessages() throws Exception {
    Node a = secured("a", tls("a", "a", "b"), List.of());
    Node b = secured("b", tls("b", "a", "b"), List.of(a.address()));
    a.awaitMembers(members -> members.all().size() == 2);
    Mailbox<String> box = b.call(() -> b.cluster.mailbox("box", Codec.utf8()));
    var sent =
        a.begin(() -> {
          a.cluster.to("b", "box", Codec.utf8()).send("secret").awaitTaken();
          return null;
        });
    assertEquals("secret", b.call(box::receive));
    result(sent);
  }

  @Test
  void strangers_doNotJoinASecuredCluster() throws Exception {
    Node a = secured("a", tls("a", "a", "b"), List.of());
    ClusterConfig joining = ClusterConfig.of("stranger").at(anyPort()).with(List.of(a.address()));
    requireRefused(joining, a, "it demands TLS");
    requireRefused(joining.secured(tls("x", "a")), a, "it refuses the certificate of this node: ");
    requireRefused(joining.secured(tls("b", "x")), a, "its certificate is not trusted: ");
    try (Socket noCertificate =
        Certificates.context(null, "a")
            .getSocketFactory()
            .createSocket(a.address().getAddress(), a.address().getPort())) {
      noCertificate.setSoTimeout((int) HANG.toMillis());
      assertThrows(
          IOException.class,
          () -> {
            noCertificate.getOutputStream().write(preamble(a.address()));
            if (noCertificate.getInputStream().read() < 0) {
              throw new IOException("closed");
            }
          });
    }
    assertEquals(List.of("a"), names(a.members()));
    Node b = secured("b", tls("b", "a"), List.of(a.address()));
    b.awaitMembers(members -> members.all().size() == 2);
  }

  /// As one that has read its file again.
  @Test
  void aKeyManager_thatHasANewCertificate_showsItInNewConnections() throws Exception {
    Node a = secured("a", tls("a", "a", "b"), List.of());
    var key = new AtomicReference<>(keyManager("x"));
    SSLContext context = SSLContext.getInstance("TLSv1.3");
    var trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(Certificates.trusting("a"));
    KeyManager[] keys = {new Renewed(key)};
    context.init(keys, trust.getTrustManagers(), null);
    ClusterConfig joining =
        ClusterConfig.of("b")
            .secured(new ClusterTls(context))
            .at(anyPort())
            .with(List.of(a.address()));
    requireRefused(joining, a, "fatal alert: certificate_");
    key.set(keyManager("b"));
    Node b = node(joining);
    b.join();
    b.awaitMembers(members -> members.all().size() == 2);
  }

  private static X509ExtendedKeyManager keyManager(String name) throws Exception {
    var factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(Certificates.keys(name), PASSWORD);
    return (X509ExtendedKeyManager) factory.getKeyManagers()[0];
  }

  /// Asks the key manager that there is now.
  private static final class Renewed extends X509ExtendedKeyManager {

    private final AtomicReference<X509ExtendedKeyManager> now;

    Renewed(AtomicReference<X509ExtendedKeyManager> now) {
      this.now = now;
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return now.get().getClientAliases(type, issuers);
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return now.get().chooseClientAlias(types, issuers, socket);
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return now.get().getServerAliases(type, issuers);
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return now.get().chooseServerAlias(type, issuers, socket);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return now.get().getCertificateChain(alias);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return now.get().getPrivateKey(alias);
    }
  }

  @Test
  void aNodeWithTls_doesNotJoinAClusterWithoutIt() throws Exception {
    Node a = founder("a");
    ClusterConfig joining = ClusterConfig.of("b").at(anyPort()).with(List.of(a.address()));
    requireRefused(joining.secured(tls("b", "a")), a, "it has no TLS");
    assertEquals(List.of("a"), names(a.members()));
  }

  /// It founds no cluster of its own beside the one that refuses it.
  private void requireRefused(ClusterConfig config, Node by, String why) throws Exception {
    Node stranger = node(config);
    String said = assertThrows(ClusterException.class, stranger::join).getMessage();
    assertTrue(said.contains(by.address().toString()) && said.contains(why), said);
  }

  @Test
  void aNodeOfAnotherCluster_staysApart_andNamesTheAddress() throws Exception {
    Node a = founder("a");
    Node b =
        node(
            ClusterConfig.of("b")
                .in("other")
                .at(anyPort())
                .with(List.of(a.address()))
                .withAtLeast(2)
                .limited(ClusterLimits.USUAL.with(Time.JOIN, SHORT)));
    String said = assertThrows(ClusterException.class, b::join).getMessage();
    assertTrue(said.contains("no member at [" + a.address() + "]"), said);
    assertEquals(List.of("a"), names(a.members()));
  }

  @Test
  void garbage_onTheSocketOfAMember_harmsNothing() throws Exception {
    Node a = founder("a");
    InetSocketAddress address = a.address();
    Random random = new Random(1);
    for (int i = 0; i < 20; i++) {
      byte[] noise = new byte[1 + random.nextInt(2_000)];
      random.nextBytes(noise);
      sendTo(address, noise);
      sendTo(address, preamble(address), noise);
      sendTo(address, preamble(address), new byte[] {0x7f, -1, -1, -1}, noise);
      sendTo(address, preamble(address), new byte[] {-1, -1, -1, -2}, noise);
      sendTo(address, preamble(address), new byte[] {0, 0, 1, 0}, version(), noise);
    }
    Node b = acquainted("b", a);
    b.join();
    a.awaitMembers(members -> names(members).equals(List.of("a", "b")));
  }

  /// What a member of JGroups says first.
  private static byte[] preamble(InetSocketAddress address) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeBytes("bela");
    out.write(version());
    var own = new IpAddress(address.getAddress(), 1);
    out.writeShort(own.serializedSize());
    own.writeTo(out);
    return bytes.toByteArray();
  }

  private static byte[] version() {
    return new byte[] {(byte) (Version.version >> 8), (byte) Version.version};
  }

  /// Sends bytes and waits until the member closes the connection.
  private static void sendTo(InetSocketAddress address, byte[]... parts) throws IOException {
    try (var socket = new Socket(address.getAddress(), address.getPort())) {
      socket.setSoTimeout((int) HANG.toMillis());
      try {
        for (byte[] each : parts) {
          socket.getOutputStream().write(each);
        }
        socket.shutdownOutput();
        var _ = socket.getInputStream().readAllBytes();
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException e) {
        // Closed, which resets it if bytes were not read.
      }
    }
  }

  // Java serialization, other sockets.

  @Test
  void jgroups_doesNotReadJavaSerialization() throws Exception {
    JavaSerialization.refuse();
    var list = new ArrayList<>(Set.of("harmless"));
    byte[] stream = Util.objectToByteBuffer(list);
    assertThrows(InvalidClassException.class, () -> Util.objectFromByteBuffer(stream));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aMember_listensOnItsAddressOnly() throws Exception {
    Set<String> before = listening();
    Node a = founder("a");
    Set<String> after = listening();
    after.removeAll(before);
    assertEquals(
        Set.of("0100007F:%04X".formatted(a.address().getPort())), after, "new sockets that listen");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aClusterOfOne_opensNoSocket() throws Exception {
    Set<String> before = listening();
    Node a = node(ClusterConfig.of("a"));
    a.join();
    assertEquals(before, listening());
  }

  /// The addresses at which this process listens or receives datagrams.
  private static Set<String> listening() throws IOException {
    Path net = Path.of("/proc/self/net");
    assumeTrue(Files.isDirectory(net), "sockets can be listed");
    var inodes = new HashSet<String>();
    try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
      for (Path each : descriptors.toList()) {
        try {
          inodes.add(Files.readSymbolicLink(each).toString());
        } catch (IOException e) {
          // Closed meanwhile.
        }
      }
    }
    var found = new HashSet<String>();
    for (String protocol : List.of("tcp", "tcp6", "udp", "udp6")) {
      for (String line : Files.readAllLines(net.resolve(protocol))) {
        String[] fields = line.strip().split("\\s+", -1);
        boolean receives = protocol.startsWith("udp") || fields[3].equals("0A");
        if (receives && inodes.contains("socket:[" + fields[9] + "]")) {
          found.add(fields[1].replace("0000000000000000FFFF0000", ""));
        }
      }
    }
    return found;
  }
}
