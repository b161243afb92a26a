package dev.rondo.time;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.Trap;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import org.jspecify.annotations.Nullable;

/// The state of a [Timer] that ticks repeatedly, has begun to tick, or is awaited. It is an object
/// of its own so that a delay that is armed and then cancelled does not pay for it. It is also the
/// body of the tasks that run the action, and their trap, so that a tick makes nothing but its
/// task.
///
/// This one is of a timer that ticks once.
sealed class Ticks implements TaskCall<@Nullable Void, Exception>, Trap<@Nullable Void>
    permits PeriodicTicks {

  private final Timer timer;

  /// Of the tasks.
  final String name;

  /// The task that runs the action; null if there is none.
  @Nullable Task<@Nullable Void> task;

  long fired;

  /// How the last action since the timer was started ended; null if none has.
  @Nullable Outcome<@Nullable Void> last;

  /// The tasks that wait for the end of the timer; null if none ever has.
  @Nullable WaitQueue<@Nullable Void> joiners;

  /// @param name of the tasks that run the action
  Ticks(Timer timer, String name) {
    this.timer = timer;
    this.name = name;
  }

  @Override
  public final @Nullable Void call() throws Exception {
    fired++;
    timer.act();
    return null;
  }

  @Override
  public final Outcome<@Nullable Void> settle(
      Task<@Nullable Void> ended, Outcome<@Nullable Void> outcome) {
    if (task == ended) { // if not, it was dropped
      timer.acted(ended, outcome);
    }
    return outcome;
  }

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
