package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The rules of the house, read off the sources of this module.
final class ArchitectureTest {

  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final int MOST_LINES_OF_CODE = 700;

  /// For tests with worlds: nothing else needs it.
  private static final String SIMULATION = "dev.rondo.cluster.simulation";

  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?(dev\\.rondo\\.cluster[a-z.]*)\\.", Pattern.MULTILINE);

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

  /// Words, engines, and what is agreed on: a package knows those below it.
  @Test
  void packages_haveNoCycles() throws IOException {
    var imports = new TreeMap<String, Set<String>>();
    for (Path source : sources()) {
      Set<String> named = imports.computeIfAbsent(packageOf(source), it -> new TreeSet<>());
      IMPORT.matcher(Files.readString(source)).results().forEach(it -> named.add(it.group(1)));
    }
    imports.forEach((name, named) -> named.remove(name));
    assertTrue(imports.size() > 5, imports::toString);
    while (imports.keySet().removeIf(each -> imports.get(each).isEmpty())) {
      imports.values().forEach(each -> each.retainAll(imports.keySet()));
    }
    assertEquals(Map.of(), imports);
  }

  private static String packageOf(Path source) {
    Path folder = SOURCES.relativize(source).getParent();
    return folder == null ? "" : folder.toString().replace(File.separatorChar, '.');
  }

  /// Another engine may take its place.
  @Test
  void jgroups_isNamedByItsEngineOnly() throws IOException {
    namedBy("jgroups", "org.jgroups.");
  }

  /// It is an optional dependency: no other class may need it to be loaded.
  @Test
  void simulation_isNamedByItsEngineOnly() throws IOException {
    namedBy("world", "dev.rondo.simulation.");
  }

  /// Optional, too.
  @Test
  void grpc_isNamedByItsEngineOnly() throws IOException {
    namedBy("etcd", "dev.rondo.grpc.", "io.grpc.", "io.netty.");
  }

  private static void namedBy(String engine, String... packages) throws IOException {
    for (Path source : sources()) {
      if (!List.of("dev.rondo.cluster.internal." + engine, SIMULATION)
          .contains(packageOf(source))) {
        String text = Files.readString(source);
        for (String each : packages) {
          assertFalse(text.contains("import " + each), source + " imports " + each);
        }
      }
    }
  }

  /// Their order is another one in each JVM, so the same seed would make another run.
  @Test
  void collectionsWithoutAnOrder_areNotMade() throws IOException {
    for (Path source : sources()) {
      if (!packageOf(source).endsWith(".jgroups")) {
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
