package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskLocal;
import dev.rondo.scheduler.addon.WaitClaim;
import dev.rondo.scheduler.engine.observe.TaskMeter;
import org.jspecify.annotations.Nullable;

/// What only some tasks have. An object of its own, made on demand, so that the others take less
/// memory: there may be a million of them.
///
/// Confined to the scheduler's thread.
final class TaskExtras {

  /// How the task is being cancelled; null until it is asked for.
  @Nullable Cancellation cancellation;

  /// What of the thread's context belongs to the task while it is not running, see [Contexts]. Not
  /// its [TaskLocal]s.
  @Nullable Object @Nullable [] context;

  /// What [TaskLocal]s are bound to, in pairs; null if none is.
  @Nullable Object @Nullable [] locals;

  /// What other threads need to settle the wait of the task; null if none does.
  @Nullable WaitClaim claim;

  /// For the scheduling policy.
  @Nullable Urgency urgency;

  /// What its last wait left in queues for the next one; null if nothing.
  @Nullable SelectCases resting;

  /// What the task has used; null where that is not counted.
  @Nullable TaskMeter meter;

  Cancellation cancellation() {
    Cancellation own = cancellation;
    if (own == null) {
      own = new Cancellation();
      cancellation = own;
    }
    return own;
  }

  /// The task has ended: nothing else keeps any of this.
  void end(TaskCore<?> task) {
    if (cancellation != null) {
      cancellation.endGrace();
    }
    SelectCases left = resting;
    if (left != null) {
      resting = null;
      left.endRest(task);
    }
  }

  Urgency urgency() {
    Urgency own = urgency;
    if (own == null) {
      own = new Urgency();
      urgency = own;
    }
    return own;
  }
}
