package dev.rondo.scheduler.internal;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;

/// Controls a step task of an add-on: changes its deadline without a turn, or makes it watch other
/// tasks.
///
/// Confined to the scheduler's thread.
public interface StepControl {

  /// {@return the control of a task}
  ///
  /// @param task any
  static StepControl of(StepTask<?> task) {
    return (StepControl) requireNonNull(task, "task is null");
  }

  /// {@return the result of a task that watches other tasks and otherwise idles until an instant}
  /// It is like [StepTask#idleUntil(long)], but the task also has a turn after each task that
  /// becomes ready meanwhile. Watchers do not wake each other.
  ///
  /// @param deadlineNanos as for [StepTask#idleUntil(long)]
  StepResult watchUntil(long deadlineNanos);

  /// Makes the task idle until an instant, without a turn, if it is suspended or idles. An add-on
  /// calls this when it has an earlier deadline. Never a suspension point.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds
  /// @return false, with no effect, if the task has ended, or is ready or running, so that its turn
  ///   can decide
  boolean moveDeadline(long deadlineNanos);

  /// Suspends the task, without a turn, if it idles. An add-on calls this when no task waits for
  /// its events any more. Never a suspension point.
  ///
  /// @return false, with no effect, if the task does not idle
  boolean dropDeadline();
}
