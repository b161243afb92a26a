package dev.rondo.condition;

import org.jspecify.annotations.Nullable;

/// The action of a handler that receives a value: the payload of a signal, or the value of a
/// predicate.
///
/// @param <T> the value
@FunctionalInterface
public interface SignalHandler<T extends @Nullable Object> {

  /// Handles the event, in the task of the registration. May suspend at any depth.
  ///
  /// @param value the payload of the signal, or the value that the predicate returned
  /// @throws Exception ends the registration and goes to the scheduler's failure handler
  void handle(T value) throws Exception;
}
