package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.engine.Faces;
import org.jspecify.annotations.Nullable;

/// The interest of one task in one event, during one wait. A [Waitable] receives the waiter, keeps
/// it in a [WaitQueue] or in a structure of its own, and fires it when the event comes.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the value of the event
public abstract sealed class Waiter<T extends @Nullable Object> permits Faces.Waiting {

  /// For the engine.
  protected Waiter() {}

  /// Settles the wait with a value, because the event has come, and puts the task at the back of
  /// the ready queue. Never a suspension point; the caller keeps its turn.
  ///
  /// @param value the result of the wait
  /// @return false if the wait is settled already; the caller then keeps the event
  /// @throws WrongThreadException if called on a thread other than the scheduler's
  public abstract boolean fire(T value);

  /// Settles the wait with a failure, because the event cannot come any more. The waiting call
  /// throws the failure, unwrapped. Never a suspension point.
  ///
  /// @param failure what to throw
  /// @return false if the wait is settled already
  /// @throws WrongThreadException if called on a thread other than the scheduler's
  public abstract boolean fail(Throwable failure);

  /// {@return the [Scheduler] of the task that waits}
  ///
  /// @throws IllegalStateException in some cases, if the wait is over
  public abstract TaskRunner scheduler();

  /// {@return the task that waits}
  ///
  /// @throws IllegalStateException in some cases, if the wait is over: a source must not use the
  ///   waiter any more
  public abstract Task<?> task();
}
