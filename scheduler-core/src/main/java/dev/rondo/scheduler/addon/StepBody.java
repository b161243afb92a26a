package dev.rondo.scheduler.addon;

import org.jspecify.annotations.Nullable;

/// The body of a stackless task: called once per turn, answers how to go on. Between turns it keeps
/// its state in its own fields; it must not call anything that suspends.
///
/// @param <T> what the task results in
@FunctionalInterface
public interface StepBody<T extends @Nullable Object> {

  /// One turn. Runs on the scheduler's thread; never suspends.
  ///
  /// @param self the task, for what it received and for answers with an argument
  /// @return how to go on; not null
  /// @throws Exception anything; the task ends with it as its failure
  StepResult step(StepTask<T> self) throws Exception;
}
