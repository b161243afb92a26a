package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What tests of the faces look up inside of the engine.
public final class Inside {

  private Inside() {}

  /// {@return the values of a task's locals}
  public static @Nullable Map<Object, @Nullable Object> localsOf(Task<?> task) {
    return TaskCore.of(task).locals();
  }

  /// {@return whether a task has had a turn}
  public static boolean hasBegun(Task<?> task) {
    return TaskCore.of(task).entered;
  }

  /// {@return what a task is to tell of its end; null if there is nothing}
  public static @Nullable TaskOwner ownerOf(Task<?> task) {
    return TaskCore.of(task).owner;
  }

  /// {@return whether the current turn may do no more operations at once}
  public static boolean isTurnSpent(Task<?> task) {
    return TaskCore.of(task).loop.eagerBudget <= 0;
  }

  /// Does what a change of the scheduler does when the stack of the caller ends in it.
  ///
  /// @return the error, for the caller to throw
  public static StackOverflowError cutShort(Scheduler scheduler) {
    return SchedulerCore.of(scheduler).loop.cutShort("it did nothing", new StackOverflowError());
  }
}
