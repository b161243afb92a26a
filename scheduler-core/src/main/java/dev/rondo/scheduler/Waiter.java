package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.WaitClaim;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.engine.WaiterCore;
import org.jspecify.annotations.Nullable;

/// The interest of one task in one event, during one wait. A [Waitable] receives the waiter, keeps
/// it in a [WaitQueue] or in a structure of its own, and fires it when the event comes.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the value of the event
public abstract sealed class Waiter<T extends @Nullable Object> permits WaiterCore {

  /// For the engine.
  protected Waiter() {}

  /// Settles the wait with a value, because the event has come, and puts the task at the back of
  /// the ready queue. Never a suspension point; the caller keeps its turn.
  ///
  /// @param value the result of the wait
  /// @return false if the wait is settled already; the caller then keeps the event
  /// @throws WrongThreadException if called on another thread than the scheduler's
  public abstract boolean fire(T value);

  /// Like [#fire], but puts the task at the front of the ready queue. If several waiters are fired
  /// in this way one after the other, the task of the last one runs first; [WaitQueue#fireAllNext]
  /// keeps their order. Never a suspension point.
  ///
  /// @param value the result of the wait
  /// @return false if the wait is settled already; the caller then keeps the event
  /// @throws WrongThreadException if called on another thread than the scheduler's
  public abstract boolean fireNext(T value);

  /// Settles the wait with a failure, because the event cannot come any more. The waiting call
  /// throws the failure, unwrapped. Never a suspension point.
  ///
  /// @param failure what to throw
  /// @return false if the wait is settled already
  /// @throws WrongThreadException if called on another thread than the scheduler's
  public abstract boolean fail(Throwable failure);

  /// {@return the right to settle this wait, for a source that other threads use} After this call,
  /// nothing ends the wait without taking this right. For use while the waiter is being armed, or
  /// is armed. The right is valid for this wait only.
  ///
  /// @throws IllegalStateException if the wait is over, or only polls
  public abstract WaitClaim claim();

  /// Settles the wait with a value after its [#claim()] was taken, as [#fire] does otherwise.
  ///
  /// @param claim of this wait
  /// @param value the result of the wait
  /// @return false if the task has not kept the wait, and the event is still the caller's. The task
  ///   has ended, its scheduler is closed, its stack could not be left, or it is a step task whose
  ///   turn did not return the wait
  /// @throws WrongThreadException if called on another thread than the scheduler's
  public abstract boolean fireTaken(WaitClaim claim, T value);

  /// {@return the scheduler of the task that waits}
  ///
  /// @throws IllegalStateException in some cases, if the wait is over
  public abstract Scheduler scheduler();

  /// {@return the task that waits}
  ///
  /// @throws IllegalStateException in some cases, if the wait is over: a source must not use the
  ///   waiter any more
  public abstract Task<?> task();

  /// {@return the object that the source keeps with this waiter, null at first} Belongs to the
  /// [Waitable] that the waiter is armed on.
  public abstract @Nullable Object attachment();

  /// Sets what the source keeps with this waiter.
  ///
  /// @param attachment anything
  public abstract void attach(@Nullable Object attachment);
}
