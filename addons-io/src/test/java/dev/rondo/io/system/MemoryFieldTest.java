package dev.rondo.io.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A file of the kernel, valid and corrupted.
class MemoryFieldTest {

  private static final String FILE = "MemTotal:       32 kB\nMemAvailable:  7 kB\nHuge: 1";

  @Test
  void field_present_isInBytes() {
    List<String> lines = FILE.lines().toList();
    assertEquals(OptionalLong.of(32 * 1024), SystemInfo.field(lines, "MemTotal"));
    assertEquals(OptionalLong.of(7 * 1024), SystemInfo.field(lines, "MemAvailable"));
    assertEquals(OptionalLong.empty(), SystemInfo.field(lines, "Mem"));
    for (String bad : List.of("A:", "A: x kB", "A: -1 kB", "A: 9223372036854775807 kB", "A")) {
      assertEquals(OptionalLong.empty(), SystemInfo.field(List.of(bad), "A"), bad);
    }
  }

  @Test
  void field_mutated_neverThrows() {
    var random = new Random(12);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = FILE.getBytes(StandardCharsets.UTF_8);
      for (int n = random.nextInt(8); n >= 0; n--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      var lines = new String(bytes, StandardCharsets.ISO_8859_1).lines().toList();
      SystemInfo.field(lines, "MemTotal")
          .ifPresent(value -> assertTrue(value >= 0 && value % 1024 == 0));
    }
  }
}
