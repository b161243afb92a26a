package dev.rondo.scheduler;

import com.google.common.util.concurrent.ListenableFuture;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.Faces;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A handle on one task of a [Scheduler]: its identity, its state, and its result.
///
/// A task is a [ListenableFuture], so other threads can wait for it or listen to it, and a
/// [Waitable], so other tasks can join it, alone or in a select. There are two kinds of tasks. A
/// stackful task runs any Java code and may suspend at any depth. A stackless task, a [StepTask],
/// calls its [StepBody] once per turn.
///
/// Methods are confined to the scheduler's thread unless they say otherwise.
///
/// @param <T> the type of the result of the task
public sealed interface Task<T extends @Nullable Object> extends ListenableFuture<T>, Waitable<T>
    permits Faces.Any, StepTask {

  /// The lowest [#priority()].
  int MIN_PRIORITY = 1;

  /// The [#priority()] of a task that was given none.
  int NORMAL_PRIORITY = 5;

  /// The highest [#priority()].
  int MAX_PRIORITY = 10;

  // What it is. Any thread.

  /// {@return the number of the task, unique within its scheduler: tasks are counted from 1 in the
  /// order in which they are made} Any thread.
  long id();

  /// {@return the [#id()] of the task that made this task; empty if it was made outside of tasks}
  /// Any thread.
  OptionalLong parentId();

  /// {@return the name that this task was given, or a name made of its number} Any thread.
  String name();

  /// {@return the state of this task} Any thread. On a thread other than the scheduler's, the state
  /// may be out of date when this method returns.
  TaskState taskState();

  /// {@return whether this task is a daemon, which does not keep `start()` from returning} Any
  /// thread.
  boolean isDaemon();

  // Set up, before it is scheduled.

  /// Makes this task a daemon: `start()` returns although the task has not ended.
  ///
  /// @return this task
  /// @throws IllegalStateException if it was scheduled already
  Task<T> daemon();

  /// Sets a trap: code that receives the outcome of the task and returns the outcome that others
  /// see. A later trap replaces an earlier one.
  ///
  /// @param trap runs once, when the task has ended
  /// @return this task
  /// @throws IllegalStateException if the task has ended
  Task<T> trap(Trap<T> trap);

  /// Sets how important the task is, for [SchedulingPolicies#priority()]. Takes effect when the
  /// task next becomes ready or gives way. Has no effect under other policies.
  ///
  /// @param priority from [#MIN_PRIORITY] to [#MAX_PRIORITY]
  /// @return this task
  /// @throws IllegalArgumentException if it is out of that range
  Task<T> setPriority(int priority);

  /// {@return how important the task is, from [#MIN_PRIORITY] to [#MAX_PRIORITY]}
  int priority();

  /// Sets the instant by which the task should end, for
  /// [SchedulingPolicies#earliestDeadlineFirst()]. Takes effect when the task next becomes ready or
  /// gives way. Has no effect under other policies. A missed deadline has no effect; to end a task
  /// in time, see [Scheduler#within].
  ///
  /// @param fromNow at least zero
  /// @return this task
  /// @throws IllegalArgumentException if it is negative
  Task<T> setDeadline(Duration fromNow);

  /// {@return the instant by which the task should end, on the scheduler's ticker, to be compared
  /// by subtraction; empty if none was set}
  OptionalLong deadlineNanos();

  // Cancelling.

  /// Asks the task to end. If the task waits, its wait ends at once, and so does each later wait:
  /// all of its suspension points throw [TaskCancelled] until it ends. Its `finally` blocks run; a
  /// `finally` block that has to wait does so in [Scheduler#shielded(TaskCall)]. A task that has
  /// not begun never runs. A task that cancels itself continues to its next suspension point. Never
  /// a suspension point.
  ///
  /// Any thread. On a thread other than the scheduler's, this method posts the request to the loop,
  /// which carries it out a moment later.
  ///
  /// @param reason shown in the exception
  /// @return false if the task has ended, or was cancelled before; the first reason is kept. On
  ///   another thread, true means only that the request was sent
  boolean cancel(String reason);

  /// [#cancel(String)] because of a failure. Any thread. Never a suspension point.
  ///
  /// @param reason shown in the exception
  /// @param cause see [TaskCancelled#trigger()]
  /// @return as [#cancel(String)] does
  boolean cancel(String reason, Throwable cause);

  /// [#cancel(String)], with a limit for the cleanup. If the task has not ended by then, the
  /// [FailureHandler] receives a [CancelIgnoredException] with the stack of the task, once, and the
  /// task continues. A later call replaces the grace of an earlier one. Never a suspension point.
  ///
  /// @param reason shown in the exception
  /// @param grace how long cleaning up may take, at least zero
  /// @return false if the task has ended, or was cancelled before; the first reason stands
  /// @throws IllegalArgumentException if the grace is negative
  /// @throws IllegalStateException if the scheduler has no [TimerService]
  boolean cancel(String reason, Duration grace);

  /// [#cancel(String)], as declared by `Future`. The argument has no effect.
  @Override
  boolean cancel(boolean mayInterruptIfRunning);

  // The result.

  /// Waits for the task to end. In a task of the same scheduler: *always* a suspension point. On
  /// another thread: blocks it.
  ///
  /// @return its value
  /// @throws TaskFailedException if it failed; the cause is its failure
  /// @throws CancellationException if it was cancelled
  /// @throws TaskCancelled if the *caller* is a task that is cancelled meanwhile
  /// @throws ScheduledDirectlyException if the caller is a task that is scheduled meanwhile
  /// @throws IllegalStateException if called on the scheduler's own thread outside of a stackful
  ///   task before the task has ended, by a task of another scheduler of that thread, or by the
  ///   task itself
  T join();

  /// [#join()], as declared by `Future`. A *possible* suspension point: it does not suspend if the
  /// task has ended.
  ///
  /// @return its value
  /// @throws ExecutionException if the task failed
  /// @throws InterruptedException if the calling thread was interrupted while it waited
  @Override
  T get() throws InterruptedException, ExecutionException;

  /// [#join()] with a limit, as declared by `Future`. A *possible* suspension point: it does not
  /// suspend if the task has ended. A call by a task requires a [TimerService].
  ///
  /// @param timeout the longest time to wait; if it is not above zero, this method does not wait
  /// @param unit of the timeout
  /// @return its value
  /// @throws ExecutionException if the task failed
  /// @throws InterruptedException if the calling thread was interrupted while it waited
  /// @throws java.util.concurrent.TimeoutException if the task had not ended in time
  @Override
  T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, java.util.concurrent.TimeoutException;

  /// {@return how this task ended; null if it has not ended} Any thread.
  @Nullable Outcome<T> outcome();

  /// {@return whether it has ended} Any thread.
  @Override
  boolean isDone();

  /// {@return whether it ended by cancellation} Any thread.
  @Override
  boolean isCancelled();

  /// Adds a listener, which runs when the task ends, or at once if it has ended. The scheduler's
  /// thread hands the listener to the executor. Any thread.
  @Override
  void addListener(Runnable listener, Executor executor);

  /// {@return a JDK future that ends as this task does} Cancelling the future does not cancel the
  /// task. The `join` and `get` of the future fail with an [IllegalStateException] where they would
  /// block the thread on which the task is to end. Any thread.
  CompletableFuture<T> toCompletableFuture();

  // To be awaited.

  /// The task itself.
  @Override
  Task<?> holder();
}
