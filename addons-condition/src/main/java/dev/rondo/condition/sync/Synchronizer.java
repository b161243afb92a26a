package dev.rondo.condition.sync;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What signals, promises and locks have in common: a name, a scheduler, and a queue of waiters,
/// first come first served. Each adds the state that the waiters wait for, and says in [#poll]
/// whether it is there.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what a wait results in
abstract class Synchronizer<T extends @Nullable Object> implements Waitable<T> {

  final Scheduler scheduler;
  final WaitQueue<T> waiters;
  private final String kind;
  private final String name;

  Synchronizer(Scheduler scheduler, String kind, String name) {
    this(scheduler, kind, name, new WaitQueue<>());
  }

  /// One that shares its queue with others.
  Synchronizer(Scheduler scheduler, String kind, String name, WaitQueue<T> waiters) {
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    this.kind = kind;
    this.name = requireNonNull(name, "name is null");
    this.waiters = waiters;
  }

  /// {@return its name}
  public final String name() {
    return name;
  }

  /// {@return how many wait for it}
  public int waiterCount() {
    scheduler.host().checkThread();
    return waiters.size();
  }

  /// Waits for this, and returns what the wait came to: maybe what somebody scheduled the task with
  /// in its place. So the caller has to look at it before it believes that it has anything.
  final @Nullable Object awaitThis() {
    return awaited(scheduler, this);
  }

  /// [#awaitThis()] with a limit.
  final @Nullable Object awaitThis(Duration timeout) {
    return awaited(scheduler, this, timeout);
  }

  /// Erased, so nothing is cast to the type that the waitable promises.
  static <V extends @Nullable Object> @Nullable Object awaited(
      Scheduler scheduler, Waitable<V> waitable) {
    return scheduler.await(waitable);
  }

  static <V extends @Nullable Object> @Nullable Object awaited(
      Scheduler scheduler, Waitable<V> waitable, Duration timeout) {
    return scheduler.await(waitable, timeout);
  }

  /// The wait was ended by `scheduleTask`, and the caller promised more than what came of it.
  final IllegalStateException endedBySomebody() {
    return endedBySomebody(this);
  }

  static IllegalStateException endedBySomebody(Waitable<?> awaited) {
    return new IllegalStateException(
        "the wait for %s was ended by scheduleTask before it came; a task that is to be woken so waits with scheduler.await(..), which returns what it was scheduled with"
            .formatted(awaited));
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

  /// Its kind and its name.
  @Override
  public String toString() {
    return kind + " '" + name + "'";
  }
}
