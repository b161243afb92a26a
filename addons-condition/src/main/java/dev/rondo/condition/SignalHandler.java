package dev.rondo.condition;

import org.jspecify.annotations.Nullable;

/// What to do with a signal.
///
/// @param <T> what the signal carries
@FunctionalInterface
public interface SignalHandler<T extends @Nullable Object> {

  /// Does it, in a task of its own.
  ///
  /// @param payload what the signal was sent with
  /// @throws Exception ends the registration and goes to the scheduler's failure handler
  void handle(T payload) throws Exception;
}
