package dev.rondo.scheduler.engine;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A source of requests that cancel a part of a task: a seam for scopes.
///
/// A task keeps the innermost source that its code is in, see [TaskExtras#cancelSource]. When a
/// request or the source has changed, the task asks the source which request is due.
///
/// Confined to the scheduler's thread.
public interface CancelSource {

  /// {@return the request that holds for the code in this source; null if there is none}
  ///
  /// @param ofTask the request to cancel the whole task; null if there is none
  @Nullable CancelRequest due(@Nullable CancelRequest ofTask);

  /// {@return the earliest deadline of this source and of the sources around it}
  OptionalLong deadlineNanos();
}
