package dev.rondo.scheduler;

/// A declaration that other threads may call a scheduler, see [Scheduler#keepAlive()]. Confined to
/// the scheduler's thread.
public interface KeepAlive extends AutoCloseable {

  /// Withdraws the declaration. Later calls do nothing.
  @Override
  void close();
}
