package dev.rondo.scheduler.engine;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Counts the work of other threads that may still wake tasks of a scheduler. While there is such
/// work, tasks that nothing in the scheduler can wake are not a deadlock.
///
/// Confined to the scheduler's thread.
public final class ExternalWork {

  /// The number of waits that other threads end: for completions, blocking calls, and calls of the
  /// JDK that block a task.
  private int waits;

  /// The number of open [dev.rondo.scheduler.KeepAlive]s.
  private int expectedCallers;

  /// Whether tasks wait until another thread asks for the shutdown; null if no shutdown is
  /// expected.
  private @Nullable BooleanSupplier shutdownIsAwaited;

  /// Called when a task begins to wait for another thread.
  public void waitBegun() {
    waits++;
  }

  /// Called when a wait for another thread has ended.
  public void waitEnded() {
    waits--;
  }

  public int waits() {
    return waits;
  }

  /// Called when a [dev.rondo.scheduler.KeepAlive] is opened.
  public void callerExpected() {
    expectedCallers++;
  }

  /// Called when a [dev.rondo.scheduler.KeepAlive] is closed.
  public void callerGone() {
    expectedCallers--;
  }

  /// Called when another thread may ask for a shutdown.
  ///
  /// @param isAwaited whether tasks wait for the shutdown
  public void expectShutdown(BooleanSupplier isAwaited) {
    shutdownIsAwaited = isAwaited;
  }

  /// Whether another thread may ask for a shutdown.
  boolean expectsShutdown() {
    return shutdownIsAwaited != null;
  }

  public boolean isPossible() {
    return waits > 0
        || expectedCallers > 0
        || (shutdownIsAwaited != null && shutdownIsAwaited.getAsBoolean());
  }
}
