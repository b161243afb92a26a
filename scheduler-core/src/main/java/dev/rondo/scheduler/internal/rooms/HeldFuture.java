package dev.rondo.scheduler.internal.rooms;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import org.jspecify.annotations.Nullable;

/// A future that one task completes, usually a task of another scheduler. A wait for the future,
/// through [Scheduler#completion], is a wait for that task. Deadlock reports follow it from loop to
/// loop.
public interface HeldFuture {

  /// {@return the task that completes the future; null if it has not begun, or is not known} Any
  /// thread.
  @Nullable Task<?> holder();

  /// {@return the scheduler whose tasks complete the future; null if it is not known} A wait by a
  /// task of that scheduler does not count as a wait for other threads: virtual time passes during
  /// the wait, and the wait can be part of a deadlock. Returns the same scheduler each time. Any
  /// thread.
  default @Nullable Scheduler scheduler() {
    return null;
  }
}
