package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A [Signal] that is not lost. If no task waits, the signal is kept, and the next task that waits
/// takes it at once. Kept signals are taken in the order they were sent, each by one wait.
///
/// A queued signal is taken, not observed, so it cannot be part of a [CompositeSignal]. A select
/// does not lose it. The number of kept signals is not limited; for a limit, or for senders that
/// wait, use a channel.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the payload
public final class QueuedSignal<T extends @Nullable Object> implements Source<T> {

  private final Scheduler scheduler;
  private final String name;
  private final WaitQueue<T> waiters = new WaitQueue<>();

  /// Payloads that no task has taken; wrapped, because a deque holds no null.
  private final Deque<Optional<T>> kept = new ArrayDeque<>();

  /// Makes a new signal. Never a suspension point.
  ///
  /// @param scheduler whose tasks wait for it
  /// @param name shown in reports
  public QueuedSignal(Scheduler scheduler, String name) {
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    this.name = requireNonNull(name, "name is null");
  }

  // Sending.

  /// Wakes the task that has waited longest; if no task waits the signal is kept. Never a
  /// suspension point.
  ///
  /// @param payload the result of the wait
  /// @return whether a task waited; if not, the signal is kept
  public boolean signalOne(T payload) {
    scheduler.host().checkThread();
    return waiters.fireFirst(payload) || !keep(payload);
  }

  /// Wakes all tasks that wait now, in the order they began to wait; if no task waits the signal is
  /// kept, for one wait. Never a suspension point.
  ///
  /// @param payload the result of the waits
  /// @return the number of tasks that were woken; if none, the signal is kept
  public int signalAll(T payload) {
    scheduler.host().checkThread();
    int woken = waiters.fireAll(payload);
    if (woken == 0) {
      var _ = keep(payload);
    }
    return woken;
  }

  @SuppressWarnings("NullAway") // null becomes an empty Optional
  private boolean keep(T payload) {
    return kept.add(Optional.ofNullable(payload));
  }

  // Handlers.

  /// Runs a handler for each kept and each later signal, one after the other; see
  /// [HandlerRegistration]. A signal that is sent while the handler runs is kept. If the
  /// registration is cancelled before the handler runs for a signal, the next waiter takes that
  /// signal. Never a suspension point.
  ///
  /// @param handler may suspend
  /// @return the registration, to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration onSignal(SignalHandler<? super T> handler) {
    requireNonNull(handler, "handler is null");
    return HandlerRegistration.always(scheduler, "onSignal " + name, this, handler, this::giveBack);
  }

  @SuppressWarnings("NullAway") // null becomes an empty Optional
  private void giveBack(T payload) {
    if (!waiters.fireFirst(payload)) {
      kept.addFirst(Optional.ofNullable(payload));
    }
  }

  // Looking.

  /// {@return its name}
  String name() {
    return name;
  }

  /// {@return the number of tasks that wait for it}
  int waiterCount() {
    scheduler.host().checkThread();
    return waiters.size();
  }

  /// {@return the tasks that wait for it now, in the order they wake up} A task that waits in
  /// several branches of a select is listed for each. Never a suspension point.
  List<Task<?>> waiters() {
    scheduler.host().checkThread();
    return waiters.tasks();
  }

  /// {@return the number of signals that are kept}
  int kept() {
    scheduler.host().checkThread();
    return kept.size();
  }

  // Being awaited.

  @Override
  @SuppressWarnings("NullAway") // an empty Optional becomes null
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
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public boolean mayStayArmed() {
    return true;
  }

  @Override
  public String toString() {
    return "queued signal '" + name + "'";
  }
}
