package dev.rondo.scheduler;

/// A way to see inside that a [SchedulerBuilder] was asked for; opened for each scheduler it makes.
@FunctionalInterface
interface Instrument {

  /// Made when the rest of the loop is there.
  ///
  /// @throws IllegalStateException if this scheduler cannot have it
  TaskListener open(Loop loop);

  /// One that is made of a module of the JDK that a JVM may come without.
  static Instrument needing(String module, Instrument instrument) {
    return loop -> {
      try {
        return instrument.open(loop);
      } catch (LinkageError e) {
        throw new IllegalStateException(
            "what the builder was asked for needs the module "
                + module
                + ": start the JVM with --add-modules "
                + module,
            e);
      }
    };
  }
}
