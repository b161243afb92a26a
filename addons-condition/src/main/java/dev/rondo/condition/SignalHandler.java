package dev.rondo.condition;

import org.jspecify.annotations.Nullable;

/// The action of a handler that receives the payload of a signal.
///
/// @param <T> the payload
@FunctionalInterface
public interface SignalHandler<T extends @Nullable Object> {

  /// Handles a signal, in the task of the registration.
  ///
  /// @param payload the payload that the signal was sent with
  /// @throws Exception ends the registration and goes to the scheduler's failure handler
  void handle(T payload) throws Exception;
}
