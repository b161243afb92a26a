package dev.rondo.simulation.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Operations of a map with one key each, for a `History`. A get answers the value or null, a put
/// and a removal null, and a comparison whether the value was set. Each key is checked alone.
///
/// @param <K> the keys; they have `equals` and `hashCode`
/// @param <V> the values; they have `equals` and `hashCode`
public sealed interface KeyValue<K, V> {

  /// {@return the key}
  K key();

  /// Answers the value.
  ///
  /// @param key of it
  /// @param <K> the keys
  /// @param <V> the values
  record Get<K, V>(K key) implements KeyValue<K, V> {

    @Override
    public String toString() {
      return "get " + key;
    }
  }

  /// Sets the value.
  ///
  /// @param key of it
  /// @param value the new one
  /// @param <K> the keys
  /// @param <V> the values
  record Put<K, V>(K key, V value) implements KeyValue<K, V> {

    @Override
    public String toString() {
      return "put %s=%s".formatted(key, value);
    }
  }

  /// Takes the value away.
  ///
  /// @param key of it
  /// @param <K> the keys
  /// @param <V> the values
  record Remove<K, V>(K key) implements KeyValue<K, V> {

    @Override
    public String toString() {
      return "remove " + key;
    }
  }

  /// Sets the value if it is an expected one.
  ///
  /// @param key of it
  /// @param expected compared with `equals`; null: there is none
  /// @param value the new one
  /// @param <K> the keys
  /// @param <V> the values
  record CompareAndSet<K, V>(K key, @Nullable V expected, V value) implements KeyValue<K, V> {

    @Override
    public String toString() {
      return "compare and set %s from %s to %s".formatted(key, expected, value);
    }
  }

  /// {@return the model of a map that is empty at first} Its state is the value of one key.
  ///
  /// @param <K> the keys
  /// @param <V> the values
  static <K, V> Model<@Nullable V, KeyValue<K, V>, @Nullable Object> model() {
    return new Model<>() {
      @Override
      public @Nullable V initial() {
        return null;
      }

      @Override
      public Step<@Nullable V, @Nullable Object> apply(@Nullable V state, KeyValue<K, V> input) {
        return switch (input) {
          case Get<K, V> _ -> new Step<>(state, state);
          case Put<K, V> put -> new Step<>(put.value(), null);
          case Remove<K, V> _ -> new Step<>(null, null);
          case CompareAndSet<K, V> set ->
              Objects.equals(set.expected(), state)
                  ? new Step<>(set.value(), true)
                  : new Step<>(state, false);
        };
      }

      @Override
      public Object part(KeyValue<K, V> input) {
        return input.key();
      }
    };
  }
}
