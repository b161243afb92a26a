package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.WaitQueue;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import org.jspecify.annotations.Nullable;

/// Something that tasks wait for and others send, with a payload: a typed one is made by
/// [WaitForSignal#newSignal], one that is known by its name is found by [WaitForSignal#signal].
///
/// A signal remembers nothing. Sent when nobody waits it is lost, and who waits again after it was
/// woken waits for the next one, also within the same round. Waiters are woken in the order they
/// began to wait; they run when the sender gives way. Waiting always gives way.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what it carries
public final class Signal<T extends @Nullable Object> implements Waitable<T> {

  private final Scheduler scheduler;
  private final String name;
  private final WaitQueue<T> waiters = new WaitQueue<>();

  Signal(Scheduler scheduler, String name) {
    this.scheduler = scheduler;
    this.name = requireNonNull(name, "name is null");
  }

  // Sending.

  /// Wakes the task that has waited longest; it goes to the back of the ready queue. Never a
  /// suspension point.
  ///
  /// @param payload what its wait results in
  /// @return false if nobody waited; the signal is lost
  public boolean signalOne(T payload) {
    scheduler.checkThread();
    return waiters.fireFirst(payload);
  }

  /// Wakes all tasks that wait now, in the order they began to; they go to the back of the ready
  /// queue. Never a suspension point.
  ///
  /// @param payload what their waits result in
  /// @return how many were woken; if none, the signal is lost
  public int signalAll(T payload) {
    scheduler.checkThread();
    return waiters.fireAll(payload);
  }

  /// Wakes all tasks that wait now; they go to the front of the ready queue, in the order they
  /// began to wait. Never a suspension point.
  ///
  /// @param payload what their waits result in
  /// @return how many were woken; if none, the signal is lost
  public int signalAllImmediate(T payload) {
    scheduler.checkThread();
    return waiters.fireAllNext(payload);
  }

  // Handlers.

  /// Runs a handler whenever this signal wakes it; see [Registration]. A signal that is sent while
  /// the handler is under way is not seen by it. Never a suspension point.
  ///
  /// @param handler may suspend
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public Registration onSignal(SignalHandler<? super T> handler) {
    requireNonNull(handler, "handler is null");
    return Registration.always(scheduler, "onSignal " + name, this, handler);
  }

  /// [#onSignal(SignalHandler)] for who does not care for the payload. Never a suspension point.
  ///
  /// @param handler may suspend
  /// @return to cancel it
  public Registration onSignal(TaskAction handler) {
    requireNonNull(handler, "handler is null");
    return onSignal(payload -> handler.run());
  }

  /// Runs a handler the first time this signal wakes it; see [Registration]. Never a suspension
  /// point.
  ///
  /// @param handler may suspend
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public Registration onSignalOnce(SignalHandler<? super T> handler) {
    requireNonNull(handler, "handler is null");
    return Registration.once(scheduler, "onSignalOnce " + name, this, handler);
  }

  /// [#onSignalOnce(SignalHandler)] for who does not care for the payload. Never a suspension
  /// point.
  ///
  /// @param handler may suspend
  /// @return to cancel it
  public Registration onSignalOnce(TaskAction handler) {
    requireNonNull(handler, "handler is null");
    return onSignalOnce(payload -> handler.run());
  }

  // Looking.

  /// {@return its name}
  public String name() {
    return name;
  }

  /// {@return how many tasks wait for it, handlers included}
  public int tasksPending() {
    scheduler.checkThread();
    return waiters.size();
  }

  // Being awaited.

  @Override
  public void arm(Waiter<? super T> waiter) {
    waiters.add(waiter);
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    var _ = waiters.remove(waiter);
  }

  /// False, though it makes no difference: a signal is never there already.
  @Override
  public boolean isEager() {
    return false;
  }

  @Override
  public String toString() {
    return "signal '" + name + "'";
  }
}
