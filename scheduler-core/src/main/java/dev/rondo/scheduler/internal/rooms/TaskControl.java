package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.engine.host.HostCore;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// Controls tasks on behalf of an add-on: makes tasks for other tasks, fails their waits, and runs
/// code outside of them.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
public sealed interface TaskControl permits HostCore {

  /// {@return the control of the tasks of a scheduler} Any thread.
  ///
  /// @param host the scheduler's
  static TaskControl of(AddOnHost host) {
    return (TaskControl) requireNonNull(host, "host is null");
  }

  /// Makes a stackful task in a group, on behalf of another task, and puts it at the back of the
  /// ready queue. The new task is a child of that task, and inherits its bindings and its context.
  /// So an event can start work for a task without waking it. While the scheduler is stopping, this
  /// works as long as that task has not ended. Never a suspension point.
  ///
  /// @param <T> the type of the result
  /// @param maker the task on whose behalf the new task is made; it does not have the turn
  /// @param group open
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task; cancelled already if the group is cancelled
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  <T extends @Nullable Object> Task<T> spawnFor(
      Task<?> maker, TaskGroup<T> group, String name, TaskCall<? extends T, ?> code);

  /// Runs code whose waits must not be cut short, for instance waits for a call that cannot be
  /// given up. While the code waits, the task cannot be scheduled: [Scheduler#scheduleTask(Task,
  /// Object)] and similar methods return false. The task can be cancelled; see
  /// [Scheduler#shielded]. A suspension point if the code is one.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the code throws
  /// @param code runs in the current task
  /// @return what the code returns
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws X any failure of the code
  <T extends @Nullable Object, X extends Exception> T withoutScheduling(
      TaskCall<? extends T, X> code) throws X;

  /// [#withoutScheduling(TaskCall)] for code without a result. A suspension point if the code is
  /// one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code runs in the current task
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  <X extends Exception> void withoutScheduling(TaskAction<X> code) throws X;

  /// Makes the wait of a task fail, as a time limit of that wait does, or ends its suspension or
  /// idling in the same way. If the task waits at the end of a [dev.rondo.scheduler.TaskGroup], the
  /// tasks of the group are cancelled, and the group fails when they have ended. Never a suspension
  /// point.
  ///
  /// @param task of this scheduler
  /// @param failure makes the exception that the waiting call throws; runs in the task, so that the
  ///   stack trace shows the wait
  /// @return false, with no effect, if the task does not wait, has received something or is about
  ///   to, has a cancellation to be delivered, or cannot leave its wait, see
  ///   [#withoutScheduling(TaskCall)]
  boolean failWait(Task<?> task, Supplier<? extends RuntimeException> failure);

  /// Runs an action when a task next begins to wait, to be suspended or to idle, or is blocked in
  /// the JDK: [#failWait] may succeed then. Replaces an earlier action for the task. Never a
  /// suspension point.
  ///
  /// @param task of this scheduler
  /// @param action runs once, on the scheduler's thread; must not suspend, and must not wake the
  ///   task
  void whenParked(Task<?> task, Runnable action);

  /// Runs code as if outside of tasks: there is no current task, and an attempt to suspend fails
  /// with an [IllegalStateException]. For user code that an add-on calls in the turn of any task.
  /// If a stackful task calls this method, the frames of the task are not on the stack, unless the
  /// stack cannot be left, for instance while the task holds a monitor. No other task has a turn
  /// meanwhile, except on BOUND while a call of the JDK blocks the code. Not a suspension point
  /// otherwise.
  ///
  /// @param <T> the type of the result
  /// @param code to run now
  /// @return its result
  <T extends @Nullable Object> T offStack(Supplier<T> code);

  /// Runs code as [#offStack(Supplier)] does, but above the frames of the calling task. For short
  /// code: leaving the stack and coming back would cost more. Not a suspension point.
  ///
  /// @param <T> the type of the result
  /// @param code to run now; short
  /// @return its result
  <T extends @Nullable Object> T withoutTask(Supplier<T> code);

  /// {@return the earliest deadline of the `within(..)` blocks that the current task is in, on the
  /// scheduler's ticker; empty if there is none} A shield hides the blocks around it. Never a
  /// suspension point.
  OptionalLong limitNanos();

  /// Reports a failure that other code may still receive, as the failure of a task is reported:
  /// after a second, or when the run ends, unless the failure was received by then. Never a
  /// suspension point.
  ///
  /// @param where a description of the code that was running
  /// @param failure the exception that it threw
  /// @param received whether other code has received it meanwhile
  void report(String where, Throwable failure, BooleanSupplier received);

  /// Makes a JDK future that code of this scheduler completes. The methods `join` and `get` of this
  /// future, and of the futures that depend on it, throw an [IllegalStateException] where they
  /// would block the thread of this scheduler, on which the result comes. Any thread.
  ///
  /// @param <T> the type of the result
  /// @param description of the future for that message, such as "the future of promise 'answer'"
  /// @param instead what a task should do instead, such as "claim the promise"
  /// @return a future that is not complete
  <T extends @Nullable Object> CompletableFuture<T> newFuture(
      Supplier<String> description, String instead);

  /// [#newFuture(Supplier, String)] of a future that one task completes, see [HeldFuture]. Any
  /// thread.
  ///
  /// @param <T> the type of the result
  /// @param description of the future
  /// @param instead what a task should do instead
  /// @param holder returns the task; null as long as the task is not known. Called by any thread
  /// @return a future that is not complete
  <T extends @Nullable Object> CompletableFuture<T> newFuture(
      Supplier<String> description, String instead, Supplier<? extends @Nullable Task<?>> holder);
}
