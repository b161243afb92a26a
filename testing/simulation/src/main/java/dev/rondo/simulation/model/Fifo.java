package dev.rondo.simulation.model;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Operations of a queue, first in, first out, for a `History`. An addition answers null, a poll
/// the first element, or null if there is none.
///
/// @param <E> the elements; they have `equals` and `hashCode`
public sealed interface Fifo<E> {

  /// Adds an element at the end.
  ///
  /// @param element the element
  /// @param <E> the elements
  record Add<E>(E element) implements Fifo<E> {

    @Override
    public String toString() {
      return "add " + element;
    }
  }

  /// Takes the first element.
  ///
  /// @param <E> the elements
  record Poll<E>() implements Fifo<E> {

    @Override
    public String toString() {
      return "poll";
    }
  }

  /// {@return the model of a queue that is empty at first}
  ///
  /// @param <E> the elements
  static <E> Model<List<E>, Fifo<E>, @Nullable Object> model() {
    return new Model<>() {
      @Override
      public List<E> initial() {
        return List.of();
      }

      @Override
      public Step<List<E>, @Nullable Object> apply(List<E> state, Fifo<E> input) {
        return switch (input) {
          case Add<E>(E element) -> {
            var longer = new ArrayList<>(state);
            longer.add(element);
            yield new Step<>(List.copyOf(longer), null);
          }
          case Poll<E>() ->
              state.isEmpty()
                  ? new Step<>(state, null)
                  : new Step<>(List.copyOf(state.subList(1, state.size())), state.getFirst());
        };
      }
    };
  }
}
