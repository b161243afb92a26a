package dev.rondo.scheduler.addon;

import org.jspecify.annotations.Nullable;

/// The body of a stackless task. It is called once per turn, and returns how the task goes on. A
/// body keeps its state in fields between turns, and must not call anything that suspends.
///
/// @param <T> the type of the result of the task
@FunctionalInterface
public interface StepBody<T extends @Nullable Object> {

  /// Runs one turn, on the scheduler's thread; never suspends.
  ///
  /// @param self the task, for what it received and for results with an argument
  /// @return how the task goes on; not null
  /// @throws Exception any exception; it becomes the failure of the task
  StepResult step(StepTask<T> self) throws Exception;
}
