package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.TaskFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
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
public abstract sealed class Scheduler implements Executor, AutoCloseable permits SchedulerCore {

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
  /// @throws IllegalStateException if none is
  public static Scheduler current() {
    return SchedulerCore.current();
  }

  /// {@return the scheduler that is running on this thread, as [#current()]; null if none is} For
  /// code that serves tasks and plain threads. Any thread.
  public static @Nullable Scheduler currentOrNull() {
    return SchedulerCore.currentOrNull();
  }

  // Making tasks.

  /// Makes a stackful task and puts it at the back of the ready queue; the caller keeps its turn.
  ///
  /// @param <T> the type of the result
  /// @param code may suspend at any depth
  /// @return the task
  public abstract <T extends @Nullable Object> Task<T> spawn(TaskCall<? extends T, ?> code);

  /// [#spawn(TaskCall)] with a name.
  ///
  /// @param <T> the type of the result
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  public abstract <T extends @Nullable Object> Task<T> spawn(
      String name, TaskCall<? extends T, ?> code);

  /// [#spawn(TaskCall)] for code without a result.
  ///
  /// @param code may suspend at any depth
  /// @return the task
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public final Task<Void> spawn(TaskAction<?> code) {
    return spawn(TaskFactory.callable(code));
  }

  /// [#spawn(TaskCall)] with a name, for code without a result.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public final Task<Void> spawn(String name, TaskAction<?> code) {
    return spawn(name, TaskFactory.callable(code));
  }

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
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public final Task<Void> newTask(String name, TaskAction<?> code) {
    return newTask(name, TaskFactory.callable(code));
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
  /// [ScheduledDirectlyException] that has the value. A task that idles, has yielded or never ran
  /// takes the value by [#received()], and a step task by its own `received()`. The methods of
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

  /// {@return how many tasks are ready, without the running one}
  public abstract int tasksPending();

  /// {@return whether tasks are ready, without the running one}
  public final boolean tasksArePending() {
    return tasksPending() > 0;
  }

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

  /// Gives one ready task one turn. The task receives a value, and its product is returned. Never
  /// blocks.
  ///
  /// @param value is returned by the task's `yield(v)` or `suspend()`, unless the task was
  ///   scheduled with a value of its own
  /// @return the product of the turn; the value itself if no task was ready
  public abstract @Nullable Object step(@Nullable Object value);

  /// Gives tasks their turns until none but daemons is ready or can become ready. The first task
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

  /// Steps until no task is left but daemons, such as add-ons, or until [#stop()] or
  /// [#halt(Object)]. Blocks while no task is ready.
  ///
  /// The run also ends if another thread interrupts this thread, or if it is interrupted already. A
  /// warning is then logged, and the thread is interrupted when this method returns. An interrupt
  /// that a task sets on its own thread belongs to the task: the thread is interrupted again in the
  /// next turn of the task, and in no other turn. If the task ends first, a warning is logged.
  ///
  /// @throws DeadlockException if tasks are left that nothing can wake; the scheduler is intact
  public abstract void start();

  /// Makes the `start` or `run` that drives the scheduler return after this turn. All tasks stay as
  /// they are. Any thread. If the scheduler is not driven, a call on its own thread has no effect,
  /// and a call on another thread ends the next run.
  public abstract void stop();

  /// Ends the scheduler in an orderly way, in these phases:
  ///
  /// 1. The intake closes: [#execute] refuses, and new tasks can be made by tasks only. Tasks that
  ///    await [#shutdownRequested()] go on.
  /// 2. Work drains: `start()` goes on, and returns when no task is left but daemons.
  /// 3. Tasks that are left after the time `drain` are cancelled, as by [#close()], and clean up.
  /// 4. Tasks that are left after the time `cleanUp` are given up: the failure handler receives
  ///    each, with its stack, and `start()` returns. `close()`, which has to follow, does not wait
  ///    for them again.
  ///
  /// A second call can only shorten the time that is left. The shutdown makes progress only while
  /// the scheduler is driven. It cannot end a turn that does not end. Any thread, also a shutdown
  /// hook of the JVM. Never a suspension point. A task that waits for the result waits for its own
  /// end, and is cancelled like other tasks.
  ///
  /// @param drain how long tasks may go on, at least zero; centuries mean for ever
  /// @param cleanUp how long cancelled tasks may take, at least zero; with zero they have one turn
  /// @return completed on the scheduler's thread at the end, with the tasks that did not end
  /// @throws IllegalArgumentException if one of them is negative
  public abstract CompletableFuture<List<TaskInfo>> shutdown(Duration drain, Duration cleanUp);

  /// {@return an event that comes when an orderly shutdown has begun} For tasks that do not end by
  /// themselves, such as a task that accepts connections. A task that only waits for this event
  /// should be a daemon.
  public abstract Waitable<@Nullable Void> shutdownRequested();

  // Giving way.

  /// Goes to the back of the ready queue. *Always* a suspension point.
  public abstract void yield();

  /// Goes to the back of the ready queue with a product for the caller of `step`. *Always* a
  /// suspension point.
  ///
  /// @param product what `step(value)` returns
  /// @return the value that the next `step(value)` hands in
  public abstract @Nullable Object yield(@Nullable Object product);

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

  /// Waits for an event. A *possible* suspension point. If the event has already come and the wait
  /// takes it (see [dev.rondo.scheduler.addon.Source#isEager()]), the task gives way only if this
  /// turn's budget of such operations is spent.
  ///
  /// @param <T> the type of the result
  /// @param waitable what to wait for
  /// @return the value of the event, or the value with which the task was scheduled meanwhile
  /// @throws TaskCancelled if the task, or a scope it is in, is cancelled; nothing stays registered
  /// @throws RuntimeException or another exception, checked or not, with which the event fails
  public abstract <T extends @Nullable Object> T await(Waitable<T> waitable);

  /// [#await(Waitable)] with a limit. A *possible* suspension point in the same way.
  ///
  /// @param <T> the type of the result
  /// @param waitable what to wait for
  /// @param timeout at least zero; centuries mean for ever
  /// @return the value of the event, or the value with which the task was scheduled meanwhile
  /// @throws TimedOutException if the event does not come in time; nothing stays registered
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException outside a stackful task of this scheduler, or if that has no
  ///   [TimerService]
  public abstract <T extends @Nullable Object> T await(Waitable<T> waitable, Duration timeout);

  /// Waits for the first of several events. If several have already come, the first in the order of
  /// the arguments wins. The other events are not lost: the next wait for each receives it. A
  /// *possible* suspension point, as [#await(Waitable)] is. [Select] runs code for each event.
  ///
  /// @param <T> the common type of the values that they deliver
  /// @param branches at least one
  /// @return the index of the branch that won, and its value
  /// @throws IllegalArgumentException if there is none
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; no branch was taken
  @SafeVarargs
  @SuppressWarnings("varargs")
  public final <T extends @Nullable Object> Selection<T> select(Waitable<? extends T>... branches) {
    return host().awaitEvent(Rooms.all().<T>select(branches));
  }

  /// {@return the completion of a future, as an event to await or select} If the future fails, the
  /// wait throws the failure itself, without a `CompletionException` around it.
  ///
  /// A wait that is given up does not cancel the future, which keeps its result for other waits:
  /// nothing is closed. [Waitable#cancelling(Future)] cancels it. A future that is no
  /// `CompletionStage`, no `ListenableFuture` and no [Task] costs a virtual thread that blocks on
  /// it. For a stage that is no future, pass its `toCompletableFuture()`.
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
  /// @param ifLate receives such a result, on another thread than the scheduler's. A failure goes
  ///   to the failure handler
  public abstract <T extends @Nullable Object> Waitable<T> completion(
      Future<T> future, Consumer<? super T> ifLate);

  /// Makes a blocking call on a virtual thread and waits for it; other tasks go on. *Always* a
  /// suspension point.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the call throws
  /// @param call runs on another thread, where it may call only methods of Rondo for any thread,
  ///   such as [#post]
  /// @return the result of the call
  /// @throws TaskCancelled if the task is cancelled meanwhile. The thread of the call is
  ///   interrupted, and a failure of the call is dropped. A result that it returns all the same is
  ///   closed if it is an [AutoCloseable]. So `try (var c = blocking(pool::getConnection))` loses
  ///   no connection
  /// @throws X the exception that the call throws, unwrapped
  public abstract <T extends @Nullable Object, X extends Exception> T blocking(
      TaskCall<? extends T, X> call) throws X;

  /// [#blocking(TaskCall)] for a result that must be given back, but is no [AutoCloseable], or is
  /// to be kept. *Always* a suspension point.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the call throws
  /// @param call runs on another thread, where it may call only methods of Rondo for any thread
  /// @param ifLate receives a result that comes when the task does not wait any more, because it
  ///   was cancelled, its time was up, or it was scheduled. Runs on another thread, too. A failure
  ///   goes to the failure handler
  /// @return the result of the call
  /// @throws X the exception that the call throws, unwrapped
  public abstract <T extends @Nullable Object, X extends Exception> T blocking(
      TaskCall<? extends T, X> call, Consumer<? super T> ifLate) throws X;

  /// [#blocking(TaskCall)] for a call without a result. *Always* a suspension point.
  ///
  /// @param <X> the checked exceptions that the call throws
  /// @param call runs on another thread, where it may call only methods of Rondo for any thread
  /// @throws X the exception that the call throws, unwrapped
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public final <X extends Exception> void blocking(TaskAction<X> call) throws X {
    blocking(TaskFactory.callable(Objects.requireNonNull(call, "call is null")));
  }

  // Scopes and limits.

  /// [#newGroup(String, TaskGroup.Policy)] with [TaskGroup.Policy#CANCEL_ON_FAILURE].
  ///
  /// @param <T> the common type of the results of its tasks
  /// @param name shown in messages
  /// @return the group
  public final <T extends @Nullable Object> TaskGroup<T> newGroup(String name) {
    return Rooms.all().group(this, name, TaskGroup.Policy.CANCEL_ON_FAILURE);
  }

  /// Makes a group of tasks, to be opened by its [TaskGroup#run(TaskAction)]. Never a suspension
  /// point.
  ///
  /// @param <T> the common type of the results of its tasks
  /// @param name shown in messages
  /// @param policy the effect that the end of one task has on the others
  /// @return the group
  public final <T extends @Nullable Object> TaskGroup<T> newGroup(
      String name, TaskGroup.Policy policy) {
    return Rooms.all().group(this, name, policy);
  }

  /// Makes a scope, which one of this scheduler's tasks has to run. Never a suspension point.
  ///
  /// @param name shown in messages
  /// @return the scope
  public final CancelScope newScope(String name) {
    return Rooms.all().scope(this, name);
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
    return Rooms.all().generator(this, name, body);
  }

  /// Runs code with a limit. A suspension point if the code is one.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the code throws
  /// @param timeout at least zero; centuries mean for ever
  /// @param code runs in the current task; at the limit its suspension points throw [TaskCancelled]
  /// @return what the code returns, even if the limit has passed
  /// @throws TimedOutException if the limit has passed and the code let [TaskCancelled] pass
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException outside a stackful task, or if this scheduler has no
  ///   [TimerService]
  /// @throws X any failure of the code
  public abstract <T extends @Nullable Object, X extends Exception> T within(
      Duration timeout, TaskCall<? extends T, X> code) throws X;

  /// [#within(Duration, TaskCall)] for code without a result. A suspension point if the code is
  /// one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param timeout at least zero; centuries mean for ever
  /// @param code runs in the current task; at the limit its suspension points throw [TaskCancelled]
  /// @throws TimedOutException if the limit has passed and the code let [TaskCancelled] pass
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public final <X extends Exception> void within(Duration timeout, TaskAction<X> code) throws X {
    within(timeout, TaskFactory.callable(code));
  }

  /// Runs code that a cancellation from outside must not interrupt, such as a cleanup that has to
  /// wait. The cancellation is delivered at the first suspension point after that code. A
  /// suspension point if the code is one.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the code throws
  /// @param code runs in the current task
  /// @return what the code returns
  /// @throws X any failure of the code
  public abstract <T extends @Nullable Object, X extends Exception> T shielded(
      TaskCall<? extends T, X> code) throws X;

  /// [#shielded(TaskCall)] for code without a result. A suspension point if the code is one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code runs in the current task
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public final <X extends Exception> void shielded(TaskAction<X> code) throws X {
    shielded(TaskFactory.callable(code));
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

  /// Runs a short action on the scheduler's thread, between two turns. This is the fastest way to
  /// call a scheduler from another thread. The action is not a task. It may wake and spawn tasks,
  /// fire waiters and complete promises, but it must not suspend: an attempt fails with an
  /// [IllegalStateException]. Any thread. On the scheduler's own thread the action runs later, too.
  ///
  /// Actions run in the order in which they were posted. Calls of [#execute] and `post` by one
  /// thread keep their order, too, but `execute` makes a task, which has its turn later. The loop
  /// runs actions in batches between two turns. A batch has up to 1,024 actions, or as many as
  /// begin within some 50 microseconds. Between batches, tasks, timers and IO have their turns.
  ///
  /// A failure goes to the failure handler, and the loop continues, unless the failure is fatal.
  /// Actions are accepted while the scheduler shuts down. An accepted action begins in `close()` at
  /// the latest. A posted action does not keep `start()` running; see [#keepAlive()]. It runs
  /// without the context of the thread that posted it (MDC and [TaskLocal]s). On BOUND an action
  /// runs on a virtual thread of the scheduler; while a call of the JDK blocks the action, the loop
  /// continues.
  ///
  /// @param action quick, and must not suspend or block
  /// @return false if the scheduler is closed; the action does not run then
  public abstract boolean post(Runnable action);

  /// Declares that other threads may call this scheduler. Until the returned object is closed,
  /// tasks that nothing known to the scheduler can wake are not a deadlock: `start()` continues
  /// until a call from another thread wakes them. It still returns when no task is left. Never a
  /// suspension point.
  ///
  /// @return an object to be closed, on the scheduler's thread, when no further calls are expected
  public abstract KeepAlive keepAlive();

  // The end.

  /// Cancels every task, runs their `finally` blocks, and closes the add-ons. The youngest task is
  /// cancelled first, and those that have no stack, as before their first turn, come last. Blocks
  /// while tasks that clean up wait for events. If they have waited for other threads for 10 s in
  /// all, the tasks that are left are logged once, at WARN, provided that the scheduler has a timer
  /// and its time is not virtual. Tasks that do not end are abandoned: the failure handler and the
  /// threads that wait for them receive a [TaskAbandonedException]. Later calls do nothing.
  ///
  /// @throws IllegalStateException in a task, or while the scheduler is driven
  @Override
  public abstract void close();
}
