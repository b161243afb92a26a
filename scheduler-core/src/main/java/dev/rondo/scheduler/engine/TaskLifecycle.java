package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The life of a [Task]: its state, and every move from one state to another. No other class writes
/// the state; [TaskState] has the table of the moves.
///
/// A superclass of the task and not a part of it: there may be a million of them.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what the task results in
@SuppressWarnings("EnumOrdinal") // of no other run: see the state
abstract sealed class TaskLifecycle<T extends @Nullable Object> extends TaskResult<T>
    permits TaskCore {

  private static final TaskState[] STATES = TaskState.values();

  private static final byte NEW = number(TaskState.NEW);
  private static final byte READY = number(TaskState.READY);
  private static final byte RUNNING = number(TaskState.RUNNING);
  private static final byte WAITING = number(TaskState.WAITING);
  private static final byte SUSPENDED = number(TaskState.SUSPENDED);
  private static final byte IDLING = number(TaskState.IDLING);

  /// The last of those in which a task has not ended.
  private static final byte BLOCKED = number(TaskState.BLOCKED);

  /// The ordinal of any state but RUNNING, which follows from the ready queue, see [#taskState()],
  /// unless a task ends that is not there. WAITING may mean READY: read it through
  /// [#resolvedState()]. A number because a reference would be one to an object of the old
  /// generation, whose write costs a barrier, and each wait has two of them.
  byte state = NEW;

  /// Whether an add-on runs as this task.
  boolean addOn;

  /// Whether it idles, or was woken from idling, to see what others do: see [StepTask#watchUntil].
  boolean watching;

  /// Whether the task has had a turn.
  boolean entered;

  /// Whether the loop's thread is to be interrupted in its next turn: it has interrupted that
  /// thread itself, in a turn on it.
  boolean interrupted;

  /// Whether `received` was given on purpose, and is not just left over.
  boolean handed;

  /// What the next turn gets, from [#hand]: a value, or a failure.
  @Nullable Object received;

  private boolean handedFailure;

  /// This task's interest in what it awaits; made for its first wait.
  @Nullable TaskWaiter waiter;

  /// When it was parked, on the ticker as of that round.
  long sinceNanos;

  /// When it last became ready again, on the ticker as of that round.
  long wokenNanos;

  boolean wasWoken;

  /// Whether a call that schedules it has ended its wait, or has taken the place of the event that
  /// had. Holds until the next wait begins.
  boolean scheduledDirectly;

  /// Whether it cannot be scheduled while it waits.
  boolean keepsWaiting;

  /// The request that holds at this moment, considering scopes and shields; null if none.
  @Nullable CancelRequest pendingCancel;

  TaskLifecycle(Loop loop) {
    super(loop);
  }

  // The state.

  private static byte number(TaskState state) {
    return (byte) state.ordinal();
  }

  public final TaskState taskState() {
    if (loop.isRunning(self())) {
      return TaskState.RUNNING;
    }
    return isWoken() ? TaskState.READY : STATES[state];
  }

  /// Whether its state says so: it is settled soon after.
  final boolean hasEnded() {
    return state > BLOCKED;
  }

  /// The state to act on, but for RUNNING. A task that was woken together with others takes a place
  /// of its own in the ready queue by this.
  final TaskState resolvedState() {
    TaskWaiter own = waiter;
    if (own != null && own.chain != null && state == WAITING) {
      own.resolve();
    }
    return STATES[state];
  }

  /// If its waiter was woken together with others, has that settle the wait, running or not.
  final void resolveWait() {
    TaskWaiter own = waiter;
    if (own != null && own.chain != null) {
      own.resolve();
    }
  }

  /// Whether it was woken together with others, and is one entry of the ready queue with them.
  private boolean isWoken() {
    TaskWaiter own = waiter;
    return state == WAITING && own != null && own.isWoken();
  }

  /// What it awaits, if it is waiting.
  final @Nullable Waitable<?> awaited() {
    return waiter != null && state == WAITING && !isWoken() ? waiter.source() : null;
  }

  final TaskWaiter waiter() {
    TaskWaiter own = waiter;
    if (own == null) {
      own = new TaskWaiter(self());
      waiter = own;
    }
    return own;
  }

  // What the next turn gets.

  /// Leaves something for the next turn.
  final void hand(@Nullable Object value, @Nullable Throwable failure) {
    received = failure == null ? value : failure;
    handedFailure = failure != null;
    handed = true;
  }

  /// Whether what was left for the next turn is a failure.
  final boolean isHandedFailure() {
    return handedFailure;
  }

  /// Forgets what was left for the next turn.
  final void dropReceived() {
    received = null;
    handedFailure = false;
    handed = false;
  }

  /// Takes what was left for this turn, or throws it if it is a failure.
  final @Nullable Object takeReceivedOrThrow() {
    Object taken = received;
    boolean isFailure = handedFailure;
    dropReceived();
    if (isFailure && taken instanceof Throwable failure) {
      CancelRequest pending = pendingCancel;
      if (failure == Cancellation.DUE && pending != null) {
        throw Cancellation.tell((TaskCore<T>) this, pending);
      }
      throw Throwables.rethrow(DeferredFailure.made(failure));
    }
    return taken;
  }

  // Idling.

  /// Has it idle until an instant, without a turn, if it is suspended or idles already.
  final boolean idleFromOutside(long deadlineNanos) {
    var self = (TaskCore<T>) this;
    if (loop.isRunning(self)) {
      return false;
    }
    if (state == IDLING) {
      loop.moveDeadline(self, deadlineNanos);
    } else if (state == SUSPENDED) {
      loop.idleUntil(self, deadlineNanos);
      parked(TaskState.IDLING);
    } else {
      return false;
    }
    return true;
  }

  /// Has it be suspended instead of idling.
  final boolean stopIdling() {
    if (resolvedState() != TaskState.IDLING || loop.isRunning(self())) {
      return false;
    }
    leave();
    parked(TaskState.SUSPENDED);
    loop.stir();
    return true;
  }

  // To the ready queue.

  /// Puts a task that is parked into the ready queue. If it has a wait, that is over.
  ///
  /// @param front whether directly behind the running task, and not at the back
  final void becomeReady(boolean front) {
    var self = (TaskCore<T>) this;
    if (state == NEW) {
      loop.register(self);
      state = READY;
    } else {
      if (state == IDLING) {
        loop.stopIdling(self);
      }
      becomeReadyInPlace();
      Instruments observers = loop.observers;
      if (observers != null) {
        observers.woken(self);
      }
    }
    loop.enqueue(self, front);
  }

  /// It was lazy, and has been made and put where it was.
  ///
  /// @param running whether it has its turn
  final void becameReady(boolean running) {
    state = READY;
    if (running) {
      entered = true;
      loop.goesOnAs(self());
    }
  }

  /// Its time to idle is over; it is not among the idle tasks any more.
  final void endIdling() {
    state = SUSPENDED;
    becomeReady(true);
  }

  /// It was woken, and has a place of its own, or gets one now.
  final void becomeReadyInPlace() {
    wasWoken = true;
    wokenNanos = loop.roundNanos;
    state = READY;
  }

  /// Schedules a task that is parked; a wait of it ends.
  ///
  /// @return false if it was ready or running, is blocked in the JDK, or has ended
  final boolean schedule(boolean front) {
    if (!canBeScheduled()) {
      return false;
    }
    if (state == WAITING) {
      endWait();
    }
    becomeReady(front);
    return true;
  }

  private void endWait() {
    TaskWaiter own = waiter;
    if (own == null) {
      throw new AssertionError("waits without a waiter: " + this);
    }
    own.disarm();
    scheduledDirectly = true;
  }

  /// Like [#schedule(boolean)], with a value for its next turn.
  ///
  /// @return false as well if that turn would not take it: the task was given something already, or
  ///   has a cancellation to be delivered
  final boolean schedule(@Nullable Object value, boolean front) {
    if (!canBeScheduled() || isGiven() || pendingCancel != null) {
      return false;
    }
    if (state == WAITING) {
      endWait();
    }
    endSettledWait();
    scheduledDirectly = true;
    hand(value, null);
    becomeReady(front);
    return true;
  }

  /// Like [#schedule(boolean)], directly behind a task that is in the ready queue.
  final boolean scheduleAfter(TaskCore<?> anchor) {
    if (!anchor.isReady() || !schedule(false)) {
      return false;
    }
    loop.moveBehind(anchor, self());
    return true;
  }

  /// Whether it stands in the ready queue, running or not.
  final boolean isReady() {
    if (state == WAITING) {
      resolveWait();
    }
    return next != TaskTable.NONE;
  }

  /// The state as the task's own fields have it: WAITING may mean READY.
  final TaskState unresolvedState() {
    return STATES[state];
  }

  private boolean canBeScheduled() {
    return resolvedState().isSchedulable()
        && !loop.isRunning(self())
        && !comesTooLate()
        && !mustKeepWaiting()
        && mayEndWait();
  }

  /// Whether its wait, if it has one, is not promised to another thread. The caller ends it then.
  final boolean mayEndWait() {
    TaskWaiter own = waiter;
    return state != WAITING || own == null || own.mayEnd();
  }

  /// Whether it waits for something that it must not leave behind.
  private boolean mustKeepWaiting() {
    return keepsWaiting && state == WAITING;
  }

  /// A closed scheduler runs no task that has not begun.
  private boolean comesTooLate() {
    return state == NEW && loop.isClosing();
  }

  /// Whether it was given something that it has not taken, and that is lost without it. A wait that
  /// only observed a state gives nothing, unless there is a value.
  private boolean isGiven() {
    if (!handed) {
      return false;
    }
    if (received != null) {
      return true;
    }
    Waitable<?> source = waiter != null && waiter.isSettled() ? waiter.source() : null;
    return source != null && (source.isEager() || source instanceof Composite);
  }

  /// Ends the wait that it was woken from, and gives it nothing.
  private void endSettledWait() {
    if (waiter != null && waiter.isSettled()) {
      waiter.end();
    }
  }

  // Out of the ready queue.

  /// Parks the running task.
  final void park(TaskState how) {
    state = (byte) how.ordinal();
    sinceNanos = loop.roundNanos;
    loop.park((TaskCore<T>) this, how);
  }

  private void parked(TaskState how) {
    state = (byte) how.ordinal();
    sinceNanos = loop.roundNanos;
  }

  /// Has it wait to be scheduled, though it never ran: the task of an add-on.
  final void beginParked() {
    loop.register(self());
    parked(TaskState.SUSPENDED);
  }

  /// Has it wait for a call of the JDK, though it never ran.
  final void beginBlocked() {
    loop.register(self());
    parked(TaskState.BLOCKED);
  }

  /// Its stack cannot be left: it goes on with its turn, for which it was parked already.
  ///
  /// @return whether it was woken meanwhile
  final boolean takeBackTurn() {
    boolean woken = resolvedState() == TaskState.READY; // others ran meanwhile, above its frames
    leave();
    state = READY;
    loop.takeBack(self());
    return woken;
  }

  /// Takes it out of the ready queue, its wait or its idling. Not for the running one.
  final void leave() {
    switch (resolvedState()) {
      case READY -> loop.dequeue(self());
      case IDLING -> loop.stopIdling(self());
      case WAITING -> endWait();
      case NEW -> loop.begun(self());
      case RUNNING, SUSPENDED, BLOCKED, SUCCEEDED, FAILED, CANCELLED -> {}
    }
  }

  /// Takes it out of wherever it is, to be scheduled again by hand.
  ///
  /// @return whether it was in the ready queue, waited or idled; the running one is left alone
  final boolean unschedule() {
    TaskState before = resolvedState();
    boolean held =
        before == TaskState.READY || before == TaskState.WAITING || before == TaskState.IDLING;
    if (!held || loop.isRunning(self()) || mustKeepWaiting() || !mayEndWait()) {
      return false;
    }
    leave();
    parked(TaskState.SUSPENDED);
    return true;
  }

  /// Ends a wait, or another way of being parked, with a failure; not a wait that is promised to
  /// another thread. The state must be resolved.
  final void interruptWait(Throwable failure) {
    TaskWaiter own = waiter;
    if (state == WAITING && own != null) {
      if (!own.mayEnd()) {
        return; // it is about to receive something
      }
      own.disarm();
    }
    hand(null, failure);
    becomeReady(false);
  }

  /// Fails the wait that the task is in, or another way of being parked.
  ///
  /// @param failure made in the task
  /// @return false if it is not parked, was given something that it has not taken, or is about to
  ///   be, has a cancellation to be delivered, or must not leave its wait
  final boolean failWait(Supplier<? extends Throwable> failure) {
    TaskState before = resolvedState();
    if (loop.isRunning(self())
        || before == TaskState.NEW
        || !before.isSchedulable()
        || pendingCancel != null
        || isGiven()
        || (mustKeepWaiting() && !waitsForChildren())) {
      return false;
    }
    dropReceived();
    endSettledWait();
    interruptWait(new DeferredFailure(failure));
    return isReady();
  }

  /// Whether it is at the end of a group whose tasks are cancelled if this wait fails.
  private boolean waitsForChildren() {
    return awaited() instanceof GroupChildren<?> children && children.mayBeLeft();
  }

  /// Runs code that waits for what the task must not leave behind: it cannot be scheduled
  /// meanwhile.
  final <V extends @Nullable Object, X extends Exception> V withoutScheduling(
      TaskCall<? extends V, X> code) throws X {
    boolean before = keepsWaiting;
    keepsWaiting = true;
    try {
      return code.call();
    } finally {
      keepsWaiting = before;
    }
  }

  // Waiting on its behalf.

  /// Has it wait for something instead of its turn.
  ///
  /// @return false if it waits for just this, was given something that it has not taken, or is
  ///   about to be, has a cancellation to be delivered, is running, blocked in the JDK, or has
  ///   ended
  final boolean scheduleOn(Waitable<?> asked) {
    TaskState before = resolvedState();
    if (loop.isRunning(self())
        || !(before.isSchedulable() || before == TaskState.READY)
        || comesTooLate()
        || mustKeepWaiting()
        || pendingCancel != null
        || isGiven()
        || (before == TaskState.WAITING && awaited() == asked)) {
      return false;
    }
    Waitable<Object> source = Composite.prepared(asked, self());
    before = STATES[state];
    if (!mayEndWait()) {
      return false;
    }
    leave();
    if (before == TaskState.NEW) {
      loop.register(self());
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
    if (state != SUSPENDED) { // by what the waitable did, or blocked in, meanwhile
      if (!settled) {
        waiter().disarm();
      }
    } else if (settled) {
      becomeReady(false);
    } else {
      parked(TaskState.WAITING);
    }
    return true;
  }

  /// A source could not be armed. Leaves the task suspended only if it was, for nothing would wake
  /// it. A wait that was given up for this one cannot be restored, and fails with it.
  private void undoArming(TaskState before, Throwable failure) {
    dropReceived();
    switch (before) {
      case NEW -> {
        state = NEW;
        loop.unregister(self());
        UnbegunTasks.newAgain(self());
      }
      case WAITING -> {
        hand(null, failure);
        becomeReady(false);
      }
      case READY, IDLING -> becomeReady(false);
      case RUNNING, SUSPENDED, BLOCKED, SUCCEEDED, FAILED, CANCELLED -> {}
    }
  }

  // The end.

  @Override
  final void listened() {
    UnbegunTasks.listened(self());
  }

  /// Whether it was never scheduled. Any thread: to another one it can look new though it is not
  /// any more, but not the other way round.
  final boolean isNew() {
    return state == NEW;
  }

  /// Takes it out of wherever it is, to end outside of a turn: it cannot be scheduled any more.
  final void beginToEnd() {
    leave();
    state = RUNNING;
  }

  /// It ends in this state, and has nothing to receive any more.
  final void ended(TaskState how) {
    state = (byte) how.ordinal();
    dropReceived();
  }

  /// Whether it ends at this moment, beneath the caller.
  final boolean isEnding() {
    return state == RUNNING;
  }
}
