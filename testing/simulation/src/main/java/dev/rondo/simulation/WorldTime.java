package dev.rondo.simulation;

import dev.rondo.simulation.internal.net.Clock;

/// The time of a world: moved by the world alone, read by any thread.
final class WorldTime implements Clock {

  /// Written by the world's thread.
  private volatile long now;

  private boolean movable;

  @Override
  public long nanos() {
    return now;
  }

  /// @throws IllegalStateException if a program moves it, and not the world
  @Override
  public void advanceTo(long nanos) {
    if (!movable) {
      throw new IllegalStateException(
          "an operation in blocking mode would stop all hosts of the world: use non-blocking"
              + " channels in a task, and World.runFor(..) to let time pass");
    }
    now = nanos;
  }

  /// @param nanos an instant that is not before now
  void moveTo(long nanos) {
    now = nanos;
  }

  /// Says whether the world is letting time pass.
  void movable(boolean on) {
    movable = on;
  }
}
