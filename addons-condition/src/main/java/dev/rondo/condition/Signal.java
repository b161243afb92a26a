package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskAction;
import org.jspecify.annotations.Nullable;

/// Something that tasks wait for and others send, with a payload: a typed one is made by [#create],
/// one that is known by its name is found by [WaitForSignal#signal].
///
/// A signal remembers nothing. Sent when nobody waits it is lost, and who waits again after it was
/// woken waits for the next one, also within the same round. Waiters are woken in the order they
/// began to wait; they run when the sender gives way. Waiting always gives way. Waking all takes
/// the same time however many wait. [CompositeSignal]s that it is a part of see it too.
///
/// One that must not be lost is a [QueuedSignal].
///
/// Confined to the scheduler's thread.
///
/// @param <T> what it carries
public final class Signal<T extends @Nullable Object> extends Event<T> {

  /// {@return a signal of its own, with a type; nothing else has to do with its name} Never a
  /// suspension point.
  ///
  /// @param <T> what it carries
  /// @param scheduler whose tasks wait for it
  /// @param name shown in reports
  public static <T extends @Nullable Object> Signal<T> create(Scheduler scheduler, String name) {
    return new Signal<>(scheduler, name);
  }

  Signal(Scheduler scheduler, String name) {
    super(scheduler, "signal", name);
  }

  // Sending.

  /// Wakes the task that has waited longest; it goes to the back of the ready queue. Combinations
  /// see it as well. Never a suspension point.
  ///
  /// @param payload what its wait results in
  /// @return false if nobody waited; the signal is lost
  public boolean signalOne(T payload) {
    scheduler.host().checkThread();
    return happen(payload, Reach.ONE) > 0;
  }

  /// Wakes all tasks that wait now, in the order they began to; they go to the back of the ready
  /// queue. Never a suspension point.
  ///
  /// @param payload what their waits result in
  /// @return how many were woken; if none, the signal is lost
  public int signalAll(T payload) {
    scheduler.host().checkThread();
    return happen(payload, Reach.ALL);
  }

  /// Wakes all tasks that wait now; they go to the front of the ready queue, in the order they
  /// began to wait. Never a suspension point.
  ///
  /// @param payload what their waits result in
  /// @return how many were woken; if none, the signal is lost
  public int signalAllImmediate(T payload) {
    scheduler.host().checkThread();
    return happen(payload, Reach.ALL_IMMEDIATE);
  }

  // Handlers.

  /// Runs a handler whenever this signal wakes it; see [HandlerRegistration]. A signal that is sent
  /// while the handler is under way is not seen by it. Never a suspension point.
  ///
  /// @param handler may suspend
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration onSignal(SignalHandler<? super T> handler) {
    requireNonNull(handler, "handler is null");
    return HandlerRegistration.always(scheduler, "onSignal " + name(), this, handler);
  }

  /// [#onSignal(SignalHandler)] for who does not care for the payload. Never a suspension point.
  ///
  /// @param handler may suspend
  /// @return to cancel it
  public HandlerRegistration onSignal(TaskAction handler) {
    requireNonNull(handler, "handler is null");
    return onSignal(payload -> handler.run());
  }

  /// Runs a handler the first time this signal wakes it; see [HandlerRegistration]. Never a
  /// suspension point.
  ///
  /// @param handler may suspend
  /// @return to cancel it
  /// @throws IllegalStateException if the scheduler is closed
  public HandlerRegistration onSignalOnce(SignalHandler<? super T> handler) {
    requireNonNull(handler, "handler is null");
    return HandlerRegistration.once(scheduler, "onSignalOnce " + name(), this, handler);
  }

  /// [#onSignalOnce(SignalHandler)] for who does not care for the payload. Never a suspension
  /// point.
  ///
  /// @param handler may suspend
  /// @return to cancel it
  public HandlerRegistration onSignalOnce(TaskAction handler) {
    requireNonNull(handler, "handler is null");
    return onSignalOnce(payload -> handler.run());
  }
}
