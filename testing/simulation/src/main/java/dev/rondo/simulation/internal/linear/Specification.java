package dev.rondo.simulation.internal.linear;

import org.jspecify.annotations.Nullable;

/// What the operations of a search do one after the other.
///
/// @param <S> the states, compared with `equals`
public interface Specification<S extends @Nullable Object> {

  /// {@return the state before any operation}
  S initial();

  /// {@return the state after an operation; null if the operation did not return what it returns in
  /// this state} A pending operation fits in each state.
  ///
  /// @param state before it
  /// @param operation its number
  @Nullable Next<S> apply(S state, int operation);

  /// A state, which may be null.
  ///
  /// @param state the state
  record Next<S extends @Nullable Object>(S state) {}
}
