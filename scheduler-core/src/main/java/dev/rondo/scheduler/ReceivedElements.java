package dev.rondo.scheduler;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// See [ReceiveChannel#iterator()]. Receives one element ahead, which `hasNext` needs.
final class ReceivedElements<T> implements Iterator<T> {

  private final ReceiveChannel<T> channel;

  /// Null before `hasNext` has looked, and at the end.
  private @Nullable T ahead;

  private boolean ended;

  ReceivedElements(ReceiveChannel<T> channel) {
    this.channel = channel;
  }

  @Override
  public boolean hasNext() {
    if (ahead == null && !ended) {
      Optional<T> next = Scheduler.current().host().awaitEvent(channel.receivingOrEnd());
      ahead = next.orElse(null);
      ended = next.isEmpty();
    }
    return !ended;
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException(channel + " was closed and is empty");
    }
    T element = Objects.requireNonNull(ahead);
    ahead = null;
    return element;
  }
}
