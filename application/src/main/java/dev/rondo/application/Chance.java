package dev.rondo.application;

import static java.util.Objects.requireNonNull;

import dev.rondo.application.internal.ChanceOfWorld;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.internal.rooms.LoopControl;

/// Marks places of a program where it may be unlucky: a cache that is full, a batch of one, a lease
/// that was lost. In production nothing happens there. In a simulated world chance decides, so that
/// tests come to code that almost never runs.
///
/// ```
/// if (cache.isFull() || Chance.rarely("full cache")) {
///   evict();
/// }
/// ```
///
/// Any thread.
public final class Chance {

  private Chance() {}

  /// {@return whether the program is unlucky there: never outside of a simulated world} A place can
  /// be unlucky in a quarter of all runs, and in these runs it is unlucky each fourth time. Both
  /// are choices of the run, and no is the simpler choice. Never a suspension point.
  ///
  /// @param what the name of the place, in messages and for the whole world
  public static boolean rarely(String what) {
    requireNonNull(what, "what is null");
    Scheduler running = Scheduler.currentOrNull();
    return running != null
        && LoopControl.of(running.host()).idleStrategy() instanceof ChanceOfWorld world
        && world.rarely(what);
  }
}
