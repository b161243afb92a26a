package dev.rondo.grpc;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the house, read off the sources of this module.
final class ArchitectureTest {

  private static final Path SOURCES = Path.of("src", "main", "java");

  @Test
  void engineOfTheCore_isNotNamed() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertFalse(sources.isEmpty(), "looked into the wrong folder");
      for (Path source : sources) {
        assertFalse(
            Files.readString(source).contains("dev.rondo.scheduler.engine"), source::toString);
      }
    }
  }
}
