package dev.rondo.scheduler.engine.rooms;

import java.util.function.Supplier;

/// A wait that a task may have to keep until its event comes, and that can fail then, such as the
/// wait for the tasks of a group. See [dev.rondo.scheduler.internal.rooms.TaskControl#failWait].
///
/// Confined to the scheduler's thread.
public interface KeptWait {

  /// {@return whether this wait may end with a failure while it must not end in another way without
  /// its event}
  boolean mayFail();

  /// Keeps a failure for later, because this wait must not end with it.
  ///
  /// @return false if the failure is refused
  boolean failLater(Supplier<? extends Throwable> failure);
}
