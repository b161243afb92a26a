package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The time limit of one wait: the action of its timer, which fails the wait.
///
/// Confined to the scheduler's thread.
final class WaitLimit implements Runnable {

  private final StackfulTask<?> task;
  private final Duration timeout;
  private Waitable<?> awaited;
  private boolean over;

  private @Nullable TimerHandle alarm;

  WaitLimit(StackfulTask<?> task, Duration timeout, Waitable<?> asked) {
    this.task = task;
    this.timeout = timeout;
    this.awaited = asked;
  }

  /// Called when the waitable has been prepared: messages describe the event that a guard has made,
  /// and not the guard.
  void prepared(Waitable<?> source) {
    awaited = source;
  }

  void arm(long nanos) {
    var _ = task.extras(); // must be set when the timer is armed
    alarm = task.loop.after(nanos, this);
  }

  /// Called when the task is about to park. From now on the limit ends with the wait, even if the
  /// task has no turn after the wait.
  ///
  /// @return whether the time is up, so that the task has to fail the wait itself
  boolean isOverAtBegin() {
    task.extras().alarm = alarm;
    return over;
  }

  /// Called when the wait is over and the task has its turn.
  void end() {
    task.extras().alarm = null;
    if (alarm != null) {
      alarm.cancel();
    }
  }

  @Override
  public void run() {
    over = true;
    if (task.storedState() == TaskState.WAITING) {
      task.wakeWithFailure(new DeferredFailure(this::failure));
    } // else the task is about to wait, or has received its event
  }

  RuntimeException failure() {
    return new TimedOutException(timeout, WaitDescriptions.describe(awaited));
  }
}
