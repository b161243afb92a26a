package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the house, read off the sources of this module.
final class ArchitectureTest {

  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final int MOST_LINES_OF_CODE = 700;

  /// Internal packages do not import the public classes that use them.
  private static final Pattern OF_A_FACE =
      Pattern.compile("^import (?:static )?dev\\.rondo\\.io\\.(?!internal\\.).*;");

  @Test
  void sources_anyClass_isNotTooLong() throws IOException {
    var tooLong = new TreeMap<String, Long>();
    for (Path source : sources()) {
      long lines =
          Files.readAllLines(source).stream()
              .map(String::strip)
              .filter(line -> !line.isEmpty() && !line.startsWith("//"))
              .count();
      if (lines > MOST_LINES_OF_CODE) {
        tooLong.put(source.getFileName().toString(), lines);
      }
    }
    assertEquals(Map.of(), tooLong);
  }

  @Test
  void internalPackages_importNoExportedOne() throws IOException {
    var wrong = new ArrayList<String>();
    for (Path source : sources()) {
      if (source.toString().contains("internal")) {
        for (String line : Files.readAllLines(source)) {
          if (OF_A_FACE.matcher(line).find()) {
            wrong.add(source.getFileName() + ": " + line);
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      assertTrue(sources.size() > 80, "looked into the wrong folder");
      return sources;
    }
  }
}
