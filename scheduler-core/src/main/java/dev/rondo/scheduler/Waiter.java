package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One task's interest in one event, for the time of one wait. A [Waitable] is handed it, keeps it
/// (in a [WaitQueue], or in a structure of its own) and fires it when the event comes.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what the event carries
public abstract sealed class Waiter<T extends @Nullable Object>
    permits TaskWaiter, SelectCase, TryWaiter {

  /// Neighbours and home in a [WaitQueue]; null outside of one.
  @Nullable Waiter<?> after;

  @Nullable Waiter<?> before;
  @Nullable WaitChain chain;

  private @Nullable Object attachment;

  Waiter() {}

  /// The event has come: settles the wait with a value and puts the task at the back of the ready
  /// queue. Never a suspension point; the caller keeps its turn.
  ///
  /// @param value what the wait results in
  /// @return false if the wait is settled already; the event is still the caller's then
  /// @throws WrongThreadException if called on another thread than the scheduler's
  public final boolean fire(T value) {
    checkCaller();
    return settle(value, null, false);
  }

  /// Like [#fire], but puts the task at the front of the ready queue. Of several fired this way in
  /// a row the last comes first; [WaitQueue#fireAllNext] keeps their order. Never a suspension
  /// point.
  ///
  /// @param value what the wait results in
  /// @return false if the wait is settled already; the event is still the caller's then
  /// @throws WrongThreadException if called on another thread than the scheduler's
  public final boolean fireNext(T value) {
    checkCaller();
    return settle(value, null, true);
  }

  /// The event cannot come any more: settles the wait with a failure, which the waiting call throws
  /// as it is. Never a suspension point.
  ///
  /// @param failure what to throw
  /// @return false if the wait is settled already
  /// @throws WrongThreadException if called on another thread than the scheduler's
  public final boolean fail(Throwable failure) {
    checkCaller();
    return settle(null, Objects.requireNonNull(failure, "failure"), false);
  }

  /// Checks that the caller is on the scheduler's thread.
  void checkCaller() {
    Loop loop = loop();
    loop.checkCaller();
  }

  final Loop loop() {
    Task<?> task = task();
    return task.loop;
  }

  /// Settles once.
  ///
  /// @param front whether the task goes to the front of the ready queue
  /// @return false if it was settled before
  abstract boolean settle(@Nullable Object raw, @Nullable Throwable failure, boolean front);

  /// Whether the wait this is part of is settled.
  abstract boolean isSettled();

  /// {@return the task that waits}
  ///
  /// @throws IllegalStateException maybe, if the wait is over: a source forgets its waiter then
  public abstract Task<?> task();

  /// {@return what the source keeps with this waiter, null at first} Belongs to the [Waitable] that
  /// the waiter is armed on.
  public final @Nullable Object attachment() {
    return attachment;
  }

  /// Sets what the source keeps with this waiter.
  ///
  /// @param attachment anything
  public final void attach(@Nullable Object attachment) {
    this.attachment = attachment;
  }

  /// Leaves a source: whatever goes wrong in there must not hurt whoever made us leave.
  final void leave(Waitable<?> source) {
    try {
      source.disarm(as());
    } catch (Throwable e) {
      Loop loop = loop();
      loop.report(
          "disarm of " + WaitDescriptions.describe(source) + " by task '" + task().name() + "'", e);
    }
    attachment = null;
  }

  /// A waiter accepts whatever its source delivers; only the wait it belongs to knows the type.
  @SuppressWarnings("unchecked")
  final <V extends @Nullable Object> Waiter<V> as() {
    return (Waiter<V>) this;
  }
}
