package dev.rondo.scheduler;

import java.util.Objects;

/// A declaration that other threads may call a scheduler, see [Scheduler#keepAlive()]. Confined to
/// the scheduler's thread.
public final class KeepAlive implements AutoCloseable {

  private final Runnable withdrawal;

  /// For the engine: programs call [Scheduler#keepAlive()].
  ///
  /// @param withdrawal runs at each call of `close`
  public KeepAlive(Runnable withdrawal) {
    this.withdrawal = Objects.requireNonNull(withdrawal, "withdrawal is null");
  }

  /// Withdraws the declaration. Later calls do nothing.
  @Override
  public void close() {
    withdrawal.run();
  }

  @Override
  public String toString() {
    return "keepAlive()";
  }
}
