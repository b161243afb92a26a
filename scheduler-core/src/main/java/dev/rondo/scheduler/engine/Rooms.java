package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.engine.util.Providers;

/// Finds the rooms of the engine.
///
/// The kernel is this package, together with the packages of the scheduler, its add-ons and its
/// coroutines. A *room* is a package below this one. It sees the kernel, and the kernel does not
/// see it. Where the kernel has to ask for something that a room makes, as a group or a choice,
/// there is a *door* in the kernel: an abstract class, such as [Scopes]. To hang on a room:
///
/// 1. Write the door in this package: what the kernel asks for, as abstract methods, and a static
///    method that calls [#behind].
/// 2. Extend it in the room, by a public final class with a public constructor without arguments.
///    One room serves all schedulers, so it has no state.
/// 3. Name both in `module-info.java`, as `uses` and `provides`, and for the class path in
///    `META-INF/services`.
/// 4. Name the package in `ROOMS` of `ArchitectureTest` and of `CoreCounts`, and say in its
///    `package-info.java` on which door and which seams it hangs.
///
/// Where the kernel only calls what a room has given it, no door is needed but a *seam*, an
/// interface or an abstract class of the kernel: [TaskOwner], [CancelSource], [WaitStep].
///
/// No class of a room is loaded before the kernel asks for it.
public final class Rooms {

  private static final ClassValue<Object> FOUND =
      new ClassValue<>() {
        @Override
        protected Object computeValue(Class<?> door) {
          return load(door);
        }
      };

  private Rooms() {}

  /// {@return the room behind a door} The first call finds it.
  ///
  /// @param door an abstract class of this package
  /// @throws IllegalStateException if the module path or the class path does not have the room, or
  ///   it cannot be loaded
  static <D> D behind(Class<D> door) {
    return door.cast(FOUND.get(door));
  }

  private static Object load(Class<?> door) {
    return Providers.of(door).stream()
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "no class extends "
                    + door.getName()
                    + ": the jar of the scheduler is not complete, or its META-INF/services was"
                    + " lost when it was packed into another one"));
  }
}
