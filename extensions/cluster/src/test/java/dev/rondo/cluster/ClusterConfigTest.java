package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// What a configuration refuses, before there is a cluster that could fail because of it.
final class ClusterConfigTest {

  private static final Path FOLDER = Path.of("voter");
  private static final String LONGEST = "\u00fc".repeat(127) + "x";

  private static void assertRefused(String message, Executable making) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, making).getMessage());
  }

  private static ClusterConfig here() {
    return ClusterConfig.of(LONGEST).at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @Test
  void longestNames_areKept() {
    ClusterConfig config = here().in(LONGEST).withVoters(List.of(LONGEST), FOLDER);
    assertEquals(LONGEST, config.cluster());
    assertEquals(List.of(LONGEST), config.voters());
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
    assertRefused(
        "the name of a voter must have 1 to 255 bytes of UTF-8, but has 256",
        () -> here().withVoters(List.of("a", longer), FOLDER));
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
