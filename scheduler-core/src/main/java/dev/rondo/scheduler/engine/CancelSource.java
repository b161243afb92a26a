package dev.rondo.scheduler.engine;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What can cancel a part of a task: a seam for scopes.
///
/// A task has the innermost source that its code is in, see [StackfulTask#cancelSource()]. It asks
/// that source which request is due, when a request or the source has changed.
///
/// Confined to the scheduler's thread.
public interface CancelSource {

  /// {@return the request that holds for the code in this source; null if there is none}
  ///
  /// @param ofTask the request to cancel the whole task; null if there is none
  @Nullable CancelRequest due(@Nullable CancelRequest ofTask);

  /// {@return the earliest deadline of this source and of those around it}
  OptionalLong deadlineNanos();
}
