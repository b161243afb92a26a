package dev.rondo.cluster;

import dev.rondo.scheduler.Scheduler;

/// Chooses the engine of a scheduler: one that is simulated on the hosts of a world, and JGroups
/// everywhere else. Simulation is an optional dependency.
final class Engines {

  private static final boolean SIMULATES = isThere("dev.rondo.simulation.WorldHost");

  private Engines() {}

  private static boolean isThere(String type) {
    try {
      Class<?> found = Class.forName(type, false, Engines.class.getClassLoader());
      // It may be on the class path, and this class on the module path.
      Module _ = Engines.class.getModule().addReads(found.getModule());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  static Engine.Maker of(Scheduler scheduler) {
    return SIMULATES && WorldEngine.isFor(scheduler)
        ? WorldEngine.makerFor(scheduler)
        : JGroupsEngine::new;
  }
}
