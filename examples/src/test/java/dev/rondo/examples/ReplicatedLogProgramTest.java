package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The demonstration with three processes, in real time: some seconds.
final class ReplicatedLogProgramTest {

  @TempDir Path parent;

  @Test
  void demonstration_losesNothing_leavesNothing() throws Exception {
    Application.run(app -> {
      int acknowledged = ReplicatedLog.demonstrate(app, parent);
      assertTrue(acknowledged > 0, () -> acknowledged + " writes");
    });
    try (var left = Files.list(parent)) {
      assertEquals(List.of(), left.toList());
    }
    assertEquals(0, ProcessHandle.current().children().filter(ProcessHandle::isAlive).count());
  }
}
