package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.PinnedException;
import dev.rondo.scheduler.engine.util.Durations;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A task with a stack of its own: any Java code, suspended at any depth.
///
/// All methods that give way have the same shape. The task leaves the ready queue or goes to its
/// back; only [#halt] leaves it at the head. Then it leaves the coroutine. When control comes back,
/// it takes the value or failure that was delivered meanwhile.
public final class StackfulTask<T extends @Nullable Object> extends TaskCore<T> {

  /// The cost of delivering a cancellation, in eager operations of a turn.
  private static final int COST_OF_CANCELLATION = 32;

  /// Null once the task has begun, because its handle may be kept for long.
  private @Nullable Callable<? extends T> code;

  public StackfulTask(Loop loop, @Nullable String name, Callable<? extends T> code) {
    super(loop, name);
    this.code = code;
  }

  /// Makes a task that inherits nothing: a task that was lazy, see `LazyStackfulTasks`, or a task
  /// that the running task does not make.
  ///
  /// @param code null if the code runs already
  public StackfulTask(
      Loop loop, String name, long id, long parentId, @Nullable Callable<? extends T> code) {
    super(loop, name, id, parentId);
    this.code = code;
  }

  @Override
  public TaskCore<?> turn(ReadyQueue queue) {
    Coroutine own = coroutine;
    if (own == null) {
      entered = true;
      if (loop.beginInSuccession(this)) {
        return this;
      }
      CoroutineBackend backend = loop.backend;
      own = backend.newCoroutine(loop.tasksHaveThreads ? name() : "", this);
      coroutine = own;
    }
    if (loop.tasksHaveThreads) {
      loop.turnGoesTo(own.thread(), this);
    }
    Coroutine.Pause pause = own.resume();
    if (pause != Coroutine.Pause.SUSPENDED || loop.errand != null) {
      left(pause);
    }
    return this;
  }

  /// Called when the task has left its stack: it has suspended or ended, a call of the JDK blocks
  /// it, or it has an errand.
  public void left(Coroutine.Pause reason) {
    Coroutine own = coroutine;
    Coroutine.Pause pause = reason;
    for (Rooms.Errand errand; own != null && (errand = loop.errand) != null; ) {
      loop.errand = null;
      pause = errand.runFor(this, own);
    }
    if (pause == Coroutine.Pause.BLOCKED) {
      if (loop.isRunning(this)) {
        becomeBlocked();
      } // else it is unblocked already
    } else if (pause == Coroutine.Pause.ENDED) {
      coroutine = null;
      if (loop.tasksHaveThreads) {
        loop.forgetThread();
      }
      if (loop.hooks != null) {
        reportDone();
      }
    }
  }

  /// The coroutine's body.
  @Override
  public void run() {
    if (loop.tasksHaveThreads) {
      loop.enter(this);
    }
    Outcome<T> outcome;
    try {
      if (handed == FAILURE) {
        take(null);
      }
      Callable<? extends T> begun = Objects.requireNonNull(code);
      code = null;
      outcome = success(begun.call());
    } catch (Throwable e) {
      outcome = endedBy(e);
    }
    finish(outcome);
  }

  // Giving way.

  /// Goes to the back of the ready queue. A value that the next turn receives stays, for
  /// `received()`.
  public void yield() {
    beforeGivingWay();
    giveWay();
    TaskExtras has = extras;
    if (has != null && has.pendingCancel != null) {
      throwIfCancelled();
    }
    if (handed == FAILURE) {
      var _ = takeDelivered();
    }
  }

  /// Counts as one of the operations that a turn may do; gives way if the turn has done too many.
  /// Throws if the task is cancelled.
  void checkpoint() {
    beforeGivingWay();
    if (loop.eagerBudget-- <= 0) {
      this.yield();
    }
  }

  /// [#checkpoint()], for code in which more operations are likely to follow at once.
  void checkpointOfMany() {
    checkpoint();
    if (loop.debug == null) {
      loop.checkedSlot = slot;
    }
  }

  /// Goes to the back of the ready queue. Returns the value that the next `step(value)` hands in.
  @Nullable Object yieldForValue(@Nullable Object product) {
    beforeGivingWay();
    loop.produce(product);
    giveWay();
    throwIfCancelled();
    return takeDelivered();
  }

  /// Stays at the head of the ready queue and makes the loop return.
  @Nullable Object halt(@Nullable Object product) {
    beforeGivingWay();
    loop.requestHalt(product);
    try {
      Objects.requireNonNull(coroutine).suspend();
    } catch (Throwable e) {
      loop.withdrawHalt();
      throw e;
    }
    throwIfCancelled();
    return takeDelivered();
  }

  /// Parks until the task is scheduled.
  @Nullable Object suspend(@Nullable Object product) {
    beforeGivingWay();
    loop.produce(product);
    try {
      park(TaskState.SUSPENDED);
    } catch (StackOverflowError e) {
      throw loop.cutShort("it was parked", e);
    }
    leaveStack();
    return takeDelivered();
  }

  /// Takes the value or failure of this turn, from the caller that scheduled the task or from the
  /// event that it awaited.
  @Nullable Object takeDelivered() {
    TaskWaiter own = waiter;
    return take(own == null ? null : own.end());
  }

  /// Prepares the end of a turn. Drops a value that the turn was handed and did not take, so that
  /// no later turn finds it.
  private void beforeGivingWay() {
    TaskExtras has = extras;
    if (has != null && has.pendingCancel != null) {
      deliverCancel();
    }
    Rooms.Checks debug = loop.debug;
    if (debug != null) {
      debug.beforeGivingWay(this);
    }
    if (handed != NOTHING) {
      dropUntaken();
    }
  }

  /// Goes to the back without a check for cancellation, because the task has taken something that
  /// it must deliver.
  private void giveWay() {
    ReadyQueue queue = loop.tasks;
    try {
      queue.rotate(this);
    } catch (StackOverflowError e) {
      throw loop.cutShort("it gave way", e);
    }
    try {
      Objects.requireNonNull(coroutine).suspend();
    } catch (Throwable e) { // pinned, or no room on the stack or in the heap
      try {
        loop.undoRotate(this);
      } catch (StackOverflowError again) {
        throw loop.cutShort("it could not leave its stack", again);
      }
      throw e;
    }
  }

  /// [#giveWay()], but a task whose stack cannot be left goes on, because it has something to
  /// deliver.
  private void giveWayIfPossible() {
    try {
      giveWay();
    } catch (PinnedException | StackOverflowError | OutOfMemoryError _) {
      // The turn of this task goes on, as if its next turn had come already.
    }
  }

  /// Leaves the stack of a task that has parked, until the task has its next turn.
  private void leaveStack() {
    try {
      Objects.requireNonNull(coroutine).suspend();
    } catch (Throwable e) { // pinned, or no room on the stack or in the heap
      boolean woken;
      try {
        woken = takeBackTurn();
      } catch (StackOverflowError again) {
        throw loop.cutShort("it could not leave its stack", again);
      }
      if (!woken) {
        throw e;
      }
    }
  }

  /// Undoes [#park], because the task could not leave its stack. The turn of the task continues. A
  /// wait that another thread has promised an event receives the event.
  ///
  /// @return whether the task was woken meanwhile
  private boolean takeBackTurn() {
    if (state == READY && loop.isRunning(this)) {
      return false; // the task was not parked yet
    }
    boolean woken = state == READY; // others ran meanwhile, above its frames
    try {
      if (!woken && !tryEndWait()) {
        try {
          waiter().deliverPromised();
        } finally {
          woken = state == READY;
          leave();
        }
      } else {
        leave();
      }
    } finally {
      takeBack();
    }
    return woken;
  }

  // Waiting.

  @SuppressWarnings({"unchecked", "NullAway"}) // a source delivers its own type
  public <V extends @Nullable Object> V await(Waitable<V> asked) {
    if (NotInlined.begin(this, asked, null)) {
      leaveStack();
    }
    return (V) takeDelivered();
  }

  /// Waits for an event, and takes no other value.
  ///
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile
  public <V extends @Nullable Object> V awaitEvent(Waitable<V> asked) {
    if (NotInlined.begin(this, asked, null)) {
      leaveStack();
    }
    return takeEvent(asked);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // as in await
  private <V extends @Nullable Object> V takeEvent(Waitable<V> asked) {
    TaskWaiter own = waiter;
    if (own == null || !own.leftDirectly || handed == FAILURE) {
      return (V) takeDelivered(); // throws if the task was cancelled
    }
    String what = own.describeLeft(asked);
    Waitable<?> other = own.isSettled() ? own.source() : null;
    throw new ScheduledDirectlyException(what, takeDelivered(), other);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // as in await
  <V extends @Nullable Object> V await(Waitable<V> asked, Duration timeout) {
    waitWithin(timeout, asked);
    return (V) takeDelivered(); // this may run a `map` that waits, outside of this limit
  }

  public <V extends @Nullable Object> V awaitEvent(Waitable<V> asked, Duration timeout) {
    waitWithin(timeout, asked);
    return takeEvent(asked);
  }

  private void waitWithin(Duration timeout, Waitable<?> asked) {
    long nanos = Durations.nanos(timeout, "timeout");
    TaskExtras own = extras();
    var limit = new WaitLimit(this, timeout, asked);
    limit.alarm = loop.after(nanos, limit);
    try {
      if (NotInlined.begin(this, asked, limit)) {
        leaveStack();
      }
    } finally {
      own.alarm = null;
      limit.alarm.cancel();
    }
  }

  /// The time limit of one wait: the action of its timer, which fails the wait.
  private static final class WaitLimit implements Runnable {

    private final StackfulTask<?> task;
    private final Duration timeout;

    /// For messages. After the wait was prepared, the event that a guard has made, and not the
    /// guard.
    private Waitable<?> awaited;

    private TimerHandle alarm = () -> false;
    private boolean over;

    WaitLimit(StackfulTask<?> task, Duration timeout, Waitable<?> asked) {
      this.task = task;
      this.timeout = timeout;
      this.awaited = asked;
    }

    @Override
    public void run() {
      over = true;
      if (task.state == WAITING) {
        task.wakeWithFailure(new Throwables.DeferredFailure(this::failure));
      } // else the task is about to wait, or has received its event
    }

    RuntimeException failure() {
      return new TimedOutException(timeout, ReportText.describe(awaited));
    }
  }

  /// The beginning of a wait, which HotSpot does not inline.
  ///
  /// The frame of the caller stays on the stack of the task that waits. Inlined, this code makes
  /// the frame larger for the whole wait: a sleeping task took 480 to 635 bytes, and takes 465.
  /// HotSpot inlines no methods of throwables into other methods, so this class is a `Throwable`,
  /// although nothing is thrown.
  @SuppressWarnings("serial")
  private static final class NotInlined extends Throwable {

    /// Begins a wait, and parks.
    ///
    /// @return whether the task has to leave its stack; if not, [#takeDelivered()] has something to
    ///   take
    static boolean begin(StackfulTask<?> task, Waitable<?> asked, @Nullable WaitLimit limit) {
      task.checkpoint();
      if (task.handed != NOTHING && task.isDiverted()) {
        return false;
      }
      TaskWaiter own = task.waiter != null ? task.waiter : task.waiter();
      own.leftDirectly = false;
      Waitable<Object> source = task.prepared(asked);
      if (limit != null) {
        limit.awaited = source;
      }
      try {
        return task.beginOn(own, source, limit);
      } catch (StackOverflowError e) {
        throw task.loop.cutShort("it began to wait", e);
      }
    }
  }

  private boolean beginOn(TaskWaiter own, Waitable<Object> source, @Nullable WaitLimit limit) {
    if (own.poll(source)) {
      boolean eager =
          (source instanceof WaitStep<?> step && handed != FAILURE)
              ? step.wasEager(received)
              : WaitStep.isEager(source);
      if (!eager) {
        giveWayIfPossible();
      }
      return false;
    }
    if (own.arm(source)) {
      giveWayIfPossible();
      return false;
    }
    TaskExtras has = extras;
    if (has != null
        && has.pendingCancel != null
        && own.tryEnd()) { // by code of the waitable meanwhile
      own.disarm();
      throwIfCancelled();
    }
    if (limit != null) {
      extras().alarm = limit.alarm; // the limit ends with the wait, even if no turn comes after it
      if (limit.over && own.tryEnd()) {
        own.disarm();
        throw limit.failure();
      }
    }
    if (mayCloseCycle(source)) {
      own.watch(source);
    }
    park(TaskState.WAITING);
    return true;
  }

  /// Whether a wait that this task begins may be part of a cycle. It is not if a single task holds
  /// the wait, and that task does not wait itself.
  private boolean mayCloseCycle(Waitable<?> source) {
    try {
      Task<?> holder = source.holder();
      if (holder == null) {
        return source instanceof WaitStep;
      }
      var by = (TaskCore<?>) holder;
      return by == this || by.loop != loop || by.storedState() == TaskState.WAITING;
    } catch (Throwable e) {
      return false; // a holder() has failed: the description of the task says so
    }
  }

  /// Whether the task, which gave way at a checkpoint, has received something else meanwhile. A
  /// value that a caller of `step(value)` has handed in is dropped, because no code has asked for
  /// it.
  private boolean isDiverted() {
    TaskWaiter own = waiter();
    if (hasSomethingToTake() && (own.leftDirectly || own.isSettled())) {
      own.leftDirectly = true;
      return true;
    }
    dropUntaken();
    return false;
  }

  /// Runs code whose waits must not end without their event: the task cannot be scheduled
  /// meanwhile.
  public <V extends @Nullable Object, X extends Exception> V withoutScheduling(
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

  // Cancelling.

  private void throwIfCancelled() {
    CancelRequest pending = pendingCancel();
    if (pending != null) {
      throw Cancellation.deliver(this, pending);
    }
  }

  /// Delivers the cancellation. Each delivery costs a part of the turn's budget, so that a task
  /// which ignores it in a loop does not keep the scheduler.
  private void deliverCancel() {
    loop.eagerBudget -= COST_OF_CANCELLATION;
    if (loop.eagerBudget <= 0) {
      giveWayIfPossible();
    }
    throwIfCancelled();
  }

  @Override
  public void applyCancel() {
    TaskExtras has = extras;
    CancelRequest pending = has == null ? null : has.pendingCancel;
    if (pending == null) {
      return;
    }
    byte how = state;
    if (how == WAITING || how == SUSPENDED || how == IDLING) {
      if (handed != NOTHING) {
        // The task has received something, so it is cancelled at its next suspension point.
        becomeReady(Place.BACK);
      } else {
        wakeWithFailure(Cancellation.DUE); // no effect if the task is about to receive something
      }
    } else if (how == BLOCKED) {
      Cancellation.interrupt(this, pending);
    }
  }
}
