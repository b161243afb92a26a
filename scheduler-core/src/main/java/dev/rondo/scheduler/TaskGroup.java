package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.engine.GroupCore;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// A block of code and the tasks it starts, as one: whoever leaves the block leaves no task behind.
///
/// ```java
/// TaskGroup<String> pages = scheduler.newGroup("pages");
/// pages.run(() -> urls.forEach(url -> pages.spawn(url, () -> fetch(url))));
/// List<String> texts = pages.results();
/// ```
///
/// The task that calls [#run(TaskAction)] or [#call(Callable)] is the group's owner. Its block, and
/// anybody else on the scheduler's thread while the group is open, the children above all, may
/// [#spawn] tasks into it; it closes when the block is left and the last child has ended. What one
/// failure means for the others, the [Policy] says.
///
/// A group is cancelled as a whole: by [#cancel], by its policy, when its block throws, and when
/// its owner is cancelled, by a deadline around the group for instance (`within(d, () ->
/// group.call(..))`). Then all its children are cancelled, the youngest first, and so is what the
/// block waits for; the owner waits for the children to clean up, whatever becomes of itself. A
/// child spawned then is cancelled before it begins.
///
/// Failures have one shape. The first in time is what the block throws: the block's own as it is, a
/// child's as a [TaskFailedException] that names it; the later ones are suppressed in it. A child
/// that is cancelled by itself is not a failure.
///
/// The models are Trio's nurseries, `coroutineScope` and `supervisorScope` of kotlinx.coroutines,
/// and the JDK's `StructuredTaskScope`. Unlike the last it is a block, not a resource: a `close`
/// cannot see that the block has failed. Unlike the first two, a child's failure is not thrown as
/// an exception group, or as it is, but as a `join` throws it.
///
/// A group is used once. Confined to the scheduler's thread, except where a method says otherwise.
///
/// @param <T> what all its tasks' results have in common
public abstract sealed class TaskGroup<T extends @Nullable Object> permits GroupCore {

  /// What the end of one child means for the others, and for the block.
  public enum Policy {
    /// The first failure of a child cancels the group, and is thrown.
    CANCEL_ON_FAILURE,
    /// All run to their ends, then the failures are thrown.
    COLLECT,
    /// The first success cancels the group, see [TaskGroup#first()]. If none succeeds the failures
    /// are thrown; once one has succeeded, later ones go to the [FailureHandler].
    FIRST_SUCCESS,
    /// A failure is the child's own: it goes to whoever joins it, or to the [FailureHandler]. The
    /// group keeps no outcomes, so that a server may spawn into it for ever.
    SUPERVISE
  }

  /// For the engine.
  protected TaskGroup() {}

  // The block.

  /// Runs the block, and waits for all children. A *possible* suspension point: one if the block
  /// is, or if it leaves children behind that have not ended. If the group is cancelled without a
  /// failure this just returns.
  ///
  /// @param block runs in the current task, which becomes the owner
  /// @throws TaskFailedException if a child failed first, and the policy is to throw that
  /// @throws TaskCancelled if the owner is cancelled
  /// @throws IllegalStateException if the group was used before, or outside a stackful task
  /// @throws Exception whatever the block throws
  public abstract void run(TaskAction block) throws Exception;

  /// [#run(TaskAction)] for a block with a result.
  ///
  /// @param <R> what it results in
  /// @param block runs in the current task, which becomes the owner
  /// @return what the block returns, also if the group was cancelled meanwhile
  /// @throws CancellationException if the group was cancelled without a failure, by [#cancel] or by
  ///   a first success, and the block gave way to that, so that there is no result
  /// @throws TaskFailedException if a child failed first, and the policy is to throw that
  /// @throws TaskCancelled if the owner is cancelled
  /// @throws IllegalStateException if the group was used before, or outside a stackful task
  /// @throws Exception whatever the block throws
  public abstract <R extends @Nullable Object> R call(Callable<? extends R> block) throws Exception;

  // Children.

  /// Makes a stackful task in the group and puts it at the back of the ready queue. Never a
  /// suspension point.
  ///
  /// @param <U> what it results in
  /// @param code may suspend at any depth
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public abstract <U extends T> Task<U> spawn(Callable<? extends U> code);

  /// [#spawn(Callable)] with a name.
  ///
  /// @param <U> what it results in
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public abstract <U extends T> Task<U> spawn(String name, Callable<? extends U> code);

  /// [#spawn(Callable)] for code without a result: among the group's results it is null.
  ///
  /// @param code may suspend at any depth
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public abstract Task<Void> spawn(TaskAction code);

  /// [#spawn(TaskAction)] with a name.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public abstract Task<Void> spawn(String name, TaskAction code);

  /// Makes a stackless task in the group and puts it at the back of the ready queue. Never a
  /// suspension point.
  ///
  /// @param <U> what it results in
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public abstract <U extends T> StepTask<U> spawnSteps(String name, StepBody<U> body);

  // Cancelling.

  /// Cancels the group: its children, and what its block waits for. In a new group the block is
  /// told at its first suspension point. Never a suspension point.
  ///
  /// @param reason why, for whoever reads the exceptions
  /// @return false if it was cancelled before, or is closed; the first reason stands
  public abstract boolean cancel(String reason);

  /// {@return whether the group was cancelled: by [#cancel], a failure, a first success, or the end
  /// of its owner}
  public abstract boolean isCancelled();

  // The outcome.

  /// {@return the results of all children, in the order they were spawned} Never a suspension
  /// point.
  ///
  /// @throws TaskFailedException if one has failed, for the first such in this order
  /// @throws CancellationException if one was cancelled
  /// @throws IllegalStateException if the group is not closed yet, or is a supervisor
  public abstract List<T> results();

  /// {@return how each child ended, in the order they were spawned} Never a suspension point.
  ///
  /// @throws IllegalStateException if the group is not closed yet, or is a supervisor
  public abstract List<Outcome<? extends T>> outcomes();

  /// {@return the result of the child that succeeded first, of a group that is about that} Never a
  /// suspension point.
  ///
  /// @throws NoSuchElementException if none succeeded: there were none, or all were cancelled
  /// @throws IllegalStateException if the group is not closed yet, or has another policy than
  ///   [Policy#FIRST_SUCCESS]
  public abstract T first();
}
