package dev.rondo.condition;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What happens at an instant and wakes whoever waits for it then: a [Signal], or a
/// [CompositeSignal] of them.
///
/// Besides waiters it has watchers: the combinations it is a part of, while somebody waits for
/// those. A watcher looks on; it takes nothing away from those who wait.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what it carries
public abstract sealed class Event<T extends @Nullable Object> implements Waitable<T>
    permits Signal, CompositeSignal {

  /// Whom it is for.
  enum Reach {
    /// Who has waited longest.
    ONE,
    /// All, who go to the back of the ready queue.
    ALL,
    /// All, who go to the front.
    ALL_IMMEDIATE
  }

  final Scheduler scheduler;
  final WaitQueue<T> waiters = new WaitQueue<>();
  private final String kind;
  private final String name;

  /// In the order they began to watch; null if nobody ever did.
  private @Nullable Set<CompositeSignal<?>> watchers;

  Event(Scheduler scheduler, String kind, String name) {
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    this.kind = kind;
    this.name = requireNonNull(name, "name is null");
  }

  /// {@return its name}
  public final String name() {
    return name;
  }

  /// {@return how many wait for it}
  public final int waiterCount() {
    scheduler.host().checkThread();
    return waiters.size();
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

  /// Somebody begins to watch.
  void watched() {}

  /// Somebody does not watch any more.
  void unwatched() {}

  /// Whether anybody wants to know.
  final boolean isAwaited() {
    return !waiters.isEmpty() || (watchers != null && !watchers.isEmpty());
  }

  /// It happens. First the watchers note it, so that none misses it by what the firing does to it;
  /// then the waiters are woken, then those of the combinations that are complete by this.
  ///
  /// @return how many tasks were woken
  final int happen(T payload, Reach reach) {
    if (watchers == null || watchers.isEmpty()) {
      return wake(payload, reach);
    }
    var told = List.copyOf(watchers);
    for (CompositeSignal<?> watcher : told) {
      watcher.note(this, payload);
    }
    if (reach == Reach.ALL_IMMEDIATE) { // the last to be put at the front is the first to run
      int woken = 0;
      for (CompositeSignal<?> watcher : told.reversed()) {
        woken += watcher.happenIfComplete(reach);
      }
      return woken + wake(payload, reach);
    }
    int woken = wake(payload, reach);
    for (CompositeSignal<?> watcher : told) {
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

  /// Never there already, but for a combination that came about while nobody could take it.
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

  /// False: waiting for what happens at an instant gives way.
  @Override
  public boolean isEager() {
    return false;
  }

  /// Its kind and its name.
  @Override
  public final String toString() {
    return kind + " '" + name + "'";
  }
}
