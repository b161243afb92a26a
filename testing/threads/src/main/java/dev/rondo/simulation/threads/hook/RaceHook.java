package dev.rondo.simulation.threads.hook;

import org.jspecify.annotations.Nullable;

/// What changed code calls before it does something that other threads may notice, or may have
/// changed: another thread can have the rest of the turn there.
public final class RaceHook {

  private RaceHook() {}

  /// A thread is about to do something.
  ///
  /// @param of the object, the array, or the monitor; null for a static field
  /// @param index in the array; -1 for none
  /// @param does `reads`, `writes`, `calls` or `locks`
  /// @param what the field or the method
  /// @param packages a bit for each of the packages that the class belongs to
  public static void point(@Nullable Object of, int index, String does, String what, int packages) {
    Program own = Hook.free();
    if (own != null) {
      own.racePoint(of, index, does, what, packages);
    }
  }

  /// A class initialiser begins, of a class that each run loads again.
  public static void initialising() {
    if (Hook.current() != null) {
      Hook.initialisingFresh(1);
    }
  }

  /// It ends.
  public static void initialised() {
    if (Hook.current() != null) {
      Hook.initialisingFresh(-1);
    }
  }
}
