package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An event that happens at an instant and wakes the tasks that wait for it then: a [Signal] or a
/// [CompositeSignal].
///
/// Besides waiters, an event has watchers: the composite signals that contain it, while a task
/// waits for one of them. A watcher observes the event and takes nothing from the waiters.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the payload
public abstract sealed class Event<T extends @Nullable Object> implements Source<T>
    permits Signal, CompositeSignal {

  /// Which waiters it wakes.
  enum Reach {
    /// The waiter that has waited longest.
    ONE,
    /// All waiters, to the back of the ready queue.
    ALL,
    /// All waiters, to the front of the ready queue.
    ALL_IMMEDIATE
  }

  final Scheduler scheduler;
  final WaitQueue<T> waiters = new WaitQueue<>();
  private final String kind;
  private final String name;

  /// In the order they began to watch; null if there has never been a watcher.
  private @Nullable Set<CompositeSignal<?>> watchers;

  Event(Scheduler scheduler, String kind, String name) {
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    this.kind = kind;
    this.name = requireNonNull(name, "name is null");
  }

  /// {@return its name}
  final String name() {
    return name;
  }

  /// {@return the number of tasks that wait for it}
  public final int waiterCount() {
    scheduler.host().checkThread();
    return waiters.size();
  }

  /// {@return the tasks that wait for it now, in the order they wake up} A task that waits in
  /// several branches of a select is listed for each. Never a suspension point.
  final List<Task<?>> waiters() {
    scheduler.host().checkThread();
    return waiters.tasks();
  }

  final void watch(CompositeSignal<?> watcher) {
    if (watchers == null) {
      watchers = new LinkedHashSet<>();
    }
    var _ = watchers.add(watcher);
    watched();
  }

  final void unwatch(CompositeSignal<?> watcher) {
    if (watchers != null) {
      var _ = watchers.remove(watcher);
    }
    unwatched();
  }

  /// Called when a watcher begins to watch.
  void watched() {}

  /// Called when a watcher stops watching.
  void unwatched() {}

  /// Whether it has waiters or watchers.
  final boolean isAwaited() {
    return !waiters.isEmpty() || (watchers != null && !watchers.isEmpty());
  }

  /// Lets the event happen. First all watchers note it, so that none misses it because a fired
  /// waiter removes it. Then the event's waiters wake up, and then the waiters of the composite
  /// signals that are complete now.
  ///
  /// @return the number of tasks that were woken
  final int happen(T payload, Reach reach) {
    if (watchers == null || watchers.isEmpty()) {
      return wake(payload, reach);
    }
    var watching = List.copyOf(watchers);
    for (CompositeSignal<?> watcher : watching) {
      watcher.note(this, payload);
    }
    if (reach == Reach.ALL_IMMEDIATE) { // the last one put at the front runs first
      int woken = 0;
      for (CompositeSignal<?> watcher : watching.reversed()) {
        woken += watcher.happenIfComplete(reach);
      }
      return woken + wake(payload, reach);
    }
    int woken = wake(payload, reach);
    for (CompositeSignal<?> watcher : watching) {
      woken += watcher.happenIfComplete(Reach.ALL);
    }
    return woken;
  }

  private int wake(T payload, Reach reach) {
    return switch (reach) {
      case ONE -> waiters.fireFirst(payload) ? 1 : 0;
      case ALL -> waiters.fireAll(payload);
      case ALL_IMMEDIATE -> waiters.fireAllNext(payload);
    };
  }

  // Being awaited.

  /// False, except for a composite signal that was complete while other events woke its waiters.
  @Override
  public boolean poll(Waiter<? super T> waiter) {
    scheduler.host().checkThread();
    return false;
  }

  @Override
  public void arm(Waiter<? super T> waiter) {
    waiters.add(waiter);
  }

  @Override
  public void disarm(Waiter<? super T> waiter) {
    var _ = waiters.remove(waiter);
  }

  /// False: an event is observed, not taken, so a wait always gives way.
  @Override
  public boolean isEager() {
    return false;
  }

  @Override
  public final Scheduler scheduler() {
    return scheduler;
  }

  /// Its kind and its name.
  @Override
  public final String toString() {
    return kind + " '" + name + "'";
  }
}
