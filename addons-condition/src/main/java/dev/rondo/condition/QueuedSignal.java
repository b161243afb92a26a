package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A [Signal] that is not lost: sent when nobody waits it is kept, and the next to wait takes it at
/// once. What is kept is taken in the order it was sent, each by one wait.
///
/// It is taken rather than seen, so it is no part of a [CompositeSignal]; in a select it loses
/// nothing. How many are kept is not limited: for a limit, and for senders that wait, use a
/// channel.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what it carries
public final class QueuedSignal<T extends @Nullable Object> implements Waitable<T> {

  private final Scheduler scheduler;
  private final String name;
  private final WaitQueue<T> waiters = new WaitQueue<>();

  /// Payloads that nobody has taken; a deque holds no null.
  private final Deque<Optional<T>> kept = new ArrayDeque<>();

  /// {@return a signal that is kept when it is sent and nobody waits} Never a suspension point.
  ///
  /// @param <T> what it carries
  /// @param scheduler whose tasks wait for it
  /// @param name shown in reports
  public static <T extends @Nullable Object> QueuedSignal<T> create(
      Scheduler scheduler, String name) {
    return new QueuedSignal<>(scheduler, name);
  }

  private QueuedSignal(Scheduler scheduler, String name) {
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    this.name = requireNonNull(name, "name is null");
  }

  // Sending.

  /// Wakes the task that has waited longest; if nobody waits the signal is kept. Never a suspension
  /// point.
  ///
  /// @param payload what its wait results in
  /// @return whether somebody waited; if not, it is kept
  public boolean signalOne(T payload) {
    scheduler.host().checkThread();
    return waiters.fireFirst(payload) || !keep(payload);
  }

  /// Wakes all tasks that wait now, in the order they began to; if nobody waits the signal is kept,
  /// for one. Never a suspension point.
  ///
  /// @param payload what their waits result in
  /// @return how many were woken; if none, it is kept
  public int signalAll(T payload) {
    scheduler.host().checkThread();
    int woken = waiters.fireAll(payload);
    if (woken == 0) {
      var _ = keep(payload);
    }
    return woken;
  }

  @SuppressWarnings("NullAway") // null is an empty one
  private boolean keep(T payload) {
    return kept.add(Optional.ofNullable(payload));
  }

  // Handlers.

  /// Runs a handler for each signal that is kept or comes, one after the other; see
  /// [HandlerRegistration]. One that is sent while the handler is under way is kept. One that has
  /// come when the registration is cancelled, before the handler ran, is left to the next who
  /// waits. Never a suspension point.
  ///
  /// @param handler may suspend
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration onSignal(SignalHandler<? super T> handler) {
    requireNonNull(handler, "handler is null");
    return HandlerRegistration.always(scheduler, "onSignal " + name, this, handler, this::giveBack);
  }

  @SuppressWarnings("NullAway") // null is an empty one
  private void giveBack(T payload) {
    if (!waiters.fireFirst(payload)) {
      kept.addFirst(Optional.ofNullable(payload));
    }
  }

  // Looking.

  /// {@return its name}
  public String name() {
    return name;
  }

  /// {@return how many wait for it}
  public int waiterCount() {
    scheduler.host().checkThread();
    return waiters.size();
  }

  /// {@return how many are kept}
  public int kept() {
    scheduler.host().checkThread();
    return kept.size();
  }

  /// Forgets those that are kept. Never a suspension point.
  ///
  /// @return how many they were
  public int clear() {
    scheduler.host().checkThread();
    int forgotten = kept.size();
    kept.clear();
    return forgotten;
  }

  // Being awaited.

  @Override
  @SuppressWarnings("NullAway") // an empty one is null
  public boolean poll(Waiter<? super T> waiter) {
    scheduler.host().checkThread();
    Optional<T> first = kept.peek();
    if (first == null || !waiter.fire(first.orElse(null))) {
      return false;
    }
    var _ = kept.remove();
    return true;
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    if (!poll(waiter)) {
      waiters.add(waiter);
    }
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    var _ = waiters.remove(waiter);
  }

  @Override
  public String toString() {
    return "queued signal '" + name + "'";
  }
}
