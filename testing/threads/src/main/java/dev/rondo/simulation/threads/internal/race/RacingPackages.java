package dev.rondo.simulation.threads.internal.race;

import dev.rondo.application.internal.FreshClassLoader;
import java.util.ArrayList;
import java.util.List;

/// The packages and classes whose threads race in some world of this JVM. Each has a bit, which is
/// in its code: a world looks at the packages that it has asked for.
///
/// Any thread.
public final class RacingPackages {

  private static final int MOST = Integer.SIZE - 1;

  private final List<String> names = new ArrayList<>();

  /// None.
  public RacingPackages() {}

  /// Adds new packages.
  ///
  /// @param asked names without dots at their ends
  /// @return whether there is one
  public synchronized boolean add(List<String> asked) {
    boolean added = false;
    for (String each : asked) {
      if (!names.contains(each)) {
        if (names.size() == MOST) {
          throw new IllegalStateException(
              "threads of at most %d packages can race in one JVM: %s, and %s"
                  .formatted(MOST, names, each));
        }
        names.add(each);
        added = true;
      }
    }
    return added;
  }

  /// {@return the bits of some of them}
  public synchronized int bits(List<String> asked) {
    int bits = 0;
    for (String each : asked) {
      bits |= 1 << names.indexOf(each);
    }
    return bits;
  }

  /// {@return the bits of those that a class belongs to; 0 if there are none}
  ///
  /// @param type its name, with dots
  public synchronized int bitsOf(String type) {
    int bits = 0;
    for (int i = 0; i < names.size(); i++) {
      bits |= isIn(type, names.get(i)) ? 1 << i : 0;
    }
    return bits;
  }

  private static boolean isIn(String type, String name) {
    return type.startsWith(name)
        && (type.length() == name.length() || ".$".indexOf(type.charAt(name.length())) >= 0);
  }

  /// {@return a name without the two dots at its end, which say that packages below it belong to
  /// it}
  ///
  /// @throws IllegalArgumentException if the classes are none of programs
  public static String requireOfPrograms(String name) {
    String plain = name.endsWith("..") ? name.substring(0, name.length() - 2) : name;
    if (plain.isEmpty() || plain.endsWith(".") || FreshClassLoader.isShared(plain + ".Any")) {
      throw new IllegalArgumentException("'%s' is no package of a program".formatted(name));
    }
    return plain;
  }
}
