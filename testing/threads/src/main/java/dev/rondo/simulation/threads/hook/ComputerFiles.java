package dev.rondo.simulation.threads.hook;

import java.io.File;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The files of the computer that all programs read, and none writes: the JDK, the class path, and
/// the folders of native libraries. Whether a file is one of them is asked while classes are
/// loaded, so this needs no class that the loader of the JDK does not have.
///
/// Any thread.
final class ComputerFiles {

  private static final Set<Path> ROOTS = roots();

  private ComputerFiles() {}

  private static Set<Path> roots() {
    Set<Path> roots = ConcurrentHashMap.newKeySet();
    add(roots, System.getProperty("java.home"));
    for (String each : List.of("java.class.path", "java.library.path", "sun.boot.library.path")) {
      for (String entry : System.getProperty(each, "").split(File.pathSeparator, -1)) {
        if (!entry.isEmpty()) {
          add(roots, entry);
        }
      }
    }
    return roots;
  }

  private static void add(Set<Path> roots, String name) {
    Path path = Path.of(name).toAbsolutePath().normalize();
    roots.add(path);
    try {
      roots.add(path.toRealPath());
    } catch (IOException e) {
      // an entry of a class path need not be there
    }
  }

  /// Adds a copy that the simulation has made.
  static void add(Path copy) {
    add(ROOTS, copy.toString());
  }

  /// Removes a copy that the simulation has deleted.
  static void remove(Path copy) {
    boolean _ = ROOTS.remove(copy.toAbsolutePath().normalize());
  }

  /// {@return whether a file is one of them}
  ///
  /// @param name of the file
  static boolean contain(String name) {
    if (name.indexOf('\0') >= 0) {
      return true; // the JDK says that there is no such file
    }
    Path path;
    try {
      path = Path.of(name).toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      return false; // the disk says so
    }
    for (Path each = path; each != null; each = each.getParent()) {
      if (ROOTS.contains(each)) {
        return true;
      }
    }
    return false;
  }
}
