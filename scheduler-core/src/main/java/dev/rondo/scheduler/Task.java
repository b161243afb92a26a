package dev.rondo.scheduler;

import com.google.common.util.concurrent.ListenableFuture;
import dev.rondo.scheduler.engine.observe.TaskMeter;
import dev.rondo.scheduler.engine.observe.TaskMetering;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import dev.rondo.scheduler.observe.TaskLimits;
import dev.rondo.scheduler.observe.TaskMetrics;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A handle on one task of a [Scheduler]: its identity, its state, and its result.
///
/// A task is a [ListenableFuture], so other threads can wait for it or be told, and a [Waitable],
/// so other tasks can join it, alone or in a select. There are two kinds with this one handle:
/// stackful tasks run any Java code and may suspend at any depth; stackless ones ([StepTask]) are a
/// [StepBody] called once per turn.
///
/// Methods are confined to the scheduler's thread unless they say otherwise.
///
/// @param <T> what the task results in
public abstract sealed class Task<T extends @Nullable Object> extends TaskLifecycle<T>
    permits StackfulTask, StepTask {

  /// The lowest [#priority()].
  public static final int MIN_PRIORITY = 1;

  /// The [#priority()] of a task that was given none.
  public static final int NORMAL_PRIORITY = 5;

  /// The highest [#priority()].
  public static final int MAX_PRIORITY = 10;

  private final long id;
  private final long parentId;

  /// A string; or what was given to `execute`, which is asked for its name when that is shown; or
  /// null for one made of the number. Replaced at most once, by the name: any thread may, to no
  /// harm.
  private @Nullable Object name;

  private boolean daemon;

  /// How it is being cancelled; null until somebody asks for that.
  @Nullable Cancellation cancellation;

  /// What [TaskLocal]s are bound to, in pairs; null if none is.
  @Nullable Object @Nullable [] locals;

  /// What of the thread's context belongs to the task while it is not running, see [Contexts].
  @Nullable Object @Nullable [] context;

  /// The group it is to end in, as long as it has not.
  @Nullable TaskGroup<?> group;

  private @Nullable Trap<T> trap;

  /// What it has and must give back, the latest first.
  @Nullable OwnedResource ownedResources;

  /// For the scheduling policy; made when it is needed.
  private @Nullable Urgency urgency;

  /// What it has used; null where nobody counts.
  @Nullable TaskMeter meter;

  Task(Loop loop, @Nullable Object name) {
    super(loop);
    this.name = name;
    this.id = loop.nextTaskId();
    Task<?> maker = loop.runningTask();
    this.parentId = maker == null ? 0 : maker.id();
    if (maker != null) {
      this.locals = maker.locals;
    }
    this.context = loop.captureContext();
  }

  /// Lets go of what it inherited.
  final void dropContext() {
    locals = null;
    context = null;
  }

  // What it is. Any thread.

  /// {@return a number of its own within its scheduler, counted from 1 in the order tasks were
  /// made} Any thread.
  public final long id() {
    return id;
  }

  /// {@return the [#id()] of the task that made it; empty if it was made outside of tasks} Any
  /// thread.
  public final OptionalLong parentId() {
    return parentId == 0 ? OptionalLong.empty() : OptionalLong.of(parentId);
  }

  /// {@return the name it was given, or one made of its number} Any thread.
  @Override
  public final String name() {
    Object own = name;
    if (own == null) {
      return "task-" + id;
    }
    return own instanceof String given ? given : nameOf(own);
  }

  private String nameOf(Object command) {
    String made = "execute " + WaitDescriptions.describe(command);
    name = made;
    return made;
  }

  /// {@return whether this is the caller: the task that [Scheduler#currentTask()] answers} Any
  /// thread. Never a suspension point.
  public final boolean isCurrent() {
    return loop.isCurrent(this);
  }

  /// {@return whether the scheduler may end without this task having ended} Any thread.
  public final boolean isDaemon() {
    return daemon;
  }

  // Set up, before it is scheduled.

  /// Makes it a daemon: `start()` does not wait for it.
  ///
  /// @return this task
  /// @throws IllegalStateException if it was scheduled already
  public final Task<T> daemon() {
    requireNew("daemon()");
    daemon = true;
    return this;
  }

  /// Has nobody wait for it any more, though it is scheduled already.
  final void workNoMore() {
    if (!daemon) {
      daemon = true;
      loop.workNoMore();
    }
  }

  /// Sets a trap: it sees how the task ended and decides what everybody else will see. A later trap
  /// replaces an earlier one.
  ///
  /// @param trap runs once, when the task has ended
  /// @return this task
  /// @throws IllegalStateException if the task has ended
  public final Task<T> trap(Trap<T> trap) {
    loop.checkCaller();
    if (resolvedState().isDone()) {
      throw new IllegalStateException(
          "trap on task '" + name() + "', which has ended: set it before the task ends");
    }
    this.trap = Objects.requireNonNull(trap, "trap");
    return this;
  }

  /// Sets how important the task is, for [SchedulingPolicies#priority()]. Takes effect when the
  /// task next becomes ready or gives way; makes no difference under other policies.
  ///
  /// @param priority from [#MIN_PRIORITY] to [#MAX_PRIORITY]
  /// @return this task
  /// @throws IllegalArgumentException if it is out of that range
  public final Task<T> priority(int priority) {
    loop.checkCaller();
    if (priority < MIN_PRIORITY || priority > MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority=%d of task '%s', must be from %d to %d"
              .formatted(priority, name(), MIN_PRIORITY, MAX_PRIORITY));
    }
    urgency().priority = priority;
    return this;
  }

  /// {@return how important the task is, from [#MIN_PRIORITY] to [#MAX_PRIORITY]}
  public final int priority() {
    Urgency set = urgency;
    return set == null ? NORMAL_PRIORITY : set.priority;
  }

  /// Sets by when the task should be done, for [SchedulingPolicies#earliestDeadlineFirst()]. Takes
  /// effect when the task next becomes ready or gives way; makes no difference under other
  /// policies. Nothing happens when it is missed: for that see [Scheduler#within].
  ///
  /// @param fromNow at least zero
  /// @return this task
  /// @throws IllegalArgumentException if it is negative
  public final Task<T> deadline(Duration fromNow) {
    loop.checkCaller();
    long nanos = Durations.nanos(fromNow, "fromNow");
    urgency().deadlineNanos = OptionalLong.of(loop.deadlineAfter(nanos));
    return this;
  }

  /// {@return by when the task should be done: an instant of the scheduler's ticker, to be compared
  /// by subtraction}
  public final OptionalLong deadlineNanos() {
    Urgency set = urgency;
    return set == null ? OptionalLong.empty() : set.deadlineNanos;
  }

  final Urgency urgency() {
    Urgency own = urgency;
    if (own == null) {
      own = new Urgency();
      urgency = own;
    }
    return own;
  }

  /// Sets how much the task may use, in place of the scheduler's standard. Takes effect at the end
  /// of its next turn.
  ///
  /// @param limits see [TaskLimits]
  /// @return this task
  /// @throws IllegalStateException if the scheduler was built without
  ///   [SchedulerBuilder#taskMetrics()], or the limits cannot be measured on its backend
  public final Task<T> limits(TaskLimits limits) {
    loop.checkCaller();
    TaskMetering.limit(loop.view, this, Objects.requireNonNull(limits, "limits"));
    return this;
  }

  /// {@return what the task has used so far; empty if the scheduler was built without
  /// [SchedulerBuilder#taskMetrics()]}
  public final Optional<TaskMetrics> metrics() {
    loop.checkCaller();
    TaskMeter own = meter;
    return own == null ? Optional.empty() : Optional.of(own.metrics());
  }

  private void requireNew(String call) {
    loop.checkCaller();
    if (resolvedState() != TaskState.NEW) {
      throw new IllegalStateException(
          call
              + " on task '"
              + name()
              + "', which is "
              + taskState()
              + ": call it before scheduling");
    }
  }

  // Cancelling.

  /// Asks the task to end: every suspension point it is in or comes to throws [TaskCancelled] until
  /// it ends. A task that never ran never will. Cancelling oneself takes effect at the next
  /// suspension point. Any thread; from another one it is the loop that does it, a moment later.
  /// Never a suspension point.
  ///
  /// @param reason why, for whoever reads the exception
  /// @return false if the task has ended, or was cancelled before; the first reason stands. On
  ///   another thread true says just that the request is on its way
  public final boolean cancel(String reason) {
    return cancelFor(reason, null);
  }

  /// [#cancel(String)] on account of a failure. Any thread. Never a suspension point.
  ///
  /// @param reason why, for whoever reads the exception
  /// @param cause see [TaskCancelled#trigger()]
  /// @return as [#cancel(String)] does
  public final boolean cancel(String reason, Throwable cause) {
    return cancelFor(reason, Objects.requireNonNull(cause, "cause"));
  }

  private boolean cancelFor(String reason, @Nullable Throwable cause) {
    if (loop.isCaller()) {
      return cancelHere(request(reason, loop.callerName(), cause));
    }
    if (isDone()) {
      return false;
    }
    var request = request(reason, Thread.currentThread().getName(), cause);
    return loop.post(
        new Inbox.Entry() {
          @Override
          void deliver() {
            cancelHere(request);
          }
        });
  }

  private CancelRequest request(String reason, String canceller, @Nullable Throwable cause) {
    return CancelRequest.here("task '" + name() + "'", reason, canceller, cause);
  }

  /// [#cancel(String)], and a look after a while whether the task has ended: if not, the
  /// [FailureHandler] gets a [CancelIgnoredException] with the stack of the task, once. That ends
  /// nothing. A later call replaces the grace of an earlier one. Never a suspension point.
  ///
  /// @param reason why, for whoever reads the exception
  /// @param grace how long cleaning up may take, at least zero
  /// @return false if the task has ended, or was cancelled before; the first reason stands
  /// @throws IllegalArgumentException if the grace is negative
  /// @throws IllegalStateException if the scheduler has no [TimerService]
  public final boolean cancel(String reason, Duration grace) {
    long nanos = Durations.nanos(grace, "grace");
    loop.checkCaller();
    TimerService keeper = loop.requireTimerService();
    boolean taken = cancel(reason);
    if (!isDone()) {
      cancellation().grant(this, grace, keeper, loop.deadlineAfter(nanos));
    }
    return taken;
  }

  /// [#cancel(String)] as `Future` has it; it makes no difference whether the task may be
  /// interrupted.
  @Override
  public final boolean cancel(boolean mayInterruptIfRunning) {
    return cancel("Future.cancel");
  }

  /// Takes a request on the scheduler's thread.
  ///
  /// @return false if the task has ended, or was cancelled before
  final boolean cancelHere(CancelRequest request) {
    if (isDone() || cancelRequest() != null) {
      return false;
    }
    cancellation().request = request;
    refreshPendingCancel();
    if (!entered && !loop.isRunning(this)) {
      endOutsideOfTurn(request);
    } else {
      applyCancel();
    }
    return true;
  }

  /// Ends a task that is not running, on account of a request.
  final void endOutsideOfTurn(CancelRequest request) {
    beginToEnd();
    finish(endedBy(request, new TaskCancelled(request)));
    tellDone();
  }

  /// Has the task end with a failure, as if it were cancelled: it is told at its suspension points.
  ///
  /// @return false if it is ending already
  final boolean fail(Throwable failure) {
    return cancelHere(CancelRequest.failing("task '" + name() + "'", "the scheduler", failure));
  }

  /// How a task ends that was told of a request and gave way to it.
  final Outcome<T> endedBy(CancelRequest request, TaskCancelled told) {
    Throwable failure = request.failure();
    if (failure == null) {
      return new Outcome.Cancelled<>(told);
    }
    failure.addSuppressed(told);
    return new Outcome.Failure<>(failure);
  }

  /// The request to cancel the whole task; null if there is none.
  final @Nullable CancelRequest cancelRequest() {
    Cancellation own = cancellation;
    return own == null ? null : own.request;
  }

  final Cancellation cancellation() {
    Cancellation own = cancellation;
    if (own == null) {
      own = new Cancellation();
      cancellation = own;
    }
    return own;
  }

  /// Recomputes which request holds now.
  void refreshPendingCancel() {
    pendingCancel = cancelRequest();
  }

  /// Lets a request that has just begun to hold take effect on a task that is parked.
  abstract void applyCancel();

  // Running and ending.

  /// Has one turn. The task is at the head of the ready queue; afterwards it is where it put
  /// itself.
  abstract void turn();

  /// The thread that runs its body, null if it is the loop's.
  abstract @Nullable Thread thread();

  /// The stack of a task that is parked; empty if it has none.
  abstract StackTraceElement[] stackTrace();

  /// Settles the result, tells everybody, and lets go of the task, which is running or has left
  /// circulation.
  final void finish(Outcome<T> raw) {
    Outcome<T> outcome = trapped(raw);
    ended(outcome.state());
    if (ownedResources != null) {
      OwnedResource.abandonAll(this);
    }
    boolean observed = settle(outcome);
    TaskGroup<?> home = group;
    if (home != null) {
      group = null;
      observed |= home.childEnded(this, outcome);
    }
    if (outcome instanceof Outcome.Failure<T> failure) {
      loop.failed(this, failure.cause(), observed);
    } else if (outcome instanceof Outcome.Cancelled<T> cancelled) {
      for (Throwable each : cancelled.cause().failures()) {
        loop.failed(this, each, observed);
      }
    }
    dropContext();
    if (cancellation != null) {
      cancellation.end();
    }
    ended(outcome.state()); // whoever was told may have held us up, and left another one
    if (slot != TaskTable.NONE) {
      loop.retire(this);
    }
  }

  /// No turn will come any more, and it has not ended. Tells those who are not tasks of the same
  /// scheduler.
  final void abandon(Throwable failure) {
    if (isEnding()) {
      return; // beneath us
    }
    ended(TaskState.FAILED);
    complete(new Outcome.Failure<>(failure));
  }

  /// Tells the failure handler.
  final void report(String where, Throwable failure) {
    loop.report(where, failure);
  }

  /// Comes behind [#finish], and not on a thread of the task's own: a listener may be held up
  /// there, and the task cannot be, any more.
  final void tellDone() {
    loop.done(this);
  }

  private Outcome<T> trapped(Outcome<T> outcome) {
    Trap<T> set = trap;
    if (set == null) {
      return outcome;
    }
    trap = null;
    try {
      return Objects.requireNonNull(
          set.settle(this, outcome), () -> "the trap of task '" + name() + "' answered null");
    } catch (Throwable e) {
      switch (outcome) {
        case Outcome.Success<T> success -> {}
        case Outcome.Failure<T>(Throwable cause) -> addSuppressed(e, cause);
        case Outcome.Cancelled<T>(TaskCancelled cause) -> addSuppressed(e, cause);
      }
      return new Outcome.Failure<>(e);
    }
  }

  /// A throwable cannot suppress itself: a trap may rethrow what it was given.
  @SuppressWarnings("ReferenceEquality")
  private static void addSuppressed(Throwable primary, Throwable earlier) {
    if (primary != earlier) {
      primary.addSuppressed(earlier);
    }
  }

  /// Its kind, name and state.
  @Override
  public final String toString() {
    return "task '" + name() + "' (" + taskState() + ")";
  }
}
