package dev.rondo.time;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.engine.lazy.Inherited;
import org.jspecify.annotations.Nullable;

/// The state of a timer that ticks repeatedly, is awaited, has an action that has suspended or
/// failed, or passes bindings to its tasks. It is a separate object, because most delays never need
/// it.
///
/// This class is for timers that tick once, and the base class for the others.
sealed class Ticks permits PeriodicTicks {

  /// The task that runs the action; null if there is none.
  @Nullable Task<@Nullable Void> task;

  /// The bindings and the context that each task inherits; null if there are none.
  @Nullable Inherited inheritance;

  long fired;

  /// How the last action since the timer was started ended; null if none has.
  @Nullable Outcome<@Nullable Void> last;

  /// The tasks that wait for the end of the timer; null if none ever has.
  @Nullable WaitQueue<@Nullable Void> joiners;

  /// A tick is due.
  void due(long nanos) {}

  /// Its action begins.
  void begin(long nowNanos) {}

  final boolean isJoined() {
    return joiners != null && !joiners.isEmpty();
  }

  final void join(Waiter<? super @Nullable Void> waiter) {
    if (joiners == null) {
      joiners = new WaitQueue<>();
    }
    joiners.add(waiter);
  }

  final void leave(Waiter<? super @Nullable Void> waiter) {
    if (joiners != null) {
      var _ = joiners.remove(waiter);
    }
  }
}
