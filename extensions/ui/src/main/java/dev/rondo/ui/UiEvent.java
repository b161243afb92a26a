package dev.rondo.ui;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The next event of some kind, as a waitable. A `UiEvent` behaves like a signal: an event wakes
/// every waiting task, and is lost if no task waits. To lose no event, send the events to a channel
/// from a listener. A `UiEvent` is registered with its source only while a task waits.
///
/// Only tasks of its scheduler may wait for it. Confined to the UI thread.
///
/// @param <E> the type of the toolkit's event
public final class UiEvent<E> implements Waitable<E> {

  /// A source of events, to which a listener can be added.
  ///
  /// @param <E> the type of the toolkit's event
  @FunctionalInterface
  public interface Source<E> {

    /// Adds a listener. On the UI thread.
    ///
    /// @param listener must be called on the UI thread
    /// @return an action that removes the listener; it may run while the listener is being called
    Runnable listen(Consumer<? super E> listener);
  }

  private final Scheduler scheduler;
  private final String name;
  private final Source<E> source;
  private final WaitQueue<E> waiters = new WaitQueue<>();

  /// Removes the listener; null if there is none.
  private @Nullable Runnable listening;

  /// Makes a waitable for the events of a source. Never a suspension point.
  ///
  /// @param scheduler whose tasks wait; on the UI thread
  /// @param name shown in reports
  /// @param source the source of the events
  public UiEvent(Scheduler scheduler, String name, Source<E> source) {
    this.scheduler = Objects.requireNonNull(scheduler, "scheduler is null");
    this.name = Objects.requireNonNull(name, "name is null");
    this.source = Objects.requireNonNull(source, "source is null");
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
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public String toString() {
    return name;
  }
}
