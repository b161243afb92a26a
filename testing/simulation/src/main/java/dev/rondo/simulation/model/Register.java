package dev.rondo.simulation.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Operations of a register, for a `History`. A read answers the value, a write null, and a
/// comparison whether the value was set.
///
/// @param <V> the values; they have `equals` and `hashCode`
public sealed interface Register<V extends @Nullable Object> {

  /// Answers the value.
  ///
  /// @param <V> the values
  record Read<V extends @Nullable Object>() implements Register<V> {

    @Override
    public String toString() {
      return "read";
    }
  }

  /// Sets the value.
  ///
  /// @param value the new one
  /// @param <V> the values
  record Write<V extends @Nullable Object>(V value) implements Register<V> {

    @Override
    public String toString() {
      return "write " + value;
    }
  }

  /// Sets the value if it is an expected one.
  ///
  /// @param expected compared with `equals`
  /// @param value the new one
  /// @param <V> the values
  record CompareAndSet<V extends @Nullable Object>(V expected, V value) implements Register<V> {

    @Override
    public String toString() {
      return "compare and set %s to %s".formatted(expected, value);
    }
  }

  /// {@return the model of a register}
  ///
  /// @param <V> the values
  /// @param initial its first value
  static <V extends @Nullable Object> Model<V, Register<V>, @Nullable Object> model(V initial) {
    return new Model<>() {
      @Override
      public V initial() {
        return initial;
      }

      @Override
      public Step<V, @Nullable Object> apply(V state, Register<V> input) {
        return switch (input) {
          case Read<V>() -> new Step<>(state, state);
          case Write<V>(V value) -> new Step<>(value, null);
          case CompareAndSet<V>(V expected, V value) ->
              Objects.equals(expected, state) ? new Step<>(value, true) : new Step<>(state, false);
        };
      }
    };
  }
}
