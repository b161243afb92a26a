package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.application.Application;
import dev.rondo.scheduler.testing.Nightly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The demonstration with three processes, in real time: some 20 seconds. Alone, because it counts
/// the processes that are left.
@Isolated
@Nightly("three processes, of which one is killed, in real time")
final class NightlyReportTest {

  @TempDir Path parent;

  private static boolean isInstalled() {
    try {
      Path _ = NightlyReport.etcd(System.getenv("PATH"));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void withoutEtcd_itSaysHowToInstallOne() {
    String said =
        assertThrows(IOException.class, () -> NightlyReport.etcd(parent.toString())).getMessage();
    assertTrue(said.contains("apt install etcd-server"), said);
  }

  @Test
  void demonstration_hasAReportOfEachNight_andLeavesNothing() throws Exception {
    assumeTrue(isInstalled(), "etcd is not installed: this test needs it");
    Application.run(app -> {
      Map<Integer, String> archived = NightlyReport.demonstrate(app, parent);
      assertTrue(archived.keySet().containsAll(List.of(1, 2, 3, 4)), archived::toString);
      assertNotEquals(archived.get(1), archived.get(2), "another node took over");
    });
    try (var left = Files.list(parent)) {
      assertEquals(List.of(), left.toList());
    }
    assertEquals(0, ProcessHandle.current().children().filter(ProcessHandle::isAlive).count());
  }
}
