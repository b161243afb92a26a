package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Trap;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.engine.util.WaitDescriptions;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The implementation of [Task], of both kinds: its identity, its settings, how it is cancelled and
/// how it ends. Its state and the moves between states are in [TaskLifecycle], its wait and what it
/// resumes with in [TaskResumption], its result in [TaskResult].
///
/// @param <T> the type of the result of the task
public abstract sealed class TaskCore<T extends @Nullable Object> extends TaskLifecycle<T>
    implements Task<T>, Coroutine.Body permits StackfulTask, StepTaskCore {

  private final long id;
  private final long parentId;

  /// The name, as one of three things: a string; the command passed to `execute`, whose string form
  /// is the name; or null for a name made of the number. A command is replaced by its string form
  /// when the name is first needed. Any thread may do that, because all of them compute the same
  /// name.
  private @Nullable Object name;

  // Its role.
  static final byte WORKER = 0;
  private static final byte DAEMON = 1;
  static final byte ADD_ON = 2;

  /// Whether the task keeps the scheduler running, is a daemon, or is a daemon as which an add-on
  /// runs.
  byte role = WORKER;

  /// The resources that the task must give back, the latest first; null if there are none. Not a
  /// field of [TaskExtras], so that taking a lock need not make that object.
  @Nullable Ownership owned;

  /// What is called when the task has ended; null if nothing is, and after that.
  public @Nullable TaskOwner owner;

  private @Nullable Trap<T> trap;

  TaskCore(Loop loop, @Nullable Object name) {
    this(loop, name, loop.nextTaskId(), loop.runningId());
    loop.bequeath(this);
  }

  /// Makes a task that was lazy. It already has a number, and inherits nothing.
  TaskCore(Loop loop, @Nullable Object name, long id, long parentId) {
    super(loop);
    this.name = name;
    this.id = id;
    this.parentId = parentId;
  }

  /// The core of a task of this scheduler.
  ///
  /// @throws IllegalArgumentException if it belongs to another scheduler
  static TaskCore<?> of(Task<?> task, Loop loop) {
    loop.checkCaller();
    TaskCore<?> core = of(Objects.requireNonNull(task, "task is null"));
    if (core.loop != loop) {
      throw new IllegalArgumentException(task + " belongs to another scheduler: call that one");
    }
    return core;
  }

  /// The core of a task.
  public static <T extends @Nullable Object> TaskCore<T> of(Task<T> task) {
    return (TaskCore<T>) task;
  }

  // For tasks of other loops. Any thread.

  /// Whether it is a task of a loop.
  public final boolean isOf(Loop one) {
    return loop == one;
  }

  /// Whether its loop is another thread's.
  public final boolean isElsewhere() {
    return !loop.isCaller();
  }

  /// The number of its loop.
  public final long loopNumber() {
    return SchedulerCore.viewOf(loop.scheduler).number();
  }

  /// The thread of its loop.
  final Thread loopThread() {
    return loop.thread;
  }

  /// A description of what the task is doing. On the thread of its loop.
  public final TaskInfo info() {
    return TaskInfos.of(this, loop.passNanos);
  }

  /// Drops the bindings and the context that the task inherited.
  final void dropContext() {
    TaskLocals.bind(this, null);
    keepContext(null);
  }

  public final void keepContext(@Nullable Object @Nullable [] snapshot) {
    if (snapshot != null) {
      extras().context = snapshot;
    } else if (extras != null) {
      extras.context = null;
    }
  }

  @Override
  public final TaskCore<?> makeFirst() {
    return this;
  }

  @Override
  public final TaskCore<?> portrait() {
    return this;
  }

  @Override
  public final int readyCount() {
    return storedState() == TaskState.READY ? 1 : 0;
  }

  // What it is. Any thread.

  @Override
  public final long id() {
    return id;
  }

  @Override
  public final OptionalLong parentId() {
    return parentId == 0 ? OptionalLong.empty() : OptionalLong.of(parentId);
  }

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

  @Override
  public final boolean isCurrent() {
    return loop.isCurrent(this);
  }

  @Override
  public final boolean isDaemon() {
    return role != WORKER;
  }

  /// Whether an add-on runs as this task.
  final boolean isAddOn() {
    return role == ADD_ON;
  }

  // Calls of the JDK that block it on a thread of its own.

  /// Called when such a call blocks the task. Other tasks have their turns meanwhile.
  final void becomeBlocked() {
    park(TaskState.BLOCKED);
    loop.blocked(this);
    CancelRequest pending = pendingCancel();
    if (pending != null && !isDone() && !cancellation().hasDelivered(pending)) {
      applyCancel(); // it came in this turn, while the task was ready, or shielded
    }
  }

  /// Called when that call is over: if code of the loop has ended it, the task is ready at once.
  /// Any thread.
  @Override
  public final void unblocked() {
    if (CurrentLoop.get() != loop || !loop.isCaller()) {
      var _ =
          loop.post(
              new Inbox.Entry() {
                @Override
                void deliver() {
                  goOn();
                }
              });
      return;
    }
    if (loop.isRunning(this)) {
      becomeBlocked(); // over before the turn is
    }
    goOn();
  }

  final void goOn() {
    if (storedState() == TaskState.BLOCKED) {
      loop.unblocked();
      becomeReady(Place.BACK);
    }
  }

  // Set up, before it is scheduled.

  @Override
  public final TaskCore<T> daemon() {
    requireNew("daemon()");
    if (role == WORKER) {
      role = DAEMON;
    }
    return this;
  }

  /// Makes a task that is scheduled already a daemon.
  final void becomeDaemon() {
    if (role == WORKER) {
      role = DAEMON;
      loop.daemonAdded();
    }
  }

  /// Makes a new task a daemon as which an add-on runs. It inherits nothing.
  final void becomeAddOn() {
    role = ADD_ON;
    dropContext();
  }

  @Override
  public final TaskCore<T> trap(Trap<T> trap) {
    loop.checkCaller();
    if (storedState().isDone()) {
      throw new IllegalStateException(
          "trap on task '" + name() + "', which has ended: set it before the task ends");
    }
    this.trap = Objects.requireNonNull(trap, "trap is null");
    return this;
  }

  @Override
  public final TaskCore<T> priority(int priority) {
    loop.checkCaller();
    if (priority < MIN_PRIORITY || priority > MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority=%d of task '%s', must be from %d to %d"
              .formatted(priority, name(), MIN_PRIORITY, MAX_PRIORITY));
    }
    urgency().priority = priority;
    return this;
  }

  @Override
  public final int priority() {
    Urgency set = urgencyIfAny();
    return set == null ? NORMAL_PRIORITY : set.priority;
  }

  @Override
  public final TaskCore<T> deadline(Duration fromNow) {
    loop.checkCaller();
    long nanos = Durations.nanos(fromNow, "fromNow");
    urgency().deadlineNanos = OptionalLong.of(loop.deadlineAfter(nanos));
    return this;
  }

  @Override
  public final OptionalLong deadlineNanos() {
    Urgency set = urgencyIfAny();
    return set == null ? OptionalLong.empty() : set.deadlineNanos;
  }

  private @Nullable Urgency urgencyIfAny() {
    TaskExtras has = extras;
    return has == null ? null : has.urgency;
  }

  public final Urgency urgency() {
    return extras().urgency();
  }

  private void requireNew(String call) {
    loop.checkCaller();
    if (storedState() != TaskState.NEW) {
      throw new IllegalStateException(
          call
              + " on task '"
              + name()
              + "', which is "
              + taskState()
              + ": call it on a task of newTask(..), before scheduleTask(..)");
    }
  }

  // Cancelling.

  @Override
  public final boolean cancel(String reason) {
    return cancelFor(reason, null);
  }

  @Override
  public final boolean cancel(String reason, Throwable cause) {
    return cancelFor(reason, Objects.requireNonNull(cause, "cause is null"));
  }

  private boolean cancelFor(String reason, @Nullable Throwable cause) {
    boolean here = loop.isCaller();
    if (!here && isDone()) {
      return false;
    }
    String canceller = here ? loop.callerName() : CurrentLoop.thisThread();
    var request = CancelRequest.here("task '" + name() + "'", reason, canceller, cause);
    if (here) {
      return cancelHere(request);
    }
    return loop.post(
        new Inbox.Entry() {
          @Override
          void deliver() {
            cancelHere(request);
          }
        });
  }

  @Override
  public final boolean cancel(String reason, Duration grace) {
    long nanos = Durations.nanos(grace, "grace");
    loop.checkCaller();
    TimerService timers = loop.requireTimerService();
    boolean taken = cancel(reason);
    if (!isDone()) {
      cancellation().grant(this, grace, timers, loop.deadlineAfter(nanos));
    }
    return taken;
  }

  @Override
  public final boolean cancel(boolean mayInterruptIfRunning) {
    return cancel("Future.cancel");
  }

  /// Receives a request, on the scheduler's thread.
  ///
  /// @return false if the task has ended, or was cancelled before
  public final boolean cancelHere(CancelRequest request) {
    try {
      return receive(request);
    } catch (StackOverflowError e) {
      throw loop.cutShort("it cancelled a task", e);
    }
  }

  private boolean receive(CancelRequest request) {
    if (isSettled()) {
      return false;
    }
    Cancellation own = cancellation();
    if (own.request != null) {
      return false;
    }
    own.request = request;
    TurnHooks hooks = loop.hooks;
    if (hooks != null) {
      hooks.cancelled(this, request);
    }
    refreshPendingCancel();
    if (!entered && !loop.isRunning(this)) {
      endOutsideOfTurn(request);
    } else {
      applyCancel();
    }
    return true;
  }

  /// Ends a task that is not running, because of a request.
  final void endOutsideOfTurn(CancelRequest request) {
    beginToEnd();
    finish(endedBy(request, request.toCancelled()));
    reportDone();
  }

  /// Ends the task with a failure. The task is cancelled, and its outcome is that failure.
  ///
  /// @return false if it is ending already
  final boolean fail(Throwable failure) {
    return cancelHere(CancelRequest.failing("task '" + name() + "'", "the scheduler", failure));
  }

  /// The outcome of a task that has received a request and has ended because of it.
  final Outcome<T> endedBy(CancelRequest request, TaskCancelled delivered) {
    Throwable failure = request.failure;
    if (failure == null) {
      return new Outcome.Cancelled<>(delivered);
    }
    failure.addSuppressed(delivered);
    return new Outcome.Failure<>(failure);
  }

  final Cancellation cancellation() {
    TaskExtras its = extras();
    Cancellation own = its.cancellation;
    if (own == null) {
      own = new Cancellation();
      its.cancellation = own;
    }
    return own;
  }

  /// The state of its cancellation; null if it was not cancelled.
  final @Nullable Cancellation cancellationIfAny() {
    TaskExtras has = extras;
    return has == null ? null : has.cancellation;
  }

  /// The request to cancel the whole task; null if there is none. Requests to cancel scopes do not
  /// count.
  public final @Nullable CancelRequest cancelRequest() {
    TaskExtras has = extras;
    Cancellation own = has == null ? null : has.cancellation;
    return own == null ? null : own.request;
  }

  /// Recomputes [#pendingCancel()], when a request, a scope or a shield has changed.
  void refreshPendingCancel() {
    setPendingCancel(cancelRequest());
  }

  /// Applies [#pendingCancel()] to the task, if it is parked: wakes it, or interrupts its blocking
  /// call. A task without a stack ends.
  abstract void applyCancel();

  // Running and ending.

  /// The thread that runs its body, null if it is the loop's.
  abstract @Nullable Thread thread();

  /// The stack of a task that is parked; empty if it has none.
  abstract StackTraceElement[] stackTrace();

  /// Ends the task, which is running or parked: runs the trap, settles the result, wakes all
  /// waiters, informs the group, and removes the task from the [TaskTable].
  public final void finish(Outcome<T> raw) {
    Outcome<T> outcome = trap == null ? raw : trapped(raw);
    TaskState how = outcome.state();
    if (outcome instanceof Outcome.Success<T> success && loop.isRunning(this)) {
      loop.produce(success.value());
    }
    ended(how);
    int end = state;
    if (owned != null) {
      Ownership.abandonAll(this);
    }
    boolean observed = settle(outcome);
    TaskOwner own = owner;
    if (own != null) {
      owner = null;
      observed |= own.taskEnded(outcome);
    }
    if (outcome instanceof Outcome.Failure<T> failure) {
      loop.failed(this, failure.cause(), observed);
    } else if (outcome instanceof Outcome.Cancelled<T> cancelled) {
      TaskCancelled delivered = cancelled.cause();
      if (delivered.getSuppressed().length > 0) {
        failedToCleanUp(delivered, observed);
      }
    }
    TaskExtras has = extras;
    if (has != null) {
      has.locals = null;
      has.context = null;
      has.end(this);
    }
    if (state != end) {
      ended(how); // a listener has blocked this task
    }
    if (slot != TaskTable.NONE) {
      loop.retire(this);
    }
  }

  private void failedToCleanUp(TaskCancelled delivered, boolean observed) {
    for (Throwable each : delivered.failures()) {
      loop.failed(this, each, observed);
    }
  }

  /// Completes the result of a task that has not ended and will have no more turns, so that threads
  /// and listeners do not wait for ever.
  final void abandon(Throwable failure) {
    if (isEnding()) {
      return; // beneath us
    }
    ended(TaskState.FAILED);
    complete(new Outcome.Failure<>(failure));
  }

  /// Passes a failure to the failure handler.
  final void report(String where, Throwable failure) {
    loop.report(where, failure);
  }

  /// Calls the hooks after [#finish]. Must not be called on the task's own thread: there a call of
  /// the JDK could block a listener, and a task that has ended cannot be blocked.
  final void reportDone() {
    TurnHooks hooks = loop.hooks;
    if (hooks != null) {
      hooks.ended(this);
    }
  }

  private Outcome<T> trapped(Outcome<T> outcome) {
    Trap<T> set = trap;
    if (set == null) {
      return outcome;
    }
    trap = null;
    try {
      return Objects.requireNonNull(
          set.settle(this, outcome), () -> "the trap of task '" + name() + "' returned no outcome");
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

  @Override
  public final String toString() {
    return "task '" + name() + "' (" + taskState() + ")";
  }
}
