package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The demonstration with three processes, in real time: some seconds. Alone, because it counts the
/// processes that are left.
@Isolated
final class ReplicatedLogProgramTest {

  private static final int REPLICAS = 3;

  /// 128 and the number of SIGTERM.
  private static final int TERMINATED = 143;

  @TempDir Path parent;

  @Test
  void demonstration_losesNothing_leavesNothing() throws Exception {
    Application.run(app -> {
      int acknowledged = ReplicatedLog.demonstrate(app, parent);
      assertTrue(acknowledged > 0, () -> acknowledged + " writes");
    });
    assertNothingIsLeft();
    assertEquals(0, ProcessHandle.current().children().filter(ProcessHandle::isAlive).count());
  }

  /// SIGINT, of Ctrl-C, takes the same way.
  @Test
  void terminated_endsItsReplicas_leavesNothing() throws Exception {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + parent,
                "-cp",
                System.getProperty("java.class.path"),
                ReplicatedLog.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var output = program.inputReader()) {
      String line = output.readLine();
      while (line != null && !line.contains(" elect ")) {
        line = output.readLine();
      }
      List<ProcessHandle> replicas = program.children().toList();
      assertEquals(REPLICAS, replicas.size());
      program.destroy();
      assertEquals(TERMINATED, program.waitFor());
      assertEquals(List.of(), replicas.stream().filter(ProcessHandle::isAlive).toList());
    } finally {
      program.destroyForcibly(); // its replicas end with their input
    }
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() throws Exception {
    try (var left = Files.list(parent)) {
      assertEquals(List.of(), left.toList());
    }
  }
}
