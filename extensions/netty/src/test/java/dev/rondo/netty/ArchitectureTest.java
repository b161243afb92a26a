package dev.rondo.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the house, read off the sources of this module.
final class ArchitectureTest {

  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final int MOST_LINES_OF_CODE = 700;

  @Test
  void sources_anyClass_isNotTooLong() throws IOException {
    var tooLong = new ArrayList<String>();
    for (Path source : sources()) {
      long lines =
          Files.readAllLines(source).stream()
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !line.startsWith("//"))
              .count();
      if (lines > MOST_LINES_OF_CODE) {
        tooLong.add(source.getFileName() + ": " + lines);
      }
    }
    assertEquals(List.of(), tooLong);
  }

  /// The libraries of the native transports may be missing.
  @Test
  void nativeTransports_areNamedInOnePlace() throws IOException {
    for (Path source : sources()) {
      String text = Files.readString(source);
      if (!source.endsWith("NativeTransports.java")) {
        for (String each : List.of("epoll", "uring", "kqueue")) {
          assertFalse(text.contains("import io.netty.channel." + each), source::toString);
        }
      }
    }
  }

  @Test
  void engineOfTheCore_isNotNamed() throws IOException {
    for (Path source : sources()) {
      assertFalse(
          Files.readString(source).contains("dev.rondo.scheduler.engine"), source::toString);
    }
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertFalse(sources.isEmpty(), "looked into the wrong folder");
      return sources;
    }
  }
}
