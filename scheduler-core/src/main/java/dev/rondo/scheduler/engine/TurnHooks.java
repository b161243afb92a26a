package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The methods that a loop calls when something happens to a task: a seam for observers. A loop
/// without observers has no hooks, and the cost is then a null check.
///
/// Confined to the scheduler's thread, except [#turnCount()].
public interface TurnHooks {

  /// {@return whether a task need not be made for its turn}
  boolean allowsLazyTurns();

  /// The number of turns that have ended. Any thread. A thread other than the loop's may see an old
  /// value.
  long turnCount();

  void created(Task<?> task);

  void turnBegins(Task<?> task);

  /// Called when a turn is over, possibly twice: a turn can end before [TaskCore#turn] returns, see
  /// [Rooms.FirstTurns].
  void turnEnds(Task<?> task);

  /// Called when the stack of a task could not be left: its turn goes on.
  void turnGoesOn(Task<?> task);

  /// Called when the turn of a task that is not made begins.
  ///
  /// @param task describes the task that has the turn; any thread
  void lazyTurnBegins(Supplier<? extends @Nullable Task<?>> task);

  /// Called when the turn of a task that was never made is over.
  void lazyTurnEnds();

  /// Called when the running task gives up its place in the ready queue.
  void parked(Task<?> task, TaskState how);

  /// Called when a parked task has become ready.
  void woken(Task<?> task);

  /// Called when a task, or a scope that it is in, was cancelled.
  void cancelled(Task<?> task, CancelRequest request);

  void ended(Task<?> task);

  /// Called before posted actions run.
  void actionsBegin();

  void actionsEnd();
}
