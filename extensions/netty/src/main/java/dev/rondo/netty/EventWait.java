package dev.rondo.netty;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An event that Netty's event loop brings. Any number of tasks may wait for it, first come, first
/// served.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of its result
abstract class EventWait<T extends @Nullable Object> implements Waitable<T> {

  private final NettyEvents events;
  private final WaitQueue<T> waiting = new WaitQueue<>();

  EventWait(NettyEvents events) {
    this.events = events;
  }

  /// Ends a wait that is over.
  ///
  /// @return whether the waiter took it
  abstract boolean settle(Waiter<? super T> waiter);

  final boolean isAwaited() {
    return !waiting.isEmpty();
  }

  /// {@return which tasks wait for it, for people}
  final List<String> waits() {
    return OpenNettyChannel.waits(waiting, this);
  }

  /// Removes the first wait, for the caller to end it.
  ///
  /// @return null if there is none
  final @Nullable Waiter<? super T> next() {
    Waiter<? super T> first = waiting.poll();
    if (first != null) {
      events.waitEnded();
    }
    return first;
  }

  /// All waits are over.
  final void settleAll() {
    for (Waiter<? super T> each; (each = next()) != null; ) {
      boolean _ = settle(each);
    }
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    waiting.add(waiter);
    events.waitBegun();
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    if (waiting.remove(waiter)) {
      events.waitEnded();
    }
  }

  @Override
  public final Scheduler scheduler() {
    return events.scheduler();
  }
}
