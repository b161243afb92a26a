package dev.rondo.scheduler;

import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The result of a select.
///
/// @param <T> what it results in
/// @param index which branch won, counted from 0
/// @param value the value of its event
public record Selection<T extends @Nullable Object>(int index, T value) {

  /// {@return the first of several events}
  static <T extends @Nullable Object> Waitable<Selection<T>> anyOf(
      Waitable<? extends T>[] branches) {
    Objects.requireNonNull(branches, "branches is null");
    var indexed = new ArrayList<Waitable<Selection<T>>>(branches.length);
    for (int i = 0; i < branches.length; i++) {
      int index = i;
      Waitable<? extends T> branch = Objects.requireNonNull(branches[i], "branch is null");
      indexed.add(branch.map(value -> new Selection<T>(index, value)));
    }
    return Waitable.anyOf(indexed);
  }
}
