package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.Engine;
import dev.rondo.scheduler.engine.Faces;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// A round-robin scheduler of cooperative tasks, after William Adams' TINN.
///
/// Tasks take turns on one thread. A task gives way only at a *suspension point*: in [#yield()],
/// [#suspend()], [#await] and the methods that are built on them. A method is a suspension point
/// only if its documentation says so. A suspension point throws [TaskCancelled] in a cancelled
/// task, and [dev.rondo.scheduler.coroutine.PinnedException] where the stack cannot be left.
/// Add-ons, which are tasks themselves, provide the events that tasks wait for.
///
/// A scheduler belongs to the thread that built it. Its methods may be called on that thread and in
/// its tasks, and throw [WrongThreadException] elsewhere. The documentation names the methods that
/// any thread may call, such as [#execute], [#stop] and [Task#cancel(String)]. A scheduler can be
/// started and stopped any number of times until it is closed.
///
/// A method that is called in the wrong state throws [IllegalStateException] and changes nothing.
/// Methods that give way, wait or open a scope require a stackful task of this scheduler. Methods
/// that make tasks require that the scheduler is not closed. The methods that drive the scheduler
/// (`step`, `run`, `start`) require that it is neither driven nor closed, and must not be called by
/// one of its tasks.
public abstract sealed class Scheduler implements TaskRunner, AutoCloseable permits Engine.Whole {

  /// For the engine.
  protected Scheduler() {}

  /// {@return a scheduler with all defaults, belonging to the calling thread}
  public static Scheduler create() {
    return builder().build();
  }

  /// {@return a builder with all defaults}
  public static SchedulerBuilder builder() {
    return new SchedulerBuilder();
  }

  /// {@return the scheduler that is running on this thread; inside a task, the scheduler of the
  /// task} Any thread.
  ///
  /// @throws IllegalStateException if no scheduler is running on this thread
  public static Scheduler current() {
    return Engine.all().current();
  }

  /// {@return the scheduler that is running on this thread, as [#current()]; null if there is none}
  /// For code that serves tasks and plain threads. Any thread.
  public static @Nullable Scheduler currentOrNull() {
    return Engine.all().currentOrNull();
  }

  // Making tasks.

  /// Makes a stackful task without scheduling it. The caller can set a trap, make the task a
  /// daemon, or put it elsewhere than at the back of the ready queue.
  ///
  /// @param <T> the type of the result
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public abstract <T extends @Nullable Object> Task<T> newTask(
      String name, TaskCall<? extends T, ?> code);

  /// [#newTask(String, TaskCall)] for code without a result.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  public final Task<Void> newTask(String name, TaskAction<?> code) {
    return newTask(name, Faces.callable(code));
  }

  // Scheduling.

  /// [#scheduleTask(Task, Object)] without a value: the value is null.
  ///
  /// @param task of this scheduler
  /// @return false, with no effect, if the task is ready or running already, is blocked in the JDK,
  ///   or has ended. Also false if the wait of the task must not be cut short
  public abstract boolean scheduleTask(Task<?> task);

  /// Puts a task at the back of the ready queue, with a value for its next turn. Never a suspension
  /// point.
  ///
  /// If the task is waiting, its wait ends. Nothing stays registered, the event is not lost, and
  /// the task can wait for the same event again. One rule holds for every method that waits:
  /// [#suspend()], [#await] and `waitForSignal` return the value, and all others fail with a
  /// [ScheduledDirectlyException] that has the value. A task that has yielded or never ran takes
  /// the value with [#received()], and a step task with its own `received()`. The methods of
  /// [TaskQueue] follow the same rule.
  ///
  /// @param task of this scheduler
  /// @param value for its next turn
  /// @return false, with no effect, if the task is ready or running already, is blocked in the JDK,
  ///   or has ended. Also false if the wait of the task must not be cut short: a wait for the end
  ///   of a group, of a generator that the task closes, or of a call that cannot be given up. Also
  ///   false if [TaskQueue#unschedule] removed the task from the ready queue before it took what it
  ///   had received, or before it learned that it is cancelled; such a task can be scheduled
  ///   without a value
  public abstract boolean scheduleTask(Task<?> task, @Nullable Object value);

  // Looking.

  /// {@return the number of ready tasks, not counting the running one}
  public abstract int tasksPending();

  /// {@return a description of each task that was scheduled and has not ended, in the order in
  /// which they were made}
  public abstract List<TaskInfo> tasks();

  /// {@return the task that has the turn; null outside of tasks, and on a thread other than the
  /// scheduler's} Any thread.
  public abstract @Nullable Task<?> currentTask();

  /// {@return whether this is the scheduler's thread, outside of any task} Any thread.
  public abstract boolean inMainTask();

  // Driving.

  /// Gives one ready task one turn. Never blocks.
  ///
  /// @return whether a task was ready
  public abstract boolean step();

  /// Steps until only daemons, such as add-ons, are left, or until [#stop()] or [#halt(Object)].
  /// Blocks while no task is ready.
  ///
  /// The run also ends if another thread interrupts this thread, or if it is interrupted already. A
  /// warning is then logged, and the thread is interrupted when this method returns. An interrupt
  /// that a task sets on its own thread belongs to the task: the thread is interrupted again in the
  /// next turn of the task, and in no other turn. If the task ends first, a warning is logged.
  ///
  /// @throws DeadlockException if tasks are left that nothing can wake; the scheduler is intact
  public abstract void start();

  // Giving way.

  /// Throws if the task is cancelled, and gives way if this turn's budget of operations is spent.
  /// Every operation that can complete at once does the same. Call this method in long
  /// computations, and in operations that are built from methods such as `tryLock`. A *possible*
  /// suspension point. Trio has this method under the same name.
  ///
  /// @throws TaskCancelled if the task, or a scope it is in, is cancelled
  public abstract void checkpoint();

  /// Parks this task until it is scheduled. *Always* a suspension point.
  ///
  /// @return what it was scheduled with
  public final @Nullable Object suspend() {
    return suspend(null);
  }

  // Values in and out of tasks, after cothread.

  /// Gives one ready task one turn. The task receives a value, and its product is returned. Never
  /// blocks.
  ///
  /// @param value is returned by the task's `yield(v)` or `suspend()`, unless the task was
  ///   scheduled with a value of its own
  /// @return the product of the turn; the value itself if no task was ready
  public abstract @Nullable Object step(@Nullable Object value);

  /// Gives tasks their turns until only daemons are ready or can become ready. The first task
  /// receives the value, and each later one the product of the turn before. Blocks while tasks wait
  /// for events. Tasks may be left suspended.
  ///
  /// @param value for the first task
  /// @return the product of the last turn, or the value given to `halt`
  public abstract @Nullable Object run(@Nullable Object value);

  /// Makes the `run` that drives the scheduler return, and keeps the current task at the head of
  /// the ready queue, so that the next `run` continues with this task. *Always* a suspension point.
  ///
  /// @param value what `run` returns
  /// @return the value that the next `run` or `step` hands in
  public abstract @Nullable Object halt(@Nullable Object value);

  /// Goes to the back of the ready queue with a product for the caller of `step`. *Always* a
  /// suspension point.
  ///
  /// @param product what `step(value)` returns
  /// @return the value that the next `step(value)` hands in
  public abstract @Nullable Object yield(@Nullable Object product);

  /// [#suspend()] with a product for the caller of `step`. *Always* a suspension point.
  ///
  /// @param product what `step(value)` returns
  /// @return what it was scheduled with
  public abstract @Nullable Object suspend(@Nullable Object product);

  /// Takes the value that the current task received for this turn from `scheduleTask(task, value)`,
  /// from `step(value)`, or from the event that it was scheduled on. For the first turn of a task,
  /// and for turns after `yield()` and `checkpoint()`; in other turns `suspend()` and `yield(v)`
  /// return the value. A value that the task has not taken when it gives way again is dropped.
  /// Never a suspension point.
  ///
  /// @return the value; null if there is none, or if it was taken before
  /// @throws IllegalStateException outside a stackful task of this scheduler
  public abstract @Nullable Object received();

  // Waiting.

  /// Waits for the first of several events. If several have already come, the first in the order of
  /// the arguments wins. The other events are not lost: the next wait for each receives it. A
  /// *possible* suspension point, as [#await(Waitable)] is. [Select] runs code for each event.
  ///
  /// @param <T> the common type of the values that they deliver
  /// @param branches at least one
  /// @return the index of the branch that won, and its value
  /// @throws IllegalArgumentException if there is no branch
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; no branch was taken
  @SafeVarargs
  @SuppressWarnings("varargs")
  public final <T extends @Nullable Object> Selection<T> select(Waitable<? extends T>... branches) {
    return host().awaitEvent(Faces.all().<T>select(branches));
  }

  /// {@return an event that comes when a future completes, to be awaited or selected} If the future
  /// fails, the wait throws the failure itself, without a `CompletionException` around it.
  ///
  /// A wait that is given up does not cancel the future, which keeps its result for other waits:
  /// nothing is closed. [Waitable#cancelling(Future)] cancels it. If the future is not a
  /// `CompletionStage`, a `ListenableFuture` or a [Task], a virtual thread blocks on it. For a
  /// stage that is not a future, pass its `toCompletableFuture()`.
  ///
  /// @param <T> the type of the result
  /// @param future completed anywhere
  public abstract <T extends @Nullable Object> Waitable<T> completion(Future<T> future);

  /// {@return [#completion(Future)] of a future whose result belongs to one wait} If that wait is
  /// given up, a result that comes later goes to the handler. The future is not cancelled. A wait
  /// that does not begin, because its task is cancelled already, leaves the future alone.
  ///
  /// @param <T> the type of the result
  /// @param future completed anywhere
  /// @param ifLate receives such a result, on a thread other than the scheduler's. A failure goes
  ///   to the failure handler
  public abstract <T extends @Nullable Object> Waitable<T> completion(
      Future<T> future, Consumer<? super T> ifLate);

  // Scopes and limits.

  @Override
  public final <T extends @Nullable Object> TaskGroup<T> newGroup(
      String name, TaskGroup.Policy policy) {
    return Engine.all().group(this, name, policy);
  }

  /// Makes a scope, to be run by one of this scheduler's tasks. Never a suspension point.
  ///
  /// @param name shown in messages
  /// @return the scope
  public final CancelScope newScope(String name) {
    return Engine.all().scope(this, name);
  }

  /// Makes a generator. Its body begins with the first pull. Never a suspension point.
  ///
  /// @param <T> the type of the elements
  /// @param name shown in reports
  /// @param body may suspend at any depth
  /// @return the generator, which the caller has to close unless it pulls all elements
  /// @throws IllegalStateException if this scheduler is closed
  public final <T extends @Nullable Object> Generator<T> newGenerator(
      String name, Generator.Body<T> body) {
    return Engine.all().generator(this, name, body);
  }

  // Queue and host.

  /// {@return the ready queue, for programs that decide on the order of tasks}
  public abstract TaskQueue queue();

  /// {@return the services of this scheduler for add-ons} Any thread.
  public abstract AddOnHost host();

  // Other threads.

  /// Runs a runnable as a step task of this scheduler. A step task has no stack, so it cannot
  /// suspend. Any thread. A call on the scheduler's own thread puts the task at the back of the
  /// ready queue at once. Never a suspension point. To start a task that suspends, [#post] an
  /// action that spawns it.
  ///
  /// @param command must not suspend; a failure goes to the failure handler
  /// @throws RejectedExecutionException if the scheduler is closed, or is shutting down
  @Override
  public abstract void execute(Runnable command);

  /// Declares that other threads may call this scheduler. Until the returned object is closed,
  /// tasks that nothing known to the scheduler can wake are not a deadlock: `start()` continues
  /// until a call from another thread wakes them. It still returns when no task is left. Never a
  /// suspension point.
  ///
  /// @return an object to close, on the scheduler's thread, when no further calls are expected
  public abstract KeepAlive keepAlive();

  // The end.

  /// Cancels every task, runs their `finally` blocks, and closes the add-ons. Tasks are cancelled
  /// from the youngest to the oldest. Tasks that have no stack, such as tasks that have not begun,
  /// come last. Blocks while tasks that clean up wait for events. If these tasks have waited for
  /// other threads for 10 s in all, the tasks that are left are logged once, at WARN, provided that
  /// the scheduler has a timer and its time is not virtual. Tasks that do not end are abandoned:
  /// the failure handler and the threads that wait for them receive a [TaskAbandonedException].
  /// Later calls do nothing.
  ///
  /// @throws IllegalStateException in a task, or while the scheduler is driven
  @Override
  public abstract void close();
}
