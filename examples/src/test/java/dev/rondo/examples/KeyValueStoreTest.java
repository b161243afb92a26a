package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The demonstration, on real sockets and a real disk.
final class KeyValueStoreTest {

  @TempDir Path parent;

  @Test
  void demonstration_losesTheTornRecordOnly_leavesNothing() throws Exception {
    var story = new ArrayList<String>();
    Application.run(app -> KeyValueStore.demonstrate(app, parent, story::add));
    assertEquals(
        List.of(
            "50 values were acknowledged; files: log-3, snapshot",
            "the last record of the log is torn, as by a power failure",
            "opened again: 49 values; files: log-4, snapshot"),
        story);
    try (var left = Files.list(parent)) {
      assertEquals(List.of(), left.toList());
    }
  }
}
