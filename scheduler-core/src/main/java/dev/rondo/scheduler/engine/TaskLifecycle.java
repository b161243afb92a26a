package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The life of a [Task]: its state, and every move from one state to another. No other class writes
/// the state; [TaskState] has the table of the moves. What the task resumes with after a move is in
/// [TaskResumption].
///
/// It is a superclass of the task, and not a separate object, to save memory: there may be a
/// million tasks.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the type of the result of the task
@SuppressWarnings("EnumOrdinal") // the ordinal leaves no run of the JVM: see the field `state`
abstract sealed class TaskLifecycle<T extends @Nullable Object> extends TaskResumption<T>
    permits TaskCore {

  /// In place of an instant: the task was never woken.
  static final long NOT_WOKEN = Long.MIN_VALUE;

  private static final TaskState[] STATES = TaskState.values();

  private static final byte NEW = number(TaskState.NEW);
  private static final byte READY = number(TaskState.READY);
  private static final byte RUNNING = number(TaskState.RUNNING);
  private static final byte WAITING = number(TaskState.WAITING);
  private static final byte SUSPENDED = number(TaskState.SUSPENDED);
  private static final byte IDLING = number(TaskState.IDLING);

  /// The last state in which a task has not ended.
  private static final byte BLOCKED = number(TaskState.BLOCKED);

  /// The ordinal of the [TaskState], except that RUNNING follows from the ready queue, see
  /// [#taskState()]; only a task that ends outside of its turn has it here.
  ///
  /// It is a number, because writing a reference into an object of the old generation costs a
  /// memory barrier, and each wait writes the state twice.
  byte state = NEW;

  /// Whether the task has had a turn.
  boolean entered;

  /// The instant at which the task was parked, by the clock of the last pass before. Set by
  /// [#park].
  public long sinceNanos;

  /// The instant at which the task last became ready again, by the clock of the last pass before;
  /// [#NOT_WOKEN] before it was parked the first time.
  long wokenNanos = NOT_WOKEN;

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
    return STATES[state];
  }

  /// Whether the state says that the task has ended. The result is settled soon after.
  final boolean hasEnded() {
    return state > BLOCKED;
  }

  /// The state, except that a running task is not RUNNING.
  final TaskState storedState() {
    return STATES[state];
  }

  /// The event that the task awaits; null if it is not waiting.
  public final @Nullable Waitable<?> awaited() {
    return waiter != null && state == WAITING ? waiter.source() : null;
  }

  // Idling.

  /// Makes the task idle until an instant, without a turn, if it is suspended or idles already.
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

  /// Suspends the task, if it idles.
  final boolean suspendIfIdling() {
    if (storedState() != TaskState.IDLING || loop.isRunning(self())) {
      return false;
    }
    leave();
    parked(TaskState.SUSPENDED);
    loop.wakeIfLent();
    return true;
  }

  // To the ready queue.

  /// Puts a task that is parked into the ready queue. Its wait, if it has one, is over.
  public final void becomeReady(Place place) {
    var self = (TaskCore<T>) this;
    try {
      if (state == NEW) {
        loop.register(self);
        state = READY;
      } else {
        if (state == IDLING) {
          loop.stopIdling(self);
        }
        wokenNanos = loop.passNanos;
        state = READY;
        TurnHooks hooks = loop.hooks;
        if (hooks != null) {
          hooks.woken(self);
        }
      }
      loop.enqueue(self, place);
    } catch (StackOverflowError e) {
      throw loop.cutShort("it made a task ready", e);
    }
  }

  /// Called when this task, which was lazy, was made in its place in the ready queue.
  ///
  /// @param running whether it has its turn
  public final void becameReady(boolean running) {
    state = READY;
    if (running) {
      entered = true;
      loop.goesOnAs(self());
    }
  }

  /// Wakes the task, which idled: its deadline has come, or it has a turn because other tasks keep
  /// the loop busy. The task has left the [IdleTasks].
  final void wakeFromIdling() {
    state = SUSPENDED;
    becomeReady(Place.FRONT);
  }

  /// Schedules a task that is parked, and ends its wait.
  ///
  /// @return false if it was ready or running, is blocked in the JDK, or has ended
  public final boolean schedule(Place place) {
    if (!canBeScheduled() || !tryEndWait()) {
      return false;
    }
    if (state == WAITING) {
      endWait();
    }
    becomeReady(place);
    return true;
  }

  /// Leaves the source of a wait that was not settled.
  private void endWait() {
    TaskWaiter own = waiter;
    if (own == null) {
      throw new AssertionError("waits without a waiter: " + this);
    }
    own.disarmAndRemember();
    scheduledDirectly();
  }

  /// Like [#schedule(Place)], with a value for the next turn.
  ///
  /// @return false also if the next turn would not take the value, because the task has received
  ///   something already, or has a cancellation to be delivered
  final boolean schedule(@Nullable Object value, Place place) {
    if (!canBeScheduled() || hasSomethingToTake() || pendingCancel() != null || !tryEndWait()) {
      return false;
    }
    if (state == WAITING) {
      endWait();
    }
    endSettledWait();
    scheduledDirectly();
    hand(value, null);
    becomeReady(place);
    return true;
  }

  /// Like [#schedule(Place)], directly behind a task that is in the ready queue.
  final boolean scheduleAfter(TaskCore<?> anchor) {
    if (!anchor.isReady() || !schedule(Place.BACK)) {
      return false;
    }
    loop.moveBehind(anchor, self());
    return true;
  }

  /// Whether the task is in the ready queue, running or not.
  final boolean isReady() {
    return next != TaskTable.NONE;
  }

  private boolean canBeScheduled() {
    return storedState().isSchedulable()
        && !loop.isRunning(self())
        && !comesTooLate()
        && !mustKeepWaiting();
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
  private boolean mustKeepWaiting() {
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
    loop.park((TaskCore<T>) this, how);
  }

  /// Sets the state of a task that leaves the ready queue, or has left it.
  private void parked(TaskState how) {
    state = (byte) how.ordinal();
    sinceNanos = loop.passNanos;
    TaskExtras has = extras;
    if (has != null) {
      has.parked();
    }
  }

  /// Runs an action when the task is next parked. Replaces an earlier action.
  final void whenParked(Runnable action) {
    extras().whenParked = action;
  }

  /// Parks the task, which has never run: the task of an add-on, until it is scheduled, or one that
  /// a call of the JDK blocks.
  final void beginParked(TaskState how) {
    loop.register(self());
    parked(how);
  }

  /// Undoes [#park], because the task could not park or leave its stack. The turn of the task
  /// continues. A wait that another thread has promised an event receives it.
  ///
  /// @return whether it was woken meanwhile
  final boolean takeBackTurn() {
    if (state == READY && loop.isRunning(self())) {
      return false; // it was not parked yet
    }
    boolean woken = storedState() == TaskState.READY; // others ran meanwhile, above its frames
    try {
      if (!woken && !tryEndWait()) {
        try {
          waiter().deliverPromised();
        } finally {
          woken = storedState() == TaskState.READY;
          leave();
        }
      } else {
        leave();
      }
    } finally {
      state = READY;
      loop.takeBack(self());
    }
    return woken;
  }

  /// Removes the task from the ready queue, or ends its wait or its idling. Must not be called for
  /// the running task.
  final void leave() {
    TaskState how = storedState();
    if (how == TaskState.READY) {
      loop.dequeue(self());
    } else if (how == TaskState.IDLING) {
      loop.stopIdling(self());
    } else if (how == TaskState.WAITING) {
      endWait();
    } else if (how == TaskState.NEW) {
      loop.begun(self());
    }
  }

  /// Suspends the task, if it is ready, waits or idles, until it is scheduled.
  ///
  /// @return whether the task was suspended; false for the running task
  final boolean unschedule() {
    TaskState before = storedState();
    boolean held =
        before == TaskState.READY || before == TaskState.WAITING || before == TaskState.IDLING;
    if (!held || loop.isRunning(self()) || mustKeepWaiting() || !tryEndWait()) {
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
  final void wakeWithFailure(Throwable failure) {
    TaskWaiter own = waiter;
    if (state == WAITING && own != null) {
      if (!own.tryEnd()) {
        return; // it is about to receive something
      }
      own.disarm();
    }
    hand(null, failure);
    becomeReady(Place.BACK);
  }

  /// Like [#wakeWithFailure], for add-ons: makes a parked task fail, unless it has received
  /// something.
  ///
  /// @param failure made in the task
  /// @return false if the task is not parked, has received something or is about to, has a
  ///   cancellation to be delivered, or must not leave its wait
  final boolean failWait(Supplier<? extends Throwable> failure) {
    TaskState before = storedState();
    if (loop.isRunning(self())
        || before == TaskState.NEW
        || !before.isSchedulable()
        || pendingCancel() != null
        || hasSomethingToTake()) {
      return false;
    }
    if (mustKeepWaiting()) {
      if (!(awaited() instanceof WaitStep<?> step)) {
        return false;
      }
      if (!step.mayFail()) {
        return step.failLater(failure);
      }
    }
    dropReceived();
    endSettledWait();
    wakeWithFailure(new DeferredFailure(failure));
    return isReady();
  }

  /// Runs code whose waits must not end without their event: the task cannot be scheduled
  /// meanwhile.
  public final <V extends @Nullable Object, X extends Exception> V withoutScheduling(
      TaskCall<? extends V, X> code) throws X {
    TaskExtras own = extras();
    boolean before = own.keepsWaiting;
    own.keepsWaiting = true;
    try {
      return code.call();
    } finally {
      own.keepsWaiting = before;
    }
  }

  // Waiting on its behalf.

  /// Makes the task, which is not running, wait for an event before its next turn.
  ///
  /// @return false if the task already waits for this event, has received something or is about to,
  ///   has a cancellation to be delivered, is running, is blocked in the JDK, or has ended
  final boolean scheduleOn(Waitable<?> asked) {
    TaskState before = storedState();
    if (loop.isRunning(self())
        || !(before.isSchedulable() || before == TaskState.READY)
        || comesTooLate()
        || mustKeepWaiting()
        || pendingCancel() != null
        || hasSomethingToTake()
        || (before == TaskState.WAITING && awaited() == asked)) {
      return false;
    }
    Waitable<Object> source = prepared(asked);
    before = STATES[state];
    if (!tryEndWait()) {
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
      becomeReady(Place.BACK);
    } else {
      parked(TaskState.WAITING);
    }
    return true;
  }

  /// Called when a source could not be armed. A task that was suspended stays so. A wait that was
  /// given up for this one cannot be restored, and nothing would wake the task, so it fails, too.
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
        becomeReady(Place.BACK);
      }
      case READY, IDLING -> becomeReady(Place.BACK);
      case RUNNING, SUSPENDED, BLOCKED, SUCCEEDED, FAILED, CANCELLED -> {}
    }
  }

  // The end.

  @Override
  final void listened() {
    UnbegunTasks.listened(self());
  }

  /// Whether the task was never scheduled. Any thread. A thread other than the scheduler's may see
  /// true for a task that was scheduled meanwhile, but never false for a new task.
  final boolean isNew() {
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

  /// Whether the task is ending at this moment, in a frame below the caller.
  final boolean isEnding() {
    return state == RUNNING;
  }
}
