package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.KeepAliveCore;

/// A declaration that other threads may call a scheduler, see [Scheduler#keepAlive()]. Confined to
/// the scheduler's thread.
public abstract sealed class KeepAlive implements AutoCloseable permits KeepAliveCore {

  /// For the engine.
  protected KeepAlive() {}

  /// Withdraws the declaration. Later calls do nothing.
  @Override
  public abstract void close();
}
