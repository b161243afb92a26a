package dev.rondo.scheduler;

import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
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
public final class TaskGroup<T extends @Nullable Object> {

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

  /// How far a group has come.
  ///
  /// | from | to | cause |
  /// |---|---|---|
  /// | NEW | OPEN | its block begins |
  /// | OPEN | CLOSED | its block was left, and the last child has ended |
  private enum Stage {
    NEW,
    OPEN,
    CLOSED
  }

  final Loop loop;
  private final TaskFactory taskFactory;
  private final String name;
  private final Policy policy;

  /// What the block runs in. Its request is the children's, too.
  final CancelScope scope;

  private Stage stage = Stage.NEW;

  /// Those of a supervisor are forgotten when they have ended.
  final GroupChildren<T> children = new GroupChildren<>(this);

  /// What the group is to throw, in the order it happened.
  private final GroupFailures failures = new GroupFailures();

  /// The child that succeeded first, if that is what was asked for.
  private @Nullable Task<?> winner;

  TaskGroup(Loop loop, TaskFactory taskFactory, String name, Policy policy) {
    this.loop = loop;
    this.taskFactory = taskFactory;
    this.name = Objects.requireNonNull(name, "name");
    this.policy = Objects.requireNonNull(policy, "policy");
    this.scope = new CancelScope(loop, name);
  }

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
  public void run(TaskAction block) throws Exception {
    Objects.requireNonNull(block, "block");
    new GroupBlock<@Nullable Void>(this).run(TaskFactory.callable(block));
  }

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
  public <R extends @Nullable Object> R call(Callable<? extends R> block) throws Exception {
    Objects.requireNonNull(block, "block");
    var called = new GroupBlock<R>(this);
    called.run(block);
    return called.result();
  }

  void open() {
    loop.currentStackful("run of a group");
    if (stage != Stage.NEW) {
      throw new IllegalStateException(this + " was used before; make a new one with newGroup(..)");
    }
    stage = Stage.OPEN;
  }

  void blockThrew(Throwable thrown) {
    if (thrown instanceof TaskCancelled) {
      cancelAll("its owner was told that " + thrown.getMessage(), null);
      return;
    }
    failures.addBlocks(thrown);
    cancelAll("its block threw " + WaitDescriptions.describe(thrown), thrown);
  }

  /// The block was left, and the last child has ended.
  ///
  /// @param thrown what the block threw, if it did
  void close(@Nullable Throwable thrown) throws Exception {
    stage = Stage.CLOSED;
    if (winner == null || thrown != null) {
      boolean first = thrown instanceof TaskCancelled || winner != null; // whatever children did
      failures.throwAll(first ? thrown : null);
    }
  }

  // Children.

  /// Makes a stackful task in the group and puts it at the back of the ready queue. Never a
  /// suspension point.
  ///
  /// @param <U> what it results in
  /// @param code may suspend at any depth
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public <U extends T> Task<U> spawn(Callable<? extends U> code) {
    return add(newStackful(null, code));
  }

  /// [#spawn(Callable)] with a name.
  ///
  /// @param <U> what it results in
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public <U extends T> Task<U> spawn(String name, Callable<? extends U> code) {
    return add(newStackful(name, code));
  }

  /// [#spawn(Callable)] for code without a result: among the group's results it is null.
  ///
  /// @param code may suspend at any depth
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public Task<Void> spawn(TaskAction code) {
    return withoutResult(newStackful(null, TaskFactory.callable(code)));
  }

  /// [#spawn(TaskAction)] with a name.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public Task<Void> spawn(String name, TaskAction code) {
    return withoutResult(newStackful(name, TaskFactory.callable(code)));
  }

  /// Makes a stackless task in the group and puts it at the back of the ready queue. Never a
  /// suspension point.
  ///
  /// @param <U> what it results in
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public <U extends T> StepTask<U> spawnSteps(String name, StepBody<U> body) {
    requireOpen();
    StepTask<U> task = taskFactory.steps(name, body);
    add(task);
    return task;
  }

  @SuppressWarnings("unchecked") // its result is null, which is of any type
  private Task<Void> withoutResult(Task<Void> task) {
    add((Task<? extends T>) (Task<?>) task);
    return task;
  }

  private <U extends @Nullable Object> Task<U> newStackful(
      @Nullable String childName, Callable<? extends U> code) {
    requireOpen();
    return taskFactory.stackful(childName, code);
  }

  /// To be asked before a child is made: listeners are told of each that is.
  private void requireOpen() {
    loop.checkCaller();
    if (stage != Stage.OPEN) {
      throw new IllegalStateException(
          stage == Stage.NEW
              ? this + " is not open yet: spawn within its run(..) or call(..)"
              : this + " is closed: all its tasks have ended, and it takes no new ones");
    }
  }

  private <C extends Task<? extends T>> C add(C child) {
    children.add(child);
    if (policy != Policy.SUPERVISE) {
      children.keep(child);
    }
    child.group = this;
    CancelRequest cancelled = scope.request();
    if (cancelled == null) {
      child.becomeReady(false);
    } else {
      child.cancelHere(cancelled);
    }
    return child;
  }

  /// A child has ended.
  ///
  /// @return whether its failure, if it has one, is taken care of; what went wrong in the cleaning
  ///   of a cancelled child is not
  boolean childEnded(Task<?> child, Outcome<?> outcome) {
    children.remove(child);
    boolean taken =
        switch (outcome) {
          case Outcome.Success<?> success -> childSucceeded(child);
          case Outcome.Failure<?>(Throwable cause) -> childFailed(child, cause);
          case Outcome.Cancelled<?> cancelled -> false;
        };
    if (children.isSo()) {
      children.tell(false);
    }
    return taken;
  }

  private boolean childSucceeded(Task<?> child) {
    if (policy == Policy.FIRST_SUCCESS && winner == null) {
      winner = child;
      cancelAll("task '" + child.name() + "' has succeeded", null);
    }
    return true;
  }

  private boolean childFailed(Task<?> child, Throwable cause) {
    if (policy == Policy.SUPERVISE || winner != null) {
      return false;
    }
    failures.addChilds(child, cause);
    if (policy == Policy.CANCEL_ON_FAILURE) {
      cancelAll("task '" + child.name() + "' has failed", cause);
    }
    return true;
  }

  // Cancelling.

  /// Cancels the group: its children, and what its block waits for. In a new group the block is
  /// told at its first suspension point. Never a suspension point.
  ///
  /// @param reason why, for whoever reads the exceptions
  /// @return false if it was cancelled before, or is closed; the first reason stands
  public boolean cancel(String reason) {
    loop.checkCaller();
    return stage != Stage.CLOSED && cancelAll(Objects.requireNonNull(reason, "reason"), null);
  }

  private boolean cancelAll(String reason, @Nullable Throwable cause) {
    if (scope.isCancelled()) {
      return false;
    }
    var request = CancelRequest.here("group '" + name + "'", reason, loop.callerName(), cause);
    scope.take(request);
    for (Task<?> child : children.youngestFirst()) {
      child.cancelHere(request);
    }
    return true;
  }

  /// {@return whether the group was cancelled: by [#cancel], a failure, a first success, or the end
  /// of its owner}
  public boolean isCancelled() {
    return scope.isCancelled();
  }

  // The outcome.

  /// {@return the results of all children, in the order they were spawned} Never a suspension
  /// point.
  ///
  /// @throws TaskFailedException if one has failed, for the first such in this order
  /// @throws CancellationException if one was cancelled
  /// @throws IllegalStateException if the group is not closed yet, or is a supervisor
  public List<T> results() {
    return closed("results").results();
  }

  /// {@return how each child ended, in the order they were spawned} Never a suspension point.
  ///
  /// @throws IllegalStateException if the group is not closed yet, or is a supervisor
  public List<Outcome<? extends T>> outcomes() {
    return closed("outcomes").outcomes();
  }

  /// {@return the result of the child that succeeded first, of a group that is about that} Never a
  /// suspension point.
  ///
  /// @throws NoSuchElementException if none succeeded: there were none, or all were cancelled
  /// @throws IllegalStateException if the group is not closed yet, or has another policy than
  ///   [Policy#FIRST_SUCCESS]
  @SuppressWarnings("unchecked") // a child of ours
  public T first() {
    if (policy != Policy.FIRST_SUCCESS) {
      throw new IllegalStateException(
          "first() is for the policy FIRST_SUCCESS, but that of " + this + " is " + policy);
    }
    closed("first");
    if (winner == null) {
      throw new NoSuchElementException("no task of " + this + " succeeded");
    }
    return GroupChildren.result((Task<? extends T>) winner);
  }

  private GroupChildren<T> closed(String what) {
    loop.checkCaller();
    if (policy == Policy.SUPERVISE) {
      throw new IllegalStateException(
          what
              + " of "
              + this
              + ": a supervisor keeps none; keep the tasks that spawn(..) returns");
    }
    if (stage != Stage.CLOSED) {
      throw new IllegalStateException(
          what
              + " of "
              + this
              + " before its end: ask after run(..) or call(..), or join the tasks");
    }
    return children;
  }

  /// Its name, and how many children are left.
  @Override
  public String toString() {
    return "group '" + name + "'" + children.suffix();
  }
}
