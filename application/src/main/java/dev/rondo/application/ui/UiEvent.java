package dev.rondo.application.ui;

import dev.rondo.scheduler.WaitQueue;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The next event of some kind, to be awaited or selected. Like a signal: everybody who waits is
/// woken, and an event while nobody waits is lost; to lose none have a listener send to a channel.
/// It listens only while somebody waits.
///
/// @param <E> the toolkit's event
public final class UiEvent<E> implements Waitable<E> {

  /// Something that can be listened to.
  ///
  /// @param <E> the toolkit's event
  @FunctionalInterface
  public interface Source<E> {

    /// Adds a listener. On the UI thread.
    ///
    /// @param listener to be called on the UI thread
    /// @return removes it again; may be run while the listener is being called
    Runnable listen(Consumer<? super E> listener);
  }

  private final String name;
  private final Source<E> source;
  private final WaitQueue<E> waiters = new WaitQueue<>();

  /// Removes the listener; null if there is none.
  private @Nullable Runnable listening;

  /// Listens to nothing yet.
  ///
  /// @param name shown in reports
  /// @param source where it comes from
  public UiEvent(String name, Source<E> source) {
    this.name = Objects.requireNonNull(name, "name");
    this.source = Objects.requireNonNull(source, "source");
  }

  @Override
  public void arm(Waiter<? super E> waiter) {
    if (listening == null) {
      listening = source.listen(this::happened);
    }
    waiters.add(waiter);
  }

  @Override
  public void disarm(Waiter<? super E> waiter) {
    waiters.remove(waiter);
    listenNoLonger();
  }

  private void happened(E event) {
    waiters.fireAll(event);
    listenNoLonger();
  }

  private void listenNoLonger() {
    Runnable remove = listening;
    if (remove != null && waiters.isEmpty()) {
      listening = null;
      remove.run();
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
