package dev.rondo.application;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The class path of a program that depends on this module, as Maven resolves it.
final class RuntimePathTest {

  @Test
  void runtimePath_ofAProgram_hasTheMissionAndItsThreeLibraries() throws IOException {
    var parts = new TreeSet<String>();
    for (Path entry : runtimePath()) {
      if (Files.isDirectory(entry)) {
        addParts(entry, parts);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(entry)) {
          addParts(jar.getPath("/"), parts);
        }
      }
    }
    assertEquals(
        Set.of(
            "dev.rondo.application",
            "dev.rondo.application.internal",
            "dev.rondo.bound",
            "dev.rondo.condition",
            "dev.rondo.io",
            "dev.rondo.observe",
            "dev.rondo.scheduler",
            "dev.rondo.time",
            "com.google",
            "org.jspecify",
            "org.slf4j"),
        parts);
  }

  private static List<Path> runtimePath() throws IOException {
    var entries = new ArrayList<Path>();
    entries.add(Path.of("target", "classes"));
    String path = Files.readString(Path.of("target", "runtime.path"));
    Stream.of(path.strip().split(File.pathSeparator)).map(Path::of).forEach(entries::add);
    return entries;
  }

  private static void addParts(Path root, Set<String> parts) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files
          .map(file -> root.relativize(file).toString())
          .filter(file -> file.endsWith(".class") && file.contains("/"))
          .filter(file -> !file.startsWith("META-INF/"))
          .forEach(file -> parts.add(partOf(file)));
    }
  }

  /// {@return the package of a class of this module; the beginning of the names of other packages}
  private static String partOf(String file) {
    List<String> names = List.of(file.split("/"));
    boolean own = file.startsWith("dev/rondo/application/");
    int length = own ? names.size() - 1 : file.startsWith("dev/rondo/") ? 3 : 2;
    return String.join(".", names.subList(0, length));
  }
}
