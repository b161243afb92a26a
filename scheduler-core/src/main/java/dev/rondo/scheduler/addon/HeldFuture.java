package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import org.jspecify.annotations.Nullable;

/// A future that one task completes, usually a task of another scheduler. A wait for the future,
/// through [dev.rondo.scheduler.Scheduler#completion], is a wait for that task. Deadlock reports
/// follow it from loop to loop.
public interface HeldFuture {

  /// {@return the task that completes the future; null if it has not begun, or is not known} Any
  /// thread.
  @Nullable Task<?> holder();
}
