package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// No package of the main sources is too large to be read as a whole.
final class PackagesTest {

  private static final int MOST_FILES = 40;

  /// The kernel has one package for what runs in each turn.
  private static final Map<String, Integer> LARGER = Map.of("dev/rondo/scheduler/engine", 60);

  @Test
  void packages_ofMainSources_haveFewFiles() throws IOException {
    var sizes = new TreeMap<String, Integer>();
    for (Path module : DocsPage.modules()) {
      for (String language : List.of("java", "kotlin")) {
        Path root = module.resolve("src/main").resolve(language);
        if (Files.isDirectory(root)) {
          try (Stream<Path> files = Files.walk(root)) {
            files
                .filter(file -> file.toString().matches(".*\\.(java|kt)"))
                .filter(file -> !file.endsWith("package-info.java"))
                .map(file -> root.relativize(file.getParent()).toString())
                .forEach(name -> sizes.merge(name, 1, Integer::sum));
          }
        }
      }
    }
    assertTrue(sizes.size() > 40, sizes::toString);
    sizes.entrySet().removeIf(it -> it.getValue() <= LARGER.getOrDefault(it.getKey(), MOST_FILES));
    assertEquals(Map.of(), sizes);
  }
}
