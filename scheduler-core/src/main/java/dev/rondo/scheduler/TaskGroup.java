package dev.rondo.scheduler;

import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// A block of code and the tasks that it starts, as a unit: when the block ends, all of its tasks
/// have ended.
///
/// ```java
/// TaskGroup<String> pages = scheduler.newGroup("pages");
/// pages.run(() -> urls.forEach(url -> pages.spawn(url, () -> fetch(url))));
/// List<String> texts = pages.results();
/// ```
///
/// The task that calls [#run(TaskAction)] or [#run(TaskCall)] is the group's owner. While the group
/// is open its block, its children and any other code on the scheduler's thread may [#spawn] tasks
/// into it. It closes when the block is left and the last child has ended. The [Policy] determines
/// what one failure means for the other children.
///
/// A group is cancelled as a whole: by [#cancel], by its policy, when its block throws, and when
/// its owner is cancelled, for instance by a deadline around the group (`within(d, () ->
/// group.run(..))`). Then all children are cancelled, from the youngest to the oldest; children
/// without a stack come last. The wait of the block is cancelled, too. In each case the owner waits
/// until the children have cleaned up. If the owner is cancelled meanwhile, or a limit around the
/// group passes, the group then throws that cancellation or timeout. A child spawned into a
/// cancelled group is cancelled before it begins.
///
/// A group throws the failure that came first: the failure of the block itself, or a
/// [TaskFailedException] that names the child that failed. Later failures are suppressed in it. The
/// cancellation of a single child is not a failure.
///
/// The models are Trio's nurseries, `coroutineScope` and `supervisorScope` of kotlinx.coroutines,
/// and the JDK's `StructuredTaskScope`. Unlike the JDK's class, a group is a block and not a
/// resource, because a `close` cannot see that the block has failed. It throws a child's failure as
/// `join` does; Trio throws an exception group, and kotlinx the failure itself.
///
/// A group can be used once. Confined to the scheduler's thread, except where a method says
/// otherwise. Programs do not extend this class.
///
/// @param <T> the common type of its tasks' results
public abstract class TaskGroup<T extends @Nullable Object> implements Spawner<T> {

  /// The effect that the end of one child has on the other children and on the block.
  public enum Policy {
    /// The first failure of a child cancels the group, and is thrown.
    CANCEL_ON_FAILURE,
    /// All children run to their ends, then the failures are thrown.
    COLLECT,
    /// The first success cancels the group, see [TaskGroup#first()]. If no child succeeds, the
    /// failures are thrown. Failures after a success go to the [FailureHandler].
    FIRST_SUCCESS,
    /// A failure concerns only the child: it goes to the tasks that join it, or to the
    /// [FailureHandler]. The group keeps no outcomes, so that a server can spawn into it for ever.
    SUPERVISE
  }

  /// For the engine.
  protected TaskGroup() {}

  // The block.

  /// Runs the block, and waits for all children. A suspension point if the block is one, or if
  /// children have not ended at its end. If the group is cancelled without a failure this method
  /// just returns.
  ///
  /// @param <X> the checked exceptions that the block throws
  /// @param block runs in the current task, which becomes the owner
  /// @throws TaskFailedException if a child failed first, and the policy throws such a failure
  /// @throws TaskCancelled if the owner is cancelled
  /// @throws IllegalStateException if the group was used before, or outside a stackful task
  /// @throws X any failure of the block
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  public abstract <X extends Exception> void run(TaskAction<X> block) throws X;

  /// [#run(TaskAction)] for a block with a result.
  ///
  /// @param <R> the type of the result
  /// @param <X> the checked exceptions that the block throws
  /// @param block runs in the current task, which becomes the owner
  /// @return what the block returns, even if the group was cancelled meanwhile
  /// @throws CancellationException if the group was cancelled without a failure, by [#cancel] or by
  ///   a first success, and the block let [TaskCancelled] pass, so that there is no result
  /// @throws TaskFailedException if a child failed first, and the policy throws such a failure
  /// @throws TaskCancelled if the owner is cancelled
  /// @throws IllegalStateException if the group was used before, or outside a stackful task
  /// @throws X any failure of the block
  public abstract <R extends @Nullable Object, X extends Exception> R run(
      TaskCall<? extends R, X> block) throws X;

  // Children.

  /// Makes a stackless task in the group and puts it at the back of the ready queue. Never a
  /// suspension point.
  ///
  /// @param <U> the type of the result
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task; cancelled already if the group is cancelled
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public abstract <U extends T> StepTask<U> spawnSteps(String name, StepBody<U> body);

  // Cancelling.

  /// Cancels the group: its children, and the wait of its block. In a new group the block is
  /// cancelled at its first suspension point. Never a suspension point.
  ///
  /// @param reason shown in the exceptions
  /// @return false if it was cancelled before, or is closed; the first reason stands
  public abstract boolean cancel(String reason);

  /// {@return whether the group was cancelled: by [#cancel], a failure, a first success, or the
  /// cancellation of its owner}
  public abstract boolean isCancelled();

  // The outcome.

  /// {@return the results of all children, in the order they were spawned} Never a suspension
  /// point.
  ///
  /// @throws TaskFailedException if a child has failed; the exception is that of the first such
  ///   child in this order
  /// @throws CancellationException if a child was cancelled
  /// @throws IllegalStateException if the group is not closed yet, or is a supervisor
  public abstract List<T> results();

  /// {@return the outcomes of all children, in the order they were spawned} Never a suspension
  /// point.
  ///
  /// @throws IllegalStateException if the group is not closed yet, or is a supervisor
  public abstract List<Outcome<? extends T>> outcomes();

  /// {@return the result of the child that succeeded first} Never a suspension point.
  ///
  /// @throws NoSuchElementException if no child succeeded: the group had no children, or all were
  ///   cancelled
  /// @throws IllegalStateException if the group is not closed yet, or has another policy than
  ///   [Policy#FIRST_SUCCESS]
  public abstract T first();
}
