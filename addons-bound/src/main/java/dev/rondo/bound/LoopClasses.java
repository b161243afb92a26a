package dev.rondo.bound;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/// Loads in advance the classes that a loop may need: its own, and those of its add-ons. On BOUND a
/// call of the JDK can suspend a task inside a class loader. If the loop then waited for the lock
/// of that class loader, it would never resume the task.
final class LoopClasses {

  private static final String SUFFIX = ".class";

  /// For each class, the names of the classes that were loaded together with it.
  private static final ClassValue<List<String>> LOADED =
      new ClassValue<>() {
        @Override
        protected List<String> computeValue(Class<?> type) {
          return loadAround(type);
        }
      };

  private LoopClasses() {}

  /// Loads all classes of the package of a class, and of the packages below it, from the same
  /// directory or jar. Classes that are not found are loaded when they are used.
  ///
  /// @return their names
  static List<String> load(Class<?> type) {
    return LOADED.get(type);
  }

  private static List<String> loadAround(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return List.of(); // a class of the JDK, or a class made in memory
    }
    try {
      Path location = Path.of(source.getLocation().toURI());
      String prefix = type.getPackageName() + ".";
      return namesAt(location).stream()
          .filter(name -> name.startsWith(prefix) && isLoaded(name, type.getClassLoader()))
          .toList();
    } catch (URISyntaxException
        | IllegalArgumentException
        | FileSystemNotFoundException
        | FindException
        | UncheckedIOException e) {
      LoggerFactory.getLogger(LoopClasses.class)
          .debug("the classes around {} are loaded when they are used", type, e);
      return List.of();
    }
  }

  /// The names of the classes in a directory or a jar.
  private static List<String> namesAt(Path location) {
    try {
      if (Files.isDirectory(location)) {
        try (Stream<Path> files = Files.walk(location)) {
          return names(files.map(each -> slashed(location.relativize(each))));
        }
      }
      ModuleReference module =
          ModuleFinder.of(location).findAll().stream().findFirst().orElse(null);
      if (module == null) {
        return List.of();
      }
      try (ModuleReader reader = module.open();
          Stream<String> resources = reader.list()) {
        return names(resources);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String slashed(Path relative) {
    return relative.toString().replace(relative.getFileSystem().getSeparator(), "/");
  }

  private static List<String> names(Stream<String> resources) {
    return resources
        .filter(each -> each.endsWith(SUFFIX))
        .map(each -> each.substring(0, each.length() - SUFFIX.length()).replace('/', '.'))
        .toList();
  }

  /// Loads a class. A class whose library is missing cannot be loaded, but is not used either.
  private static boolean isLoaded(String name, ClassLoader loader) {
    try {
      Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError _) {
      return false;
    }
  }
}
