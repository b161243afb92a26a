package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import org.jspecify.annotations.Nullable;

/// An event with a payload that tasks send and wait for. The constructor makes a typed signal;
/// [WaitForSignal#signal] finds a signal by its name.
///
/// A signal remembers nothing. It is lost if no task waits. A task that waits again after a wakeup
/// waits for the next signal, even in the same round. Tasks wake up in the order they began to
/// wait, and run when the sender gives way. Waiting always gives way. Waking all takes constant
/// time, however many tasks wait. A [CompositeSignal] that contains the signal sees it as well.
///
/// Use [QueuedSignal] for a signal that must not be lost.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the payload
public final class Signal<T extends @Nullable Object> extends Event<T> {

  /// Makes a new signal. [WaitForSignal#signal] does not find it by its name. Never a suspension
  /// point.
  ///
  /// @param scheduler whose tasks wait for it
  /// @param name shown in reports
  public Signal(Scheduler scheduler, String name) {
    super(scheduler, "signal", name);
  }

  // Sending.

  /// Wakes the task that has waited longest; it goes to the back of the ready queue. Composite
  /// signals see the signal as well. Never a suspension point.
  ///
  /// @param payload the result of the wait
  /// @return false if no task waited; the signal is lost
  public boolean signalOne(T payload) {
    scheduler.host().checkThread();
    return happen(payload, Reach.ONE) > 0;
  }

  /// Wakes all tasks that wait now, in the order they began to wait; they go to the back of the
  /// ready queue. Never a suspension point.
  ///
  /// @param payload the result of the waits
  /// @return the number of tasks that were woken; if none, the signal is lost
  public int signalAll(T payload) {
    scheduler.host().checkThread();
    return happen(payload, Reach.ALL);
  }

  /// Wakes all tasks that wait now; they go to the front of the ready queue, in the order they
  /// began to wait. Never a suspension point.
  ///
  /// @param payload the result of the waits
  /// @return the number of tasks that were woken; if none, the signal is lost
  public int signalAllImmediate(T payload) {
    scheduler.host().checkThread();
    return happen(payload, Reach.ALL_IMMEDIATE);
  }

  // Handlers.

  /// Runs a handler each time this signal is sent; see [HandlerRegistration]. A signal that is sent
  /// while the handler runs is not handled. Never a suspension point.
  ///
  /// @param handler may suspend
  /// @return the registration, to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration onSignal(SignalHandler<? super T> handler) {
    requireNonNull(handler, "handler is null");
    return HandlerRegistration.always(scheduler, "onSignal " + name(), this, handler);
  }

  /// Runs a handler the next time this signal is sent, once; see [HandlerRegistration]. Never a
  /// suspension point.
  ///
  /// @param handler may suspend
  /// @return the registration, to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration onSignalOnce(SignalHandler<? super T> handler) {
    requireNonNull(handler, "handler is null");
    return HandlerRegistration.once(scheduler, "onSignalOnce " + name(), this, handler);
  }

  // Being awaited.

  @Override
  public boolean mayStayArmed() {
    return true;
  }
}
