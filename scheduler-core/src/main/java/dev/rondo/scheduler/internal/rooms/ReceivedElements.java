package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The iterator of a [dev.rondo.scheduler.ReceiveChannel]. Receives one element ahead, which
/// `hasNext` needs.
///
/// @param <T> the type of the elements
public final class ReceivedElements<T> implements Iterator<T> {

  private final Object source;
  private final Supplier<Optional<T>> receiving;

  /// Null before `hasNext` has looked, and at the end.
  private @Nullable T ahead;

  private boolean ended;

  /// @param source shown in messages
  /// @param receiving waits for the next element; the result is empty if there are no more elements
  public ReceivedElements(Object source, Supplier<Optional<T>> receiving) {
    this.source = requireNonNull(source, "source is null");
    this.receiving = requireNonNull(receiving, "receiving is null");
  }

  @Override
  public boolean hasNext() {
    if (ahead == null && !ended) {
      Optional<T> next = receiving.get();
      ahead = next.orElse(null);
      ended = next.isEmpty();
    }
    return !ended;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException(source + " was closed and is empty");
    }
    T element = requireNonNull(ahead);
    ahead = null;
    return element;
  }
}
