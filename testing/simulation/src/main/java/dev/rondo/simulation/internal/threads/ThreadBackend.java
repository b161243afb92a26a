package dev.rondo.simulation.internal.threads;

import dev.rondo.scheduler.coroutine.CoroutineBackend;
import java.time.Duration;

/// A backend whose tasks are the threads of a program: they are blocked by calls of the JDK, and
/// other tasks of the same host unblock them. An instance belongs to one loop of a host.
///
/// Confined to the world's thread and the tasks of its hosts.
public interface ThreadBackend extends CoroutineBackend {

  /// Called once, before the first turn.
  ///
  /// @param seat what the program has of its host
  void begin(HostSeat seat);

  /// {@return how many coroutines a call of the JDK blocks} None of them waits for something
  /// outside of the world.
  int blockedCount();

  /// {@return whether the thread that has the turn initialises a class which all runs share}
  boolean isInitialising();

  /// The main thread of the program has failed.
  ///
  /// @return whether the program has a handler for that, which was called
  boolean handles(Throwable failure);

  /// The main thread of the program has ended.
  void mainEnded();

  /// Asks the program to end.
  ///
  /// @param limit after which it is killed
  void terminate(Duration limit);

  /// The program has ended: none of its coroutines is resumed again.
  void end();
}
