package dev.rondo.simulation.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a system does if its operations come one after the other: the specification that a
/// `History` is checked against. Ready ones: [Register#model(Object)], [KeyValue#model()],
/// [Fifo#model()].
///
/// A model is deterministic and has no state of its own.
///
/// @param <S> the states: immutable, with `equals` and `hashCode`
/// @param <I> what is asked of the system: an operation and its arguments
/// @param <O> what it answers
public interface Model<S extends @Nullable Object, I, O extends @Nullable Object> {

  /// {@return the state before the first operation}
  S initial();

  /// {@return the state after an operation, and the answer to it}
  ///
  /// @param state before it; not changed
  /// @param input the operation
  Step<S, O> apply(S state, I input);

  /// {@return whether an answer is allowed} An equal one by default.
  ///
  /// @param expected the answer of the model
  /// @param observed the answer of the system
  default boolean accepts(O expected, O observed) {
    return Objects.equals(expected, observed);
  }

  /// {@return the part of the system that an operation concerns, null by default} Operations of
  /// different parts must have nothing to do with each other: each part has a state of its own and
  /// is checked alone, which is much faster.
  ///
  /// @param input the operation
  default @Nullable Object part(I input) {
    return null;
  }

  /// A state and an answer.
  ///
  /// @param <S> the states
  /// @param <O> the answers
  /// @param state after the operation
  /// @param output the answer
  record Step<S extends @Nullable Object, O extends @Nullable Object>(S state, O output) {}
}
