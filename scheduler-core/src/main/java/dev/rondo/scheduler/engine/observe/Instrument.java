package dev.rondo.scheduler.engine.observe;

/// A way to observe a scheduler, as asked for in its builder. Opened once for each scheduler.
@FunctionalInterface
public interface Instrument {

  /// Opens the instrument, when the rest of the scheduler is complete.
  ///
  /// @return receives what happens from now on
  /// @throws IllegalStateException if the scheduler cannot have this instrument
  EngineListener open(LoopView loop);

  /// {@return an instrument that uses a module which a JVM may be started without}
  static Instrument needing(String module, Instrument instrument) {
    return loop -> {
      try {
        return instrument.open(loop);
      } catch (LinkageError e) {
        throw new IllegalStateException(
            "the scheduler's builder asks for something that needs the module "
                + module
                + ": start the JVM with --add-modules "
                + module,
            e);
      }
    };
  }
}
