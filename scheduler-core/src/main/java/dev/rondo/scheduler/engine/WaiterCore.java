package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.internal.ReportText;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The implementation of [Waiter], which sources fire: a seam for waiters. [TaskWaiter] is the
/// waiter of a task. The room of selects has two more: the branch of a choice, and a waiter that
/// only polls.
///
/// @param <T> the type of the value of the event
public abstract class WaiterCore<T extends @Nullable Object> extends Faces.Waiting<T> {

  /// The object that the source keeps with this waiter, see
  /// [dev.rondo.scheduler.internal.rooms.Attachment#set].
  public @Nullable Object attachment;

  /// @param mayRest whether the waiter may rest in a queue between two waits, see [#isResting()]
  protected WaiterCore(boolean mayRest) {
    super(mayRest);
  }

  /// {@return the implementation of a waiter}
  public static <T extends @Nullable Object> WaiterCore<T> of(Waiter<T> waiter) {
    return (WaiterCore<T>) Objects.requireNonNull(waiter, "waiter is null");
  }

  /// Settles a waiter, see [#settle(Object, Throwable, Place)].
  public static boolean settle(
      Waiter<?> waiter, @Nullable Object raw, @Nullable Throwable failure, Place place) {
    return ((WaiterCore<?>) waiter).settle(raw, failure, place);
  }

  @Override
  public final boolean fire(T value) {
    checkCaller();
    return settle(value, null, Place.BACK);
  }

  @Override
  public final boolean fail(Throwable failure) {
    checkCaller();
    return settle(null, Objects.requireNonNull(failure, "failure is null"), Place.BACK);
  }

  /// {@return the claim of the wait}
  ///
  /// @throws IllegalStateException if the wait is over, or only polls
  public abstract Rooms.Claim claim();

  /// See [dev.rondo.scheduler.internal.rooms.WaitClaim#fire].
  public final boolean fireTaken(Rooms.Claim claim, T value) {
    checkCaller();
    TaskExtras has = isSettled() ? null : task().extras;
    if (has == null || has.claim != claim || loop().isClosed()) { // no turn would come any more
      return false;
    }
    has.claim = null;
    return settle(value, null, Place.BACK);
  }

  @Override
  public final Scheduler scheduler() {
    return loop().scheduler;
  }

  @Override
  public void checkCaller() {
    Loop loop = loop();
    loop.checkCaller();
  }

  @Override
  public final StackOverflowError cutShort(String change, StackOverflowError error) {
    return loop().cutShort(change, error);
  }

  public static Loop loopOf(Waiter<?> waiter) {
    return ((WaiterCore<?>) waiter).loop();
  }

  public final Loop loop() {
    TaskCore<?> task = task();
    return task.loop;
  }

  /// Whether the wait to which this waiter belongs is settled.
  public abstract boolean isSettled();

  @Override
  public abstract TaskCore<?> task();

  /// Leaves a source. A failure of the source is reported, and does not reach the caller.
  @SuppressWarnings("unchecked") // see as()
  public final void leave(Waitable<?> source) {
    try {
      ((Waitable<Object>) source).disarm((WaiterCore<Object>) this);
    } catch (Throwable e) {
      Loop loop = loop();
      loop.report(
          "disarm of " + ReportText.describe(source) + " by task '" + task().name() + "'", e);
    }
    attachment = null;
  }

  /// Casts this waiter to the type that a source requires. A waiter accepts every value that its
  /// source delivers.
  @SuppressWarnings("unchecked")
  public final <V extends @Nullable Object> WaiterCore<V> as() {
    return (WaiterCore<V>) this;
  }
}
