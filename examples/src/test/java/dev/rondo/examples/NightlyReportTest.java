package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.application.Application;
import dev.rondo.scheduler.testing.Nightly;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The demonstration with three processes, in real time: some 20 seconds. Alone, because it counts
/// the processes that are left.
@Isolated
@Nightly("three processes, of which one is killed, in real time")
final class NightlyReportTest {

  @TempDir Path parent;

  @Test
  void demonstration_hasAReportOfEachNight_andLeavesNothing() throws Exception {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "etcd"))),
        "etcd is not installed: this test needs it");
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
