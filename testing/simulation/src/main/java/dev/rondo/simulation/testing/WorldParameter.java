package dev.rondo.simulation.testing;

import dev.rondo.application.Application;
import dev.rondo.exploration.Choices;
import dev.rondo.junit.internal.RunParameter;
import dev.rondo.observe.Recorder;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.simulation.World;
import dev.rondo.time.VirtualClock;
import java.util.Set;

/// The [World] of a test, made from the choices of the run and closed after it.
public final class WorldParameter implements RunParameter<World> {

  /// What each host of a world has for itself.
  private static final Set<Class<?>> OF_HOSTS =
      Set.of(Application.class, Scheduler.class, VirtualClock.class);

  /// For the loader of services.
  public WorldParameter() {}

  @Override
  public Class<World> type() {
    return World.class;
  }

  @Override
  public void checkBeside(Class<?> other) {
    if (OF_HOSTS.contains(other)) {
      throw new IllegalArgumentException(
          "a test with a World drives it from outside and has no %s: each host has its own, see WorldHost"
              .formatted(other.getSimpleName()));
    }
  }

  @Override
  public World open(Choices choices) {
    return World.with(choices);
  }

  @Override
  public boolean record(World opened, Recorder recorder) {
    World _ = opened.recorder(recorder);
    return true;
  }

  @Override
  public void close(World opened) {
    opened.close();
  }
}
