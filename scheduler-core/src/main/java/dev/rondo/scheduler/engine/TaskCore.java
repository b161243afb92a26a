package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskLocal;
import dev.rondo.scheduler.TaskRunner;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Trap;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The implementation of [Task], for both kinds of tasks. It has the identity, the settings and the
/// state of a task, its moves from one state to another, and the methods that cancel and end it. No
/// other class writes the state. [TaskState] has the table of the moves, and [TaskResult] the
/// result.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
///
/// @param <T> the type of the result of the task
@SuppressWarnings("EnumOrdinal") // the ordinal does not leave the JVM: see the field `state`
public abstract non-sealed class TaskCore<T extends @Nullable Object> extends TaskResult<T>
    implements ReadyQueue.Entry, Faces.Any<T>, Coroutine.Body, Inbox.Entry {

  /// Replaces an instant: the task was never woken.
  public static final long NOT_WOKEN = Long.MIN_VALUE;

  /// The most tasks that [#infos] describes, so that a report stays readable.
  private static final int MOST_LISTED = 1_000;

  private static final TaskState[] STATES = TaskState.values();

  static final byte NEW = (byte) TaskState.NEW.ordinal();
  static final byte READY = (byte) TaskState.READY.ordinal();
  static final byte RUNNING = (byte) TaskState.RUNNING.ordinal();
  static final byte WAITING = (byte) TaskState.WAITING.ordinal();
  static final byte SUSPENDED = (byte) TaskState.SUSPENDED.ordinal();
  static final byte IDLING = (byte) TaskState.IDLING.ordinal();

  /// The last state in which a task has not ended.
  static final byte BLOCKED = (byte) TaskState.BLOCKED.ordinal();

  /// The ordinal of the [TaskState], except for RUNNING, which is derived from the ready queue, see
  /// [#taskState()]. Only a task that ends outside of its turn has RUNNING here.
  ///
  /// The state is a number, because writing a reference into an object of the old generation costs
  /// a memory barrier, and each wait writes the state twice. A reference made a spawn with its join
  /// 3 % slower, and a `suspend` with its `scheduleTask` 3 to 6 % slower.
  byte state = NEW;

  /// The slot of the task in the table; [ReadyQueue#NONE] before it is scheduled and after it has
  /// ended.
  public int slot = ReadyQueue.NONE;

  /// Whether the task has had a turn.
  public boolean entered;

  /// The instant at which the task was parked, by the clock of the pass before. Set by [#parked].
  public long sinceNanos;

  /// The instant at which the task last became ready again, by the clock of the pass before;
  /// [#NOT_WOKEN] before it was parked the first time.
  public long wokenNanos = NOT_WOKEN;

  // The value or failure for the next turn.
  static final byte NOTHING = 0;
  private static final byte VALUE = 1;
  static final byte FAILURE = 2;

  /// Whether `received` was set for the next turn, and whether it is a value or a failure. Set by
  /// [#hand], cleared by [#dropReceived].
  byte handed = NOTHING;

  /// The value or the failure that the next turn receives. Set by [#hand].
  @Nullable Object received;

  /// Runs the code of the task, or its turn; null while the task has no stack.
  public @Nullable Coroutine coroutine;

  /// The waiter for all waits of this task; null before its first wait.
  @Nullable TaskWaiter waiter;

  /// Null until the task needs one of these fields.
  public @Nullable TaskExtras extras;

  private final long id;
  private final long parentId;

  /// The name in one of three forms: a string; the command passed to `execute`, whose string form
  /// is part of the name; or null for a name made of the number. A command is replaced by the name
  /// when that is first needed. Any thread may do so, because all threads compute the same name.
  private @Nullable Object name;

  // Its role.
  static final byte WORKER = 0;
  private static final byte DAEMON = 1;
  static final byte ADD_ON = 2;

  /// Whether the task keeps the scheduler running, is a daemon, or is the daemon of an add-on.
  byte role = WORKER;

  /// The resources that the task must give back, the latest first; null if there are none. This
  /// field is not in [TaskExtras], so that taking a lock need not make that object.
  public Rooms.@Nullable Owned owned;

  /// Called when the task has ended; null if there is no owner, and after the call.
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
  /// @throws IllegalArgumentException if the task belongs to another scheduler
  public static TaskCore<?> of(Task<?> task, Loop loop) {
    loop.checkCaller();
    var core = (TaskCore<?>) Objects.requireNonNull(task, "task is null");
    if (core.loop != loop) {
      throw new IllegalArgumentException(task + " belongs to another scheduler: call that one");
    }
    return core;
  }

  /// The core of a task.
  public static <T extends @Nullable Object> TaskCore<T> of(Task<T> task) {
    return (TaskCore<T>) task;
  }

  /// A description of what the task is doing, with its stack. On the thread of its loop.
  public final TaskInfo info() {
    return Rooms.all().describe(this);
  }

  /// {@return descriptions of tasks; of the first thousand if there are more}
  public static List<TaskInfo> infos(List<TaskCore<?>> tasks) {
    return tasks.stream().limit(MOST_LISTED).map(TaskCore::info).toList();
  }

  /// The part of the thread's context that belongs to the task while it is not running.
  public final @Nullable Object @Nullable [] context() {
    return extras == null ? null : extras.context;
  }

  public final void keepContext(@Nullable Object @Nullable [] snapshot) {
    if (snapshot != null || extras != null) {
      extras().context = snapshot;
    }
  }

  /// The bindings of [TaskLocal]s, as an immutable map; null if there are none.
  public final @Nullable Map<Object, @Nullable Object> locals() {
    return extras == null ? null : extras.locals;
  }

  public final void bind(@Nullable Map<Object, @Nullable Object> bindings) {
    if (bindings != null || extras != null) {
      extras().locals = bindings;
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
    return state == READY ? 1 : 0;
  }

  // Identity. Any thread.

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
    if (own instanceof String given) {
      return given;
    }
    String made = "execute " + ReportText.describe(own);
    name = made;
    return made;
  }

  @Override
  public final boolean isDaemon() {
    return role != WORKER;
  }

  /// Whether an add-on runs as this task.
  public final boolean isAddOn() {
    return role == ADD_ON;
  }

  // Calls of the JDK that block the task on a thread of its own.

  /// Called when a call of the JDK blocks the task. Other tasks have their turns meanwhile.
  final void becomeBlocked() {
    park(TaskState.BLOCKED);
    loop.blocked(this);
    CancelRequest pending = pendingCancel();
    if (pending != null && !isDone() && !cancellation().hasDelivered(pending)) {
      applyCancel(); // the request came in this turn, while the task was ready, or shielded
    }
  }

  /// Called when the blocking call is over. If code of the loop has ended the call, the task is
  /// ready at once. Any thread.
  @Override
  public final void unblocked() {
    if (Loop.current() != loop || !loop.isCaller()) {
      boolean _ = loop.post(this);
      return;
    }
    if (loop.isRunning(this)) {
      becomeBlocked(); // over before the turn is
    }
    deliver();
  }

  @Override
  public final void deliver() {
    if (state == BLOCKED) {
      loop.unblocked();
      becomeReady(Place.BACK);
    }
  }

  // Set up, before it is scheduled.

  @Override
  public final TaskCore<T> daemon() {
    loop.checkCaller();
    if (state != NEW) {
      throw new IllegalStateException(
          "daemon() on task '%s', which is %s: call it on a task of newTask(..), before scheduleTask(..)"
              .formatted(name(), taskState()));
    }
    if (role == WORKER) {
      role = DAEMON;
    }
    return this;
  }

  /// Makes a task that is scheduled already a daemon.
  public final void becomeDaemon() {
    if (role == WORKER) {
      role = DAEMON;
      ReadyQueue queue = loop.tasks;
      queue.daemonAdded();
    }
  }

  /// Makes a new task the daemon of an add-on. The task inherits nothing.
  public final void becomeAddOn() {
    role = ADD_ON;
    bind(null);
    keepContext(null);
  }

  @Override
  public final TaskCore<T> trap(Trap<T> trap) {
    loop.checkCaller();
    if (hasEnded()) {
      throw new IllegalStateException(
          "trap on task '" + name() + "', which has ended: set it before the task ends");
    }
    this.trap = Objects.requireNonNull(trap, "trap is null");
    return this;
  }

  @Override
  public final TaskCore<T> setPriority(int priority) {
    loop.checkCaller();
    urgency().priority(this, priority);
    return this;
  }

  @Override
  public final int priority() {
    Rooms.Urgency own = urgencyIfAny();
    return own == null ? Task.NORMAL_PRIORITY : own.priority();
  }

  @Override
  public final TaskCore<T> setDeadline(Duration fromNow) {
    loop.checkCaller();
    urgency().deadlineNanos(loop.deadlineAfter(Durations.nanos(fromNow, "fromNow")));
    return this;
  }

  @Override
  public final OptionalLong deadlineNanos() {
    Rooms.Urgency own = urgencyIfAny();
    return own == null ? OptionalLong.empty() : own.deadlineNanos();
  }

  public final Rooms.Urgency urgency() {
    Rooms.Urgency own = urgencyIfAny();
    if (own == null) {
      own = Rooms.all().urgency();
      extras().urgency = own;
    }
    return own;
  }

  private Rooms.@Nullable Urgency urgencyIfAny() {
    return extras == null ? null : extras.urgency;
  }

  // Cancelling.

  @Override
  public final boolean cancel(String reason) {
    return Cancellation.ask(this, reason, null);
  }

  @Override
  public final boolean cancel(String reason, Throwable cause) {
    return Cancellation.ask(this, reason, Objects.requireNonNull(cause, "cause is null"));
  }

  @Override
  public final boolean cancel(String reason, Duration grace) {
    return Rooms.all().cancel(this, reason, grace);
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
      if (isDone()) {
        return false;
      }
      Cancellation own = cancellation();
      if (own.request != null) {
        return false;
      }
      own.request = request;
      Rooms.TurnHooks hooks = loop.hooks;
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
    } catch (StackOverflowError e) {
      throw loop.cutShort("it cancelled a task", e);
    }
  }

  /// Ends a task that is not running, because of a request.
  final void endOutsideOfTurn(CancelRequest request) {
    beginToEnd();
    finish(endedBy(request, request.toCancelled()));
    reportDone();
  }

  /// Ends the task with a failure. The task is cancelled, and its outcome is that failure.
  ///
  /// @return false if the task is ending already
  public final boolean fail(Throwable failure) {
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

  /// The outcome of a task whose code throws.
  public final Outcome<T> endedBy(Throwable thrown) {
    CancelRequest request = cancelRequest();
    if (request != null) {
      if (thrown instanceof TaskCancelled delivered && request.isCauseOf(delivered)) {
        return endedBy(request, delivered);
      }
      if (thrown instanceof Exception exception && Cancellation.interruptedFor(this) == request) {
        return endedBy(request, Rooms.all().interrupted(request, exception));
      }
    }
    return new Outcome.Failure<>(thrown);
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

  /// The state of the cancellation of this task; null if it was not cancelled.
  final @Nullable Cancellation cancellationIfAny() {
    TaskExtras has = extras;
    return has == null ? null : has.cancellation;
  }

  /// The request to cancel the whole task; null if there is none. Requests to cancel scopes do not
  /// count.
  public final @Nullable CancelRequest cancelRequest() {
    Cancellation own = cancellationIfAny();
    return own == null ? null : own.request;
  }

  /// Recomputes [#pendingCancel()], when a request, a scope or a shield has changed.
  public final void refreshPendingCancel() {
    TaskExtras has = extras;
    if (has == null) {
      return; // the task was not cancelled, and is in no scope
    }
    CancelRequest ofTask = cancelRequest();
    CancelSource innermost = has.cancelSource;
    CancelRequest due = innermost == null ? ofTask : innermost.due(ofTask);
    has.pendingCancel = due;
    if (due != null) {
      loop.checkedSlot = Turns.UNKNOWN;
    }
  }

  /// Applies [#pendingCancel()] to the task, if it is parked: wakes it, or interrupts its blocking
  /// call. A task without a stack ends.
  public abstract void applyCancel();

  // Running and ending.

  /// The thread that runs the body of this task; null if it is the loop's thread.
  public final @Nullable Thread thread() {
    Coroutine own = coroutine;
    return own == null ? null : own.thread();
  }

  /// Ends the task, which is running or has left the ready queue: runs the trap, settles the
  /// result, wakes all waiters, calls the owner, and frees the slot in the [ReadyQueue].
  public final void finish(Outcome<T> raw) {
    Trap<T> set = trap;
    trap = null;
    Outcome<T> outcome = set == null ? raw : Failures.trapped(this, set, raw);
    TaskState how = outcome.state();
    if (outcome instanceof Outcome.Success<T> success && loop.isRunning(this)) {
      loop.produce(success.value());
    }
    ended(how);
    byte end = state;
    if (owned != null) {
      owned.taskEnded(this);
    }
    boolean observed = settle(outcome);
    TaskOwner own = owner;
    if (own != null) {
      owner = null;
      observed |= own.taskEnded(outcome);
    }
    if (how != TaskState.SUCCEEDED) {
      if (observed) {
        var _ = taken();
      }
      Failures failures = loop.failures;
      failures.takeOutcome(this, outcome, observed || awaited);
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
    if (slot != ReadyQueue.NONE) {
      loop.retire(this);
    }
  }

  /// Completes the result of a task that has not ended and will have no more turns, so that threads
  /// and listeners do not wait for ever.
  public final void abandon(Throwable failure) {
    if (isEnding()) {
      return; // beneath us
    }
    ended(TaskState.FAILED);
    complete(new Outcome.Failure<>(failure));
  }

  /// Calls the hooks after [#finish], when the task has left its coroutine, if it has one. Must not
  /// be called on the task's own thread, because a call of the JDK could block a listener there,
  /// and a task that has ended cannot be blocked.
  final void reportDone() {
    Rooms.TurnHooks hooks = loop.hooks;
    if (hooks != null) {
      hooks.ended(this);
    }
  }

  @Override
  public final String toString() {
    return "task '" + name() + "' (" + taskState() + ")";
  }

  // The state.

  @Override
  public final TaskState taskState() {
    return loop.isRunning(this) ? TaskState.RUNNING : STATES[state];
  }

  /// Whether the state says that the task has ended. The result is settled soon after.
  public final boolean hasEnded() {
    return state > BLOCKED;
  }

  /// The state, except that a running task is not RUNNING.
  public final TaskState storedState() {
    return STATES[state];
  }

  /// The event that the task awaits; null if it is not waiting.
  public final @Nullable Waitable<?> awaited() {
    return waiter != null && state == WAITING ? waiter.source() : null;
  }

  /// Whether the task idles, or was woken from idling, as a watcher of other tasks. Only a step
  /// task can.
  boolean isWatching() {
    return false;
  }

  // To the ready queue.

  /// Puts a task that is new or parked into the ready queue. Its wait, if it had one, is over.
  public final void becomeReady(Place place) {
    try {
      if (state == NEW) {
        ReadyQueue queue = loop.tasks;
        queue.register(this);
        state = READY;
      } else {
        if (state == IDLING) {
          loop.stopIdling(this);
        }
        wokenNanos = loop.passNanos;
        state = READY;
        Rooms.TurnHooks hooks = loop.hooks;
        if (hooks != null) {
          hooks.woken(this);
        }
      }
      loop.enqueue(this, place);
    } catch (StackOverflowError e) {
      throw loop.cutShort("it made a task ready", e);
    }
  }

  /// Called when this task, which was lazy, has been made at its place in the ready queue.
  ///
  /// @param running whether it has its turn
  public final void wasMade(boolean running) {
    state = READY;
    if (running) {
      entered = true;
      loop.goesOnAs(this);
    }
  }

  /// Wakes the task from idling, because its deadline has come, or because it has a turn while
  /// other tasks keep the loop busy. The task has left the [IdleTasks].
  final void wakeFromIdling() {
    state = SUSPENDED;
    becomeReady(Place.FRONT);
  }

  /// Schedules a task that is parked, and ends its wait.
  ///
  /// @return false if the task was ready or running, is blocked in the JDK, or has ended
  public final boolean schedule(Place place) {
    boolean parked = leaveToBeScheduled();
    if (parked) {
      becomeReady(place);
    }
    return parked;
  }

  /// Like [#schedule(Place)], with a value for the next turn.
  ///
  /// @return false also if the next turn would not take the value, because the task has received
  ///   something already, or has a cancellation to be delivered
  public final boolean schedule(@Nullable Object value, Place place) {
    if (hasSomethingToTake() || pendingCancel() != null || !leaveToBeScheduled()) {
      return false;
    }
    endSettledWait();
    waiter().leftDirectly = true;
    hand(value, null);
    becomeReady(place);
    return true;
  }

  /// Ends the wait of a task that is to be scheduled, if it waits.
  ///
  /// @return whether the task can be scheduled
  private boolean leaveToBeScheduled() {
    boolean parked =
        storedState().isSchedulable()
            && !loop.isRunning(this)
            && !comesTooLate()
            && !mustKeepWaiting()
            && tryEndWait();
    if (parked && state == WAITING) {
      waiter().leaveDirectly();
    }
    return parked;
  }

  /// Whether the task is in the ready queue, running or not.
  public final boolean isReady() {
    ReadyQueue queue = loop.tasks;
    return queue.isReady(this);
  }

  /// Takes the right to end the wait of the task, if it waits. If this succeeds, the caller has to
  /// end the wait.
  ///
  /// @return false if the wait is promised to another thread
  final boolean tryEndWait() {
    TaskWaiter own = waiter;
    return state != WAITING || own == null || own.tryEnd();
  }

  /// Whether the wait of the task must not end without its event.
  public final boolean mustKeepWaiting() {
    TaskExtras has = extras;
    return state == WAITING && has != null && has.keepsWaiting;
  }

  /// Whether the task has not begun, and the scheduler is closed.
  private boolean comesTooLate() {
    return state == NEW && loop.isClosing();
  }

  // Out of the ready queue.

  /// Parks the running task.
  final void park(TaskState how) {
    parked(how);
    Rooms.TurnHooks hooks = loop.hooks;
    if (hooks != null) {
      hooks.parked(this, how); // before the head moves: no other task may appear to be running
    }
    ReadyQueue queue = loop.tasks;
    queue.remove(this);
  }

  /// Sets the state of a task that leaves the ready queue, or has left it.
  final void parked(TaskState how) {
    state = (byte) how.ordinal();
    sinceNanos = loop.passNanos;
    TaskExtras has = extras;
    if (has != null) {
      has.parked();
    }
  }

  /// Undoes [#park]: the turn of the task goes on.
  final void takeBack() {
    state = READY;
    loop.takeBack(this);
  }

  /// Parks a task that has never run: the task of an add-on, until it is scheduled, or a task that
  /// a call of the JDK blocks.
  public final void beginParked(TaskState how) {
    ReadyQueue queue = loop.tasks;
    queue.register(this);
    parked(how);
  }

  /// Removes the task from the ready queue, or ends its wait or its idling. Must not be called for
  /// the running task.
  final void leave() {
    byte how = state;
    if (how == READY) {
      ReadyQueue queue = loop.tasks;
      queue.remove(this);
    } else if (how == IDLING) {
      loop.stopIdling(this);
    } else if (how == WAITING) {
      waiter().leaveDirectly();
    }
  }

  /// Suspends the task, if it is ready, waits or idles, until it is scheduled.
  ///
  /// @return whether the task was suspended; false for the running task
  public final boolean unschedule() {
    boolean held = state == READY || state == WAITING || state == IDLING;
    if (!held || loop.isRunning(this) || mustKeepWaiting() || !tryEndWait()) {
      return false;
    }
    leave();
    TaskExtras has = extras;
    if (has != null) {
      has.endLimit();
    }
    parked(TaskState.SUSPENDED);
    return true;
  }

  /// Wakes a parked task with a failure, which ends its wait, if it has one. No effect if the wait
  /// is promised to another thread.
  public final void wakeWithFailure(Throwable failure) {
    TaskWaiter own = waiter;
    if (state == WAITING && own != null) {
      if (!own.tryEnd()) {
        return; // the task is about to receive something
      }
      own.disarm();
    }
    hand(null, failure);
    becomeReady(Place.BACK);
  }

  // Waiting, at the request of others.

  /// Makes this task wait for an event before its next turn. The task must not be running.
  ///
  /// @return false if the task already waits for this event, has received something or is about to,
  ///   has a cancellation to be delivered, is running, is blocked in the JDK, or has ended
  public final boolean scheduleOn(Waitable<?> asked) {
    if (loop.isRunning(this)
        || !(storedState().isSchedulable() || state == READY)
        || comesTooLate()
        || mustKeepWaiting()
        || pendingCancel() != null
        || hasSomethingToTake()
        || awaited() == asked) {
      return false;
    }
    Waitable<Object> source = prepared(asked);
    byte before = state;
    if (!tryEndWait()) {
      return false;
    }
    leave();
    if (before == NEW) {
      ReadyQueue queue = loop.tasks;
      queue.register(this);
    }
    endSettledWait();
    dropReceived();
    state = SUSPENDED;
    boolean settled;
    try {
      settled = waiter().poll(source) || waiter().arm(source);
    } catch (Throwable e) {
      if (state == SUSPENDED) {
        undoArming(before, e);
      }
      throw e;
    }
    if (state != SUSPENDED) { // by code of the waitable meanwhile, which may have blocked
      if (!settled) {
        waiter().disarm();
      }
    } else if (settled) {
      becomeReady(Place.BACK);
    } else {
      parked(TaskState.WAITING);
    }
    return true;
  }

  /// Called when a source could not be armed. A task that was suspended stays so. An earlier wait
  /// that was given up for this one cannot be restored. Nothing would wake the task, so the earlier
  /// wait fails, too.
  private void undoArming(byte before, Throwable failure) {
    dropReceived();
    if (before == NEW) {
      state = NEW;
      loop.retire(this);
      if (isListened()) {
        listened();
      }
    } else if (before == WAITING) {
      wakeWithFailure(failure);
    } else if (before == READY || before == IDLING) {
      becomeReady(Place.BACK);
    }
  }

  // The end.

  @Override
  final void listened() {
    if (state == NEW) {
      Rooms.all().listened(this);
    }
  }

  /// Whether the task was never scheduled. Any thread. A thread other than the scheduler's may see
  /// true for a task that was scheduled meanwhile, but never false for a new task.
  public final boolean isNew() {
    return state == NEW;
  }

  /// Removes the task from the ready queue, its wait or its idling, so that it can end outside of a
  /// turn. It cannot be scheduled any more.
  final void beginToEnd() {
    leave();
    state = RUNNING;
  }

  /// Sets the state in which the task ends. The task receives nothing any more.
  final void ended(TaskState how) {
    state = (byte) how.ordinal();
    received = null;
    handed = NOTHING;
  }

  /// Whether the task is ending at this moment outside of a turn, in a frame below the caller.
  final boolean isEnding() {
    return state == RUNNING;
  }

  // The wait.

  final TaskWaiter waiter() {
    TaskWaiter own = waiter;
    if (own == null) {
      own = new TaskWaiter(this);
      waiter = own;
    }
    return own;
  }

  /// Prepares a waitable for one wait of the task. The waiter of the task accepts values of any
  /// type.
  ///
  /// @throws IllegalStateException if the event belongs to another scheduler
  @SuppressWarnings("unchecked")
  public final Waitable<Object> prepared(Waitable<?> asked) {
    if (asked instanceof WaitStep<?> step) {
      return (Waitable<Object>) step.prepared(this);
    }
    requireOwn(asked);
    return (Waitable<Object>) asked;
  }

  /// Requires that tasks of this scheduler may await an event.
  ///
  /// @throws IllegalStateException if the event belongs to another scheduler
  public final void requireOwn(Waitable<?> event) {
    TaskRunner owner = event.scheduler();
    if (owner != null && owner != loop.scheduler) {
      throw new IllegalStateException(
          "task '%s' awaits %s of another scheduler: await completion(..) of a future or task instead, or hand the event over with post(..)"
              .formatted(name(), ReportText.describe(event)));
    }
  }

  /// Whether the task has received something that would be lost if the task did not take it. A wait
  /// that only observes a state delivers nothing that can be lost, unless it has a value.
  public final boolean hasSomethingToTake() {
    return handed != NOTHING && (received != null || (waiter != null && waiter.hasTaken()));
  }

  /// Forgets the event that has ended the last wait. What it delivered stays, see
  /// [#dropReceived()].
  public final void endSettledWait() {
    if (waiter != null && waiter.isSettled()) {
      waiter.end();
    }
  }

  // The input of a turn.

  /// The cancellation that the next suspension point delivers, considering scopes and shields; null
  /// if there is none. Set by [#refreshPendingCancel].
  public final @Nullable CancelRequest pendingCancel() {
    TaskExtras has = extras;
    return has == null ? null : has.pendingCancel;
  }

  /// {@return the fields that only some tasks need} The first call makes them.
  public final TaskExtras extras() {
    TaskExtras own = extras;
    if (own == null) {
      own = new TaskExtras();
      extras = own;
    }
    return own;
  }

  /// Sets the value or the failure that the next turn receives.
  final void hand(@Nullable Object value, @Nullable Throwable failure) {
    received = failure == null ? value : failure;
    handed = failure == null ? VALUE : FAILURE;
  }

  /// Drops the value or failure for the next turn.
  public final void dropReceived() {
    received = null;
    handed = NOTHING;
  }

  /// Drops the value that this turn has not taken, and the event that delivered it.
  final void dropUntaken() {
    if (waiter != null) {
      waiter.end();
    }
    dropReceived();
  }

  /// Takes the value of this turn, or throws the failure.
  ///
  /// @param source the event that delivered the value; null if no event did
  final @Nullable Object take(@Nullable Waitable<?> source) {
    Object taken = received;
    boolean isFailure = handed == FAILURE;
    received = null;
    handed = NOTHING;
    if (isFailure && taken instanceof Throwable failure) {
      CancelRequest pending = pendingCancel();
      if (failure == Cancellation.DUE && pending != null) {
        throw Cancellation.deliver(this, pending);
      }
      throw Throwables.rethrow(Throwables.DeferredFailure.made(failure));
    }
    return source instanceof WaitStep<?> step ? step.finish(taken) : taken;
  }
}
