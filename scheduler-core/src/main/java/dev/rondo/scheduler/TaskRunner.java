package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.Faces;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// Runs tasks. Both a [Scheduler] and an application are task runners.
///
/// A program that has an application calls these methods on it. A library takes a `TaskRunner`, so
/// that both kinds of program can use it. Confined to the scheduler's thread, except where a method
/// says *any thread*. Methods that give way, wait or open a scope require a stackful task.
public interface TaskRunner extends Spawner<@Nullable Object>, Executor {

  // Tasks without a result.

  @Override
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  default Task<Void> spawn(TaskAction<?> code) {
    return spawn(Faces.callable(code));
  }

  @Override
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  default Task<Void> spawn(String name, TaskAction<?> code) {
    return spawn(name, Faces.callable(code));
  }

  // Waiting.

  /// Goes to the back of the ready queue. *Always* a suspension point.
  void yield();

  /// Waits for an event. A *possible* suspension point. If the event has already come and the wait
  /// takes it (see [dev.rondo.scheduler.addon.Source#isEager()]), the task gives way only if this
  /// turn's budget of such operations is spent.
  ///
  /// @param <T> the type of the result
  /// @param waitable what to wait for
  /// @return the value of the event, or the value with which the task was scheduled meanwhile
  /// @throws TaskCancelled if the task, or a scope it is in, is cancelled; nothing stays registered
  /// @throws RuntimeException or another exception, checked or not, with which the event fails
  <T extends @Nullable Object> T await(Waitable<T> waitable);

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
  <T extends @Nullable Object> T await(Waitable<T> waitable, Duration timeout);

  // Blocking calls.

  /// Makes a blocking call on a virtual thread and waits for it; other tasks go on. *Always* a
  /// suspension point.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the call throws
  /// @param call runs on another thread, where it may call only methods of Rondo for any thread,
  ///   such as [#post]
  /// @return the result of the call
  /// @throws TaskCancelled if the task is cancelled meanwhile. The thread of the call is
  ///   interrupted, and a failure of the call is dropped. If the call returns a result all the
  ///   same, and the result is an [AutoCloseable], it is closed. So `try (var c =
  ///   blocking(pool::getConnection))` loses no connection
  /// @throws X the exception that the call throws, unwrapped
  <T extends @Nullable Object, X extends Exception> T blocking(TaskCall<? extends T, X> call)
      throws X;

  /// [#blocking(TaskCall)] for a result that must be given back but is not an [AutoCloseable], or
  /// for a late result that the program wants to keep. *Always* a suspension point.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the call throws
  /// @param call runs on another thread, where it may call only methods of Rondo for any thread
  /// @param ifLate receives a result that comes when the task no longer waits, because it was
  ///   cancelled, its time was up, or it was scheduled. Also runs on another thread. A failure goes
  ///   to the failure handler
  /// @return the result of the call
  /// @throws X the exception that the call throws, unwrapped
  <T extends @Nullable Object, X extends Exception> T blocking(
      TaskCall<? extends T, X> call, Consumer<? super T> ifLate) throws X;

  /// [#blocking(TaskCall)] for a call without a result. *Always* a suspension point.
  ///
  /// @param <X> the checked exceptions that the call throws
  /// @param call runs on another thread, where it may call only methods of Rondo for any thread
  /// @throws X the exception that the call throws, unwrapped
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  default <X extends Exception> void blocking(TaskAction<X> call) throws X {
    blocking(Faces.callable(Objects.requireNonNull(call, "call is null")));
  }

  // Scopes and limits.

  /// [#newGroup(String, TaskGroup.Policy)] with [TaskGroup.Policy#CANCEL_ON_FAILURE].
  ///
  /// @param <T> the common type of the results of its tasks
  /// @param name shown in messages
  /// @return the group
  default <T extends @Nullable Object> TaskGroup<T> newGroup(String name) {
    return newGroup(name, TaskGroup.Policy.CANCEL_ON_FAILURE);
  }

  /// Makes a group of tasks, to be opened by its [TaskGroup#run(TaskAction)]. Never a suspension
  /// point.
  ///
  /// @param <T> the common type of the results of its tasks
  /// @param name shown in messages
  /// @param policy the effect that the end of one task has on the others
  /// @return the group
  <T extends @Nullable Object> TaskGroup<T> newGroup(String name, TaskGroup.Policy policy);

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
  <T extends @Nullable Object, X extends Exception> T within(
      Duration timeout, TaskCall<? extends T, X> code) throws X;

  /// [#within(Duration, TaskCall)] for code without a result. A suspension point if the code is
  /// one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param timeout at least zero; centuries mean for ever
  /// @param code runs in the current task; at the limit its suspension points throw [TaskCancelled]
  /// @throws TimedOutException if the limit has passed and the code let [TaskCancelled] pass
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  default <X extends Exception> void within(Duration timeout, TaskAction<X> code) throws X {
    within(timeout, Faces.callable(code));
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
  <T extends @Nullable Object, X extends Exception> T shielded(TaskCall<? extends T, X> code)
      throws X;

  /// [#shielded(TaskCall)] for code without a result. A suspension point if the code is one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code runs in the current task
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  default <X extends Exception> void shielded(TaskAction<X> code) throws X {
    shielded(Faces.callable(code));
  }

  // Other threads.

  /// Runs a short action on the scheduler's thread, between two turns. This is the fastest way to
  /// call a scheduler from another thread. The action is not a task. It may wake and spawn tasks,
  /// fire waiters and complete promises, but it must not suspend: an attempt fails with an
  /// [IllegalStateException]. Any thread. On the scheduler's own thread the action runs later, too.
  ///
  /// Actions run in the order in which they were posted. Calls of [#execute] and `post` by one
  /// thread keep their order, too, but `execute` makes a task, which has its turn later. The loop
  /// runs actions in batches, between two turns. A batch has up to 1,024 actions, or as many as
  /// begin within some 50 microseconds. Between batches, tasks, timers and IO have their turns.
  ///
  /// A failure goes to the failure handler, and the loop continues, unless the failure is fatal.
  /// Actions are accepted while the scheduler shuts down. An accepted action begins in `close()` at
  /// the latest. A posted action does not keep `start()` running; see [Scheduler#keepAlive()]. It
  /// runs without the context of the thread that posted it (MDC and [TaskLocal]s). On BOUND an
  /// action runs on a virtual thread of the scheduler; while a call of the JDK blocks the action,
  /// the loop continues.
  ///
  /// @param action quick, and must not suspend or block
  /// @return false if the scheduler is closed; the action does not run then
  boolean post(Runnable action);

  // The end.

  /// Makes the `start` or `run` that drives the scheduler return after this turn. All tasks stay as
  /// they are. Any thread. If the scheduler is not driven, a call on its own thread has no effect,
  /// and a call on another thread ends the next run.
  void stop();

  /// Ends the scheduler in an orderly way, in these phases:
  ///
  /// 1. The intake closes: [#execute] refuses, and only tasks can make new tasks. Tasks that await
  ///    [#shutdownRequested()] go on.
  /// 2. Work drains: `start()` goes on, and returns when only daemons are left.
  /// 3. Tasks that are left after the time `drain` are cancelled, as by [Scheduler#close()], and
  ///    clean up.
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
  /// @throws IllegalArgumentException if an argument is negative
  CompletableFuture<List<TaskInfo>> shutdown(Duration drain, Duration cleanUp);

  /// {@return an event that comes when an orderly shutdown has begun} For tasks that do not end by
  /// themselves, such as a task that accepts connections. A task that only waits for this event
  /// should be a daemon.
  Waitable<@Nullable Void> shutdownRequested();
}
