package dev.rondo.scheduler.engine.scope;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.engine.CancelRequest;
import dev.rondo.scheduler.engine.Cancellation;
import dev.rondo.scheduler.engine.Faces;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.StackfulTask;
import dev.rondo.scheduler.engine.StepTaskCore;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.TaskFactory;
import dev.rondo.scheduler.engine.Throwables;
import dev.rondo.scheduler.internal.ReportText;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// The implementation of [TaskGroup].
///
/// @param <T> the common type of the results of its tasks
public final class GroupCore<T extends @Nullable Object> extends TaskGroup<T> {

  /// The stage of a group.
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

  /// The scope in which the block runs. A request to cancel this scope also cancels the children.
  final ScopeCore scope;

  private Stage stage = Stage.NEW;

  /// The children. A supervisor forgets its children when they have ended.
  final GroupChildren<T> children = new GroupChildren<>(this);

  /// The failures that the group will throw, in the order in which they happened.
  private final GroupFailures failures = new GroupFailures();

  /// The child that succeeded first, if the policy asks for it.
  private @Nullable TaskCore<?> winner;

  /// Makes a group, on the thread of its scheduler.
  public static <T extends @Nullable Object> TaskGroup<T> of(
      SchedulerCore scheduler, String name, Policy policy) {
    return new GroupCore<>(scheduler.loop, scheduler.taskFactory, name, policy);
  }

  private GroupCore(Loop loop, TaskFactory taskFactory, String name, Policy policy) {
    loop.checkCaller();
    this.loop = loop;
    this.taskFactory = taskFactory;
    this.name = Objects.requireNonNull(name, "name is null");
    this.policy = Objects.requireNonNull(policy, "policy is null");
    this.scope = new ScopeCore(loop, name, false);
  }

  // The block.

  @Override
  public <X extends Exception> void run(TaskAction<X> block) throws X {
    Objects.requireNonNull(block, "block is null");
    runBlock(Faces.callable(block));
  }

  @Override
  public <R extends @Nullable Object, X extends Exception> R run(TaskCall<? extends R, X> block)
      throws X {
    return this.<R, X>runBlock(Objects.requireNonNull(block, "block is null")).result();
  }

  private <R extends @Nullable Object, X extends Exception> GroupBlock<R> runBlock(
      TaskCall<? extends R, X> code) throws X {
    var block = new GroupBlock<R>(this);
    try {
      block.run(code);
    } catch (Exception e) { // unchecked, or declared by the code
      throw Throwables.<X>rethrow(e);
    }
    return block;
  }

  /// Opens the group.
  ///
  /// @return its owner, the running task
  StackfulTask<?> open() {
    StackfulTask<?> owner = loop.currentStackful("run of a group");
    if (stage != Stage.NEW) {
      throw new IllegalStateException(this + " was used before; make a new one");
    }
    stage = Stage.OPEN;
    return owner;
  }

  void blockThrew(Throwable thrown) {
    if (thrown instanceof TaskCancelled) {
      cancelAll("its owner received: " + thrown.getMessage(), null);
      return;
    }
    failures.addBlocks(thrown);
    cancelAll("its block threw " + ReportText.describe(thrown), thrown);
  }

  /// Called when the block was left and the last child has ended.
  ///
  /// @param thrown the exception that the block threw; null if it threw none
  /// @param due an exception that came while the children cleaned up, and that is thrown in any
  ///   case; null if there is none
  void close(@Nullable Throwable thrown, @Nullable Throwable due) throws Exception {
    stage = Stage.CLOSED;
    if (due != null) {
      if (thrown instanceof TaskCancelled earlier) {
        earlier.failures().forEach(due::addSuppressed);
      }
      failures.throwAll(due);
    } else if (winner == null || thrown != null) {
      boolean first = thrown instanceof TaskCancelled || winner != null; // whatever children did
      failures.throwAll(first ? thrown : null);
    }
  }

  // Children.

  @Override
  public <U extends T> TaskCore<U> spawn(TaskCall<? extends U, ?> code) {
    return add(newStackful(null, code));
  }

  @Override
  public <U extends T> TaskCore<U> spawn(String name, TaskCall<? extends U, ?> code) {
    return add(newStackful(Objects.requireNonNull(name, "name is null"), code));
  }

  @Override
  public TaskCore<Void> spawn(TaskAction<?> code) {
    return withoutResult(newStackful(null, Faces.callable(code)));
  }

  @Override
  public TaskCore<Void> spawn(String name, TaskAction<?> code) {
    return withoutResult(
        newStackful(Objects.requireNonNull(name, "name is null"), Faces.callable(code)));
  }

  /// See [dev.rondo.scheduler.internal.rooms.TaskControl#spawnFor].
  public <U extends T> TaskCore<U> spawnFor(
      TaskCore<?> maker, String name, TaskCall<? extends U, ?> code) {
    requireOpen();
    return add(taskFactory.stackfulFor(maker, name, code));
  }

  @Override
  public <U extends T> StepTaskCore<U> spawnSteps(String name, StepBody<U> body) {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(body, "body is null");
    requireOpen();
    StepTaskCore<U> task = taskFactory.steps(name, body);
    add(task);
    return task;
  }

  @SuppressWarnings("unchecked") // the result is null, which is of any type
  private TaskCore<Void> withoutResult(TaskCore<Void> task) {
    add((TaskCore<? extends T>) (TaskCore<?>) task);
    return task;
  }

  private <U extends @Nullable Object> TaskCore<U> newStackful(
      @Nullable String childName, Callable<? extends U> code) {
    Objects.requireNonNull(code, "code is null");
    requireOpen();
    return taskFactory.stackful(childName, code);
  }

  /// Requires that the group is open. Must be called before a child is made, because listeners see
  /// each child that is made.
  private void requireOpen() {
    loop.checkCaller();
    if (stage != Stage.OPEN) {
      throw new IllegalStateException(
          stage == Stage.NEW
              ? this + " is not open yet: spawn within its run(..)"
              : this + " is closed: all its tasks have ended, and it takes no new ones");
    }
  }

  private <C extends TaskCore<? extends T>> C add(C child) {
    child.owner = children.add(child, policy != Policy.SUPERVISE);
    CancelRequest cancelled = scope.request;
    if (cancelled == null) {
      child.becomeReady(Place.BACK);
    } else {
      child.cancelHere(cancelled);
    }
    return child;
  }

  /// Called when a child has ended.
  ///
  /// @return whether the group takes care of the child's failure, if there is one. The group does
  ///   not take care of a failure in the cleanup of a cancelled child
  boolean childEnded(TaskCore<?> child, Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Success<?> success -> {
        if (policy == Policy.FIRST_SUCCESS && winner == null) {
          winner = child;
          cancelAll("task '" + child.name() + "' has succeeded", null);
        }
        yield true;
      }
      case Outcome.Failure<?>(Throwable cause) -> childFailed(child, cause);
      case Outcome.Cancelled<?> cancelled -> false;
    };
  }

  private boolean childFailed(TaskCore<?> child, Throwable cause) {
    if (policy == Policy.SUPERVISE || winner != null) {
      return false;
    }
    failures.addChilds(child.name(), cause);
    if (policy == Policy.CANCEL_ON_FAILURE) {
      cancelAll("task '" + child.name() + "' has failed", cause);
    }
    return true;
  }

  // Cancelling.

  @Override
  public boolean cancel(String reason) {
    loop.checkCaller();
    return stage != Stage.CLOSED
        && cancelAll(Objects.requireNonNull(reason, "reason is null"), null);
  }

  private boolean cancelAll(String reason, @Nullable Throwable cause) {
    if (scope.isCancelled()) {
      return false;
    }
    var request = CancelRequest.here("group '" + name + "'", reason, loop.callerName(), cause);
    scope.cancelHere(request);
    List<TaskCore<?>> youngestFirst = children.youngestFirst();
    for (TaskCore<?> child : youngestFirst) {
      if (!Cancellation.endsAtOnce(child)) {
        child.cancelHere(request);
      }
    }
    for (TaskCore<?> child : youngestFirst) { // now no child joins a child that ends at once
      child.cancelHere(request);
    }
    return true;
  }

  @Override
  public boolean isCancelled() {
    return scope.isCancelled();
  }

  // The outcome.

  @Override
  public List<T> results() {
    return closed("results").results();
  }

  @Override
  public List<Outcome<? extends T>> outcomes() {
    return closed("outcomes").outcomes();
  }

  @Override
  @SuppressWarnings("unchecked") // a child of this group
  public T first() {
    if (policy != Policy.FIRST_SUCCESS) {
      throw new IllegalStateException(
          "first() is for the policy FIRST_SUCCESS, but that of " + this + " is " + policy);
    }
    closed("first");
    if (winner == null) {
      throw new NoSuchElementException("no task of " + this + " succeeded");
    }
    return GroupChildren.result((TaskCore<? extends T>) winner);
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
          what + " of " + this + " before its end: ask after run(..), or join the tasks");
    }
    return children;
  }

  @Override
  public String toString() {
    return "group '" + name + "'" + children.suffix();
  }
}
