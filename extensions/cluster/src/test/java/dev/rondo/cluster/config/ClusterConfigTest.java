package dev.rondo.cluster.config;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// What a configuration refuses, before there is a cluster that could fail because of it.
final class ClusterConfigTest {

  private static final String LONGEST = "\u00fc".repeat(127) + "x";

  private static void assertRefused(String message, Executable making) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, making).getMessage());
  }

  private static ClusterConfig here() {
    return ClusterConfig.of(LONGEST).at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @Test
  void longestNames_areKept() {
    ClusterConfig config = here().in(LONGEST);
    assertEquals(LONGEST, config.cluster());
  }

  @Test
  void longerNames_areRefused() {
    String longer = LONGEST + "x";
    assertRefused(
        "the name of a node must have 1 to 255 bytes of UTF-8, but has 256",
        () -> ClusterConfig.of(longer));
    assertRefused(
        "the name of a cluster must have 1 to 255 bytes of UTF-8, but has 256",
        () -> here().in(longer));
  }

  @Test
  void agreement_ofSeveral_needsAnAddress_andOfOneNode_none() {
    var etcd = EtcdServers.local(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    String alone = "a node without an address is alone, and agrees with no other one: see at(..)";
    assertRefused(alone, () -> ClusterConfig.of("a").withEtcd(etcd));
    assertRefused(
        "a folder keeps what a node agrees to that is alone; several agree by etcd: see"
            + " withEtcd(..)",
        () -> here().keptIn(Path.of("agreed")));
  }

  @Test
  void etcd_elsewhere_needsTls_andItsPasswordIsNotShown() {
    assertRefused(
        "etcd.example/<unresolved>:2379 is no loopback address, so etcd needs TLS there: see"
            + " secured(..)",
        () -> EtcdServers.local(InetSocketAddress.createUnresolved("etcd.example", 2379)));
    assertRefused("etcd needs an address at least", EtcdServers::local);
    String shown =
        EtcdServers.local(InetSocketAddress.createUnresolved("localhost", 1))
            .as("anna", "secret")
            .toString();
    assertEquals("EtcdServers[addresses=[localhost/<unresolved>:1], tls=false, user=anna]", shown);
  }

  @Test
  void addressesThatAreFound_areCheckedAsThoseThatAreGiven() {
    var elsewhere = InetSocketAddress.createUnresolved("node.example", 7800);
    Supplier<List<InetSocketAddress>> finder =
        requireNonNull(here().with(() -> List.of(elsewhere)).in("other").finder());
    assertRefused(
        "a node that listens on a loopback address cannot have a member at " + elsewhere,
        finder::get);
    assertEquals(finder, requireNonNull(here().with(finder).finder()));
  }

  @Test
  void emptyNames_areRefused() {
    assertRefused(
        "the name of a node must have 1 to 255 bytes of UTF-8, but has 0",
        () -> ClusterConfig.of(""));
    assertRefused(
        "the name of a cluster must have 1 to 255 bytes of UTF-8, but has 0", () -> here().in(""));
  }
}
