package dev.rondo.scheduler;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// See [ReceiveChannel#iterator()]. Receives one element ahead, which `hasNext` needs.
final class ReceivedElements<T> implements Iterator<T> {

  private final ReceiveChannel<T> channel;

  /// Null before `hasNext` has looked; empty at the end.
  private @Nullable Optional<T> ahead;

  ReceivedElements(ReceiveChannel<T> channel) {
    this.channel = channel;
  }

  @Override
  public boolean hasNext() {
    return ahead().isPresent();
  }

  private Optional<T> ahead() {
    Optional<T> known = ahead;
    if (known == null) {
      ahead = known = Scheduler.current().host().awaitEvent(channel.receivingOrEnd());
    }
    return known;
  }

  @Override
  public T next() {
    T element =
        ahead().orElseThrow(() -> new NoSuchElementException(channel + " was closed and is empty"));
    ahead = null;
    return element;
  }
}
