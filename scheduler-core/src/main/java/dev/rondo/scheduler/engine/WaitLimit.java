package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.time.Duration;

/// The time limit of one wait: the action of its timer, which fails the wait.
///
/// Confined to the scheduler's thread.
final class WaitLimit implements Runnable {

  private final StackfulTask<?> task;
  private final Duration timeout;
  private Waitable<?> awaited;
  private boolean over;

  WaitLimit(StackfulTask<?> task, Duration timeout, Waitable<?> asked) {
    this.task = task;
    this.timeout = timeout;
    this.awaited = asked;
  }

  /// Called when the waitable has been prepared: messages describe what a guard has made, and not
  /// the guard.
  void prepared(Waitable<?> source) {
    awaited = source;
  }

  /// Whether the time is up. If it was up before the task waited, the task has to fail the wait
  /// itself.
  boolean isOver() {
    return over;
  }

  @Override
  public void run() {
    over = true;
    if (task.storedState() == TaskState.WAITING) {
      task.wakeWithFailure(new DeferredFailure(this::failure));
    } // else it is about to wait, or has received what it waited for
  }

  TimedOutException failure() {
    return new TimedOutException(timeout, WaitDescriptions.describe(awaited));
  }
}
