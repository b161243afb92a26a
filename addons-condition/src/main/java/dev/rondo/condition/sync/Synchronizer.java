package dev.rondo.condition.sync;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import org.jspecify.annotations.Nullable;

/// The common part of all synchronizers: a name, a scheduler, and a queue of waiters, first come
/// first served. Each kind adds the state that its waiters wait for, and checks it in [#poll].
///
/// Confined to the scheduler's thread.
///
/// @param <T> the result of a wait
abstract class Synchronizer<T extends @Nullable Object> implements Source<T> {

  final Scheduler scheduler;
  final WaitQueue<T> waiters;
  private final String kind;
  private final String name;

  Synchronizer(Scheduler scheduler, String kind, String name) {
    this(scheduler, kind, name, new WaitQueue<>());
  }

  /// Makes a synchronizer that shares its queue with others.
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

  /// {@return the number of tasks that wait for it}
  public int waiterCount() {
    scheduler.host().checkThread();
    return waiters.size();
  }

  /// Waits for this and returns the result of the wait.
  final T awaitThis() {
    return scheduler.host().awaitEvent(this);
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
  public final Scheduler scheduler() {
    return scheduler;
  }

  /// Its kind and its name.
  @Override
  public String toString() {
    return kind + " '" + name + "'";
  }
}
