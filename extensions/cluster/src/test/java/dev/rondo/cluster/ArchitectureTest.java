package dev.rondo.cluster;

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

  /// Another engine may take its place.
  @Test
  void jgroups_isNamedByItsEngineOnly() throws IOException {
    for (Path source : sources()) {
      String name = source.getFileName().toString();
      if (!name.startsWith("JGroups") && !name.equals("JavaSerialization.java")) {
        String text = Files.readString(source).replaceAll("requires org.jgroups(.raft)?;", "");
        assertFalse(text.contains("org.jgroups"), source::toString);
      }
    }
  }

  /// It is an optional dependency: no other class may need it to be loaded.
  @Test
  void simulation_isNamedByItsEngineOnly() throws IOException {
    for (Path source : sources()) {
      String name = source.getFileName().toString();
      if (!name.startsWith("World")) {
        String text = Files.readString(source).replace("requires static dev.rondo.simulation;", "");
        assertFalse(text.contains("import dev.rondo.simulation"), source::toString);
      }
    }
  }

  /// Their order is another one in each JVM, so the same seed would make another run.
  @Test
  void collectionsWithoutAnOrder_areNotMade() throws IOException {
    for (Path source : sources()) {
      if (!source.getFileName().toString().startsWith("JGroups")) {
        String text = Files.readString(source);
        for (String made : List.of("Set.copyOf(", "Map.copyOf(", "toUnmodifiable")) {
          assertFalse(text.contains(made), () -> source + " has " + made);
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
