package dev.rondo.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.junit.jupiter.api.Test;

class PeerVersionsTest {

  @Test
  void of_namesAreThoseOfArchives() {
    String path =
        String.join(
            File.pathSeparator,
            "/a/target/classes",
            "/r/netty-common-4.2.1.Final.jar",
            "/r/netty-common-extra-9.jar",
            "/r/agrona-2.4.0.jar",
            "/r/guava-33.8.0-jre.jar");
    assertEquals("netty-common 4.2.1.Final, agrona 2.4.0", PeerVersions.of(path));
  }

  @Test
  void of_theClassPathOfTheBenchmarks_hasThePeers() {
    String found = PeerVersions.of(System.getProperty("java.class.path"));
    assertTrue(found.startsWith("kotlinx-coroutines-core-jvm 1."), found);
    assertTrue(found.contains("netty-common 4."), found);
  }
}
