package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.engine.Faces;

/// Controls a step task of an add-on: changes its deadline without a turn, or makes it watch other
/// tasks. Confined to the scheduler's thread.
public final class StepControl {

  private StepControl() {}

  /// {@return the result of a task that watches other tasks and otherwise idles until an instant}
  /// It is like [StepTask#idleUntil(long)], but the task also has a turn after each task that
  /// becomes ready meanwhile. Watchers do not wake each other.
  ///
  /// @param task whose turn it is
  /// @param deadlineNanos as for [StepTask#idleUntil(long)]
  public static StepResult watchUntil(StepTask<?> task, long deadlineNanos) {
    return ((Faces.Steps<?>) requireNonNull(task, "task is null")).watchUntil(deadlineNanos);
  }

  /// Makes a task idle until an instant, without a turn, if it is suspended or idles. An add-on
  /// calls this when it has an earlier deadline. Never a suspension point.
  ///
  /// @param task any
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds
  /// @return false, with no effect, if the task has ended, or is ready or running, so that its turn
  ///   can decide
  public static boolean moveDeadline(StepTask<?> task, long deadlineNanos) {
    return ((Faces.Steps<?>) requireNonNull(task, "task is null")).moveDeadline(deadlineNanos);
  }

  /// Suspends a task, without a turn, if it idles. An add-on calls this when no task waits for its
  /// events any more. Never a suspension point.
  ///
  /// @param task any
  /// @return false, with no effect, if the task does not idle
  public static boolean dropDeadline(StepTask<?> task) {
    return ((Faces.Steps<?>) requireNonNull(task, "task is null")).dropDeadline();
  }
}
