package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.view.ObservedLoop;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Everything that an observer may ask of a scheduler's loop and of its tasks.
///
/// Methods are confined to the scheduler's thread unless they say otherwise.
public interface LoopView {

  /// The result of [#visitTasks] after the last task.
  int NO_MORE = -1;

  /// Receives tasks, each with its slot.
  @FunctionalInterface
  interface SlotVisitor {

    /// Visits a task.
    ///
    /// @param slot where a later [#visitSlots] begins with this task
    /// @param task a task that was made and has not ended
    void visit(int slot, Task<?> task);
  }

  /// The state of a loop at one moment.
  ///
  /// @param isDriven whether `start()`, `run()` or `step()` is on the stack
  /// @param isClosed whether the loop is closed and no task is left
  /// @param alive the number of tasks that were scheduled and have not ended
  /// @param ready the number of these tasks that are ready, including the running task
  /// @param running the task that has the turn; null between turns
  /// @param passNanos when the loop last read its clock
  record State(
      boolean isDriven,
      boolean isClosed,
      int alive,
      int ready,
      @Nullable Task<?> running,
      long passNanos) {}

  /// {@return the loop of a scheduler} Any thread.
  ///
  /// @param scheduler any
  static LoopView of(Scheduler scheduler) {
    return ObservedLoop.of(scheduler);
  }

  /// {@return the loop of a task} Any thread.
  ///
  /// @param task any
  static LoopView of(Task<?> task) {
    return ObservedLoop.of(TaskCore.of(requireNonNull(task, "task is null")).loop.scheduler);
  }

  // Listening.

  /// Adds a listener. Only in [dev.rondo.scheduler.addon.Instrument#open].
  ///
  /// @param listener receives what happens from now on
  /// @throws IllegalStateException if the scheduler is complete
  void add(EngineListener listener);

  /// {@return the first listener of a class; null if there is none} Any thread.
  ///
  /// @param <L> the class
  /// @param type the class
  <L extends EngineListener> @Nullable L listener(Class<L> type);

  // The loop.

  /// {@return the number of the loop, unique in this process} Any thread.
  long number();

  /// {@return the scheduler} Any thread.
  Scheduler scheduler();

  /// {@return the thread that the loop belongs to} Any thread.
  Thread thread();

  /// {@return whether the calling thread is the scheduler's: the thread of the loop, or of the
  /// running task} Any thread.
  boolean isCaller();

  /// {@return the coroutine backend} Any thread.
  CoroutineBackend backend();

  /// {@return the scheduler's clock} Any thread.
  Ticker ticker();

  /// {@return the scheduler's clock as of the loop's last pass}
  long passNanos();

  /// {@return what the loop is doing} Any thread: reads the loop's fields without synchronization,
  /// so another thread may see values that are out of date or do not belong together.
  State state();

  /// {@return a description of the posted action that is running; null if none is running} Any
  /// thread, with the restriction of [#state()].
  @Nullable String runningAction();

  /// {@return the number of turns that tasks have had} Zero if no listener counts turns. Any
  /// thread: a recent number.
  long turnCount();

  /// Runs an action on the loop, between two turns. Any thread.
  ///
  /// @param action must not throw
  /// @return false if the scheduler is closed; the action does not run then
  boolean post(Runnable action);

  /// Makes some of the tasks that are scheduled but not made yet, because no code has asked for
  /// them. Visits see only tasks that are made.
  ///
  /// @param most how many
  /// @return whether there are more
  boolean makeTasks(int most);

  /// Visits some of the tasks that are made and have not ended. A task keeps its slot as long as it
  /// lives, so that calls at different times visit each task that lives meanwhile once.
  ///
  /// @param firstSlot 0, or the result of the previous call
  /// @param most how many tasks to visit. The call may visit fewer tasks, or none, where many tasks
  ///   in a row have ended
  /// @param visitor receives the tasks
  /// @return where to go on; [#NO_MORE] after the last task
  default int visitTasks(int firstSlot, int most, Consumer<? super Task<?>> visitor) {
    requireNonNull(visitor, "visitor is null");
    return visitSlots(firstSlot, most, (slot, task) -> visitor.accept(task));
  }

  /// [#visitTasks] with the slot of each task.
  ///
  /// @param firstSlot 0, or the result of the previous call, or the slot of a task
  /// @param most see [#visitTasks]
  /// @param visitor receives the tasks
  /// @return where to go on; [#NO_MORE] after the last task
  int visitSlots(int firstSlot, int most, SlotVisitor visitor);

  /// {@return the reports of the add-ons about themselves, in the order in which the add-ons were
  /// installed, without empty reports}
  List<AddOnInfo> addOns();

  /// {@return the list of the sockets, listeners and pipes that add-ons have open} Each add-on
  /// lists its channels here while they are open. Any thread.
  ChannelList openChannels();

  // A task.

  /// {@return a description of a task, with its stack}
  ///
  /// @param task of this scheduler
  TaskInfo describe(Task<?> task);

  /// {@return a description of a task, without its stack}
  ///
  /// @param task of this scheduler
  TaskInfo describeBriefly(Task<?> task);

  /// {@return the wait of a task for other tasks; null if the task does not wait for tasks}
  ///
  /// @param task of this scheduler
  @Nullable TaskWait heldWait(Task<?> task);

  /// {@return the thread on which a task has its turns: its own thread, or the loop's} Any thread.
  ///
  /// @param task of this scheduler
  Thread threadOf(Task<?> task);

  /// {@return the stack of a suspended task, for an observer of a loop that hangs; empty if the
  /// task is not suspended, or the loop goes on} Any thread but the scheduler's.
  ///
  /// @param task of this scheduler
  /// @param hangs whether the loop still hangs
  StackTraceElement[] stackWhile(Task<?> task, BooleanSupplier hangs);

  /// {@return the event that a task waits for; null if the task is not waiting}
  ///
  /// @param task of this scheduler
  @Nullable Waitable<?> awaited(Task<?> task);

  /// {@return whether a task has had a turn}
  ///
  /// @param task of this scheduler
  boolean hasBegun(Task<?> task);

  /// {@return whether an add-on runs as this task}
  ///
  /// @param task of this scheduler
  boolean isAddOn(Task<?> task);

  /// {@return the meter of a task; null if the task has none}
  ///
  /// @param task any
  @Nullable Supplier<TaskMetrics> meter(Task<?> task);

  /// Gives a task its meter, from which [TaskInfo#metrics()] then reads.
  ///
  /// @param task a task without a meter
  /// @param meter counts what the task uses
  void meter(Task<?> task, Supplier<TaskMetrics> meter);

  /// Ends a task with a failure, by cancelling it. Does nothing if the task is ending already. A
  /// call in [EngineListener#afterTurn] takes effect when all listeners have been called.
  ///
  /// @param task of this scheduler
  /// @param failure the outcome of the task
  void fail(Task<?> task, RuntimeException failure);

  /// {@return whether the CPU time and the allocations of a task count for the loop's thread} Any
  /// thread.
  ///
  /// @param task of this scheduler
  default boolean usesLoopThread(Task<?> task) {
    return requireNonNull(task, "task is null") instanceof StepTask<?>
        || backend().mountsOnLoopThread();
  }
}
