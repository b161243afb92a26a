package dev.rondo.scheduler.internal.rooms;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Receives what happens to the tasks of a scheduler, directly from its loop: see [LoopView#add].
/// Programs use a [dev.rondo.scheduler.addon.TaskListener].
///
/// The methods run on the scheduler's thread, or on the thread of the task concerned, without
/// precautions: they must be quick, and must not throw, block or suspend. Listeners are called in
/// the order they were added.
public interface EngineListener {

  /// {@return whether this listener receives turns} Otherwise only [#closed()] is called, and a
  /// turn costs nothing.
  default boolean seesTurns() {
    return true;
  }

  /// {@return whether turns are counted for this listener, see [LoopView#turnCount()]} If no
  /// listener counts turns, [#afterTurn] is not called either, and a turn costs less.
  default boolean countsTurns() {
    return seesTurns();
  }

  /// {@return whether this listener need not see each task} If so, a task that ends in its first
  /// turn may never be made, and the listener does not see it. If the task is made in its turn, the
  /// listener sees it from then on.
  default boolean allowsLazyTurns() {
    return false;
  }

  /// A task was made, and is possibly not scheduled yet.
  ///
  /// @param task the new task
  default void created(Task<?> task) {}

  /// A task is about to have its turn. It is running already.
  ///
  /// @param task about to have its turn
  default void beforeTurn(Task<?> task) {}

  /// A task's turn is over. [Task#taskState()] is its state now.
  ///
  /// @param task that had its turn
  default void afterTurn(Task<?> task) {}

  /// Called when the turn of a task that is not made begins.
  ///
  /// @param task describes the task that has the turn, and may return null; any thread
  default void beforeLazyTurn(Supplier<? extends @Nullable Task<?>> task) {}

  /// Called when that turn is over and the task was not made.
  default void afterLazyTurn() {}

  /// The running task is about to leave the ready queue.
  ///
  /// @param task is parked
  /// @param how the state in which it is parked
  default void parked(Task<?> task, TaskState how) {}

  /// A parked task becomes ready, and is about to join the queue. Not called when a new task is
  /// first scheduled.
  ///
  /// @param task is ready
  /// @param waker the task that has the turn; null if no task has it
  default void woken(Task<?> task, @Nullable Task<?> waker) {}

  /// A task, or a scope that it is in, was cancelled.
  ///
  /// @param task is cancelled
  /// @param canceller the task that has the turn; null if no task has it
  /// @param description of the request
  default void cancelled(Task<?> task, @Nullable Task<?> canceller, String description) {}

  /// A task has ended, and everything that waited for its end has been woken.
  ///
  /// @param task that has ended
  default void ended(Task<?> task) {}

  /// Called before actions that other threads have posted run, outside of tasks.
  default void beforeActions() {}

  /// Called when the actions have run.
  default void afterActions() {}

  /// The scheduler has closed. This is the last call.
  default void closed() {}
}
