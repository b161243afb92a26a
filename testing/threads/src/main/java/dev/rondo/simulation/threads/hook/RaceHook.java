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
  /// @param does `reads`, `writes`, `calls` or `locks`; the first two with `volatile` behind it, if
  ///   the field is
  /// @param what the field or the method
  /// @param packages a bit for each of the packages that the class belongs to
  public static void point(@Nullable Object of, int index, String does, String what, int packages) {
    Program own = Hook.free();
    if (own != null) {
      own.racePoint(of, index, does, what, packages);
    }
  }

  /// A thread sees from now on what others have done before they released an object.
  ///
  /// @param by a monitor, a thread, or what has volatile fields
  public static void acquires(@Nullable Object by) {
    Program own = Hook.current();
    if (own != null && by != null) {
      own.acquires(by);
    }
  }

  /// Others see what a thread has done, when they acquire an object.
  ///
  /// @param by as of [#acquires]
  public static void releases(@Nullable Object by) {
    Program own = Hook.current();
    if (own != null && by != null) {
      own.releases(by);
    }
  }

  /// Both.
  ///
  /// @param by as of [#acquires]
  public static void acquiresAndReleases(@Nullable Object by) {
    acquires(by);
    releases(by);
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
