package dev.rondo.scheduler;

import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.coroutine.PinnedException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// A task with a stack of its own: any Java code, suspended at any depth.
///
/// Every way of giving way has the same shape: do the bookkeeping (leave the ready queue or go to
/// its back), leave the coroutine, and look at what there is when control comes back.
final class StackfulTask<T extends @Nullable Object> extends Task<T> implements Coroutine.Body {

  /// Of a turn's eager operations.
  private static final int COST_OF_BEING_TOLD = 32;

  /// Null once it has begun: a handle may be kept for long.
  private @Nullable Callable<? extends T> code;

  /// Made for the first turn: a task that never runs has no stack.
  private @Nullable Coroutine coroutine;

  /// The innermost cancel scope the task is in.
  private @Nullable CancelScope scope;

  StackfulTask(Loop loop, @Nullable String name, Callable<? extends T> code) {
    super(loop, name);
    this.code = code;
  }

  @Override
  void turn() {
    Coroutine own = coroutine;
    if (own == null) {
      own = loop.backend.newCoroutine(name(), this);
      coroutine = own;
      entered = true;
    }
    loop.loopThread.turnGoesTo(own.thread());
    Coroutine.Pause pause = own.resume();
    if (pause == Coroutine.Pause.BLOCKED) {
      becomeBlocked();
    } else if (pause == Coroutine.Pause.ENDED) {
      coroutine = null;
      tellDone();
    }
  }

  /// A call of the JDK holds it up, on its own thread: others have their turns meanwhile.
  private void becomeBlocked() {
    leaveQueue(TaskState.BLOCKED);
    loop.externalWork.waitBegun();
    loop.loopThread.obscure(
        false); // what obscures us, and is held up with us, does not obscure others
    loop.shutdown.blocked(this);
    CancelRequest pending = pendingCancel;
    if (pending != null && !isDone() && !cancellation().hasTold(pending)) {
      applyCancel(); // it came while the task was ready, or shielded
    }
  }

  private Callable<? extends T> takeCode() {
    Callable<? extends T> taken = code;
    if (taken == null) {
      throw new AssertionError("run twice: " + this);
    }
    code = null;
    return taken;
  }

  /// The coroutine's body.
  @Override
  public void run() {
    if (thread() != null) {
      loop.loopThread.enter(loop);
      if (loop.contexts != null) {
        loop.contexts.begin(this);
      }
    }
    T value;
    try {
      if (wakeFailure != null) {
        takeReceivedOrThrow();
      }
      value = takeCode().call();
    } catch (Throwable e) {
      finish(endedBy(e));
      return;
    }
    loop.produce(value);
    finish(new Outcome.Success<>(value)); // not made earlier: it would be held while the code waits
  }

  private Outcome<T> endedBy(Throwable thrown) {
    CancelRequest request = cancelRequest();
    if (request != null) {
      if (thrown instanceof TaskCancelled told && told.isFrom(request)) {
        return endedBy(request, told);
      }
      if (thrown instanceof InterruptedException interrupt && wasInterruptedFor(request)) {
        return endedBy(request, TaskCancelled.by(request, interrupt));
      }
    }
    return new Outcome.Failure<>(thrown);
  }

  /// The JDK call that blocked this task is over. Any thread.
  @Override
  public void unblocked() {
    var _ =
        loop.inbox.post(
            new Inbox.Entry() {
              @Override
              void deliver(Loop receiver) {
                if (state == TaskState.BLOCKED) {
                  receiver.externalWork.waitEnded();
                  becomeReady(false);
                }
              }
            });
  }

  @Override
  @Nullable Thread thread() {
    Coroutine own = coroutine;
    return own == null ? null : own.thread();
  }

  // Giving way.

  /// Goes to the back of the ready queue.
  void yield() {
    beforeGivingWay();
    giveWay();
    throwIfCancelled();
    if (handed) {
      takeDelivered();
    }
  }

  /// Counts as one of the operations that a turn may do.
  void checkpoint() {
    beforeGivingWay();
    if (loop.eagerBudget-- <= 0) {
      this.yield();
    }
  }

  /// Goes to the back of the ready queue, and takes what it is handed by the next `step(value)`.
  @Nullable Object yieldForValue(@Nullable Object product) {
    beforeGivingWay();
    loop.produce(product);
    giveWay();
    throwIfCancelled();
    return takeDelivered();
  }

  /// Stays at the head of the ready queue and has the loop return.
  @Nullable Object halt(@Nullable Object product) {
    beforeGivingWay();
    loop.requestHalt(product);
    try {
      leave();
    } catch (PinnedException e) {
      loop.withdrawHalt();
      throw e;
    }
    throwIfCancelled();
    return takeDelivered();
  }

  /// Leaves circulation until somebody schedules it.
  @Nullable Object suspend(@Nullable Object product) {
    beforeGivingWay();
    loop.produce(product);
    goAway(TaskState.SUSPENDED);
    return takeDelivered();
  }

  /// What this turn was given: by somebody, or by what the task was scheduled on.
  @Nullable Object takeDelivered() {
    TaskWaiter own = waiter;
    Waitable<?> source = own == null ? null : own.end();
    Object raw = takeReceivedOrThrow();
    return source == null ? raw : Composite.finish(source, raw);
  }

  void idle() {
    beforeGivingWay();
    loop.idleTasks.add(this);
    goAway(TaskState.IDLING);
    takeReceivedOrThrow();
  }

  void idleUntil(long deadlineNanos) {
    beforeGivingWay();
    loop.idleTasks.add(this, deadlineNanos);
    goAway(TaskState.IDLING);
    takeReceivedOrThrow();
  }

  /// What this turn was handed and did not take must not turn up in a later one.
  private void beforeGivingWay() {
    tellIfCancelled();
    if (loop.debug != null) {
      loop.debug.beforeGivingWay(this);
    }
    if (handed) {
      dropUntaken();
    }
  }

  private void dropUntaken() {
    if (waiter != null) {
      waiter.end();
    }
    wakeFailure = null;
    takeReceived();
  }

  /// Goes to the back without looking at cancellation: what was taken already must be delivered.
  private void giveWay() {
    loop.tasks.rotate(this);
    try {
      leave();
    } catch (PinnedException e) {
      loop.tasks.undoRotate(this);
      loop.produce(null);
      throw e;
    }
  }

  /// For where there is something to tell or deliver, on a pinned stack too.
  private void giveWayIfPossible() {
    try {
      giveWay();
    } catch (PinnedException _) {
      // It is still this task's turn: as if it had come round already.
    }
  }

  /// Goes out of circulation, until somebody puts it back. Whatever is on the stack while a task
  /// waits is what the task weighs: here and in the callers above no more than needed.
  private void goAway(TaskState whereTo) {
    leaveQueue(whereTo);
    try {
      if (!mayHostLoop() || !loop.mountedTask.goOnUpon(this)) {
        leave();
      }
    } catch (PinnedException e) {
      comeBack(e);
    }
  }

  private void leaveQueue(TaskState whereTo) {
    loop.tasks.remove(this);
    state = whereTo;
    sinceNanos = loop.roundNanos;
  }

  /// The stack cannot be left: it is this task's turn still.
  private void comeBack(PinnedException reason) {
    catchUp();
    boolean woken = state == TaskState.READY; // others ran meanwhile, upon the resident's frames
    leaveCirculation();
    state = TaskState.READY;
    loop.tasks.takeBack(this);
    if (loop.instruments != null) {
      loop.instruments.turnGoesOn(this);
    }
    loop.produce(null);
    if (!woken) {
      throw reason;
    }
  }

  private boolean mayHostLoop() {
    Waitable<?> source = awaited();
    return source != null && source.mayStayMounted();
  }

  private void leave() {
    Coroutine own = coroutine;
    if (own == null) {
      throw new AssertionError("running without a coroutine: " + this);
    }
    own.suspend();
  }

  // Waiting.

  <V extends @Nullable Object> V await(Waitable<V> asked) {
    if (begin(asked, null)) {
      goAway(TaskState.WAITING);
    }
    return direct(takeDelivered());
  }

  <V extends @Nullable Object> V await(Waitable<V> asked, Duration timeout) {
    long nanos = Durations.nanos(timeout, "timeout");
    var limit = new Limit(timeout, asked);
    TimerService.TimerHandle alarm =
        loop.requireTimerService().at(loop.deadlineAfter(nanos), limit);
    try {
      if (begin(asked, limit)) {
        goAway(TaskState.WAITING);
      }
    } finally {
      alarm.cancel();
    }
    return direct(takeDelivered()); // which may run a `map` that waits: not within this limit
  }

  /// The time that one wait may take.
  private final class Limit implements Runnable {

    private final Duration timeout;
    private final Waitable<?> asked;
    private boolean over;

    Limit(Duration timeout, Waitable<?> asked) {
      this.timeout = timeout;
      this.asked = asked;
    }

    @Override
    public void run() {
      over = true;
      catchUp();
      if (state == TaskState.WAITING) {
        interruptWait(new DeferredFailure(this::failure));
      } // else it is about to wait, or has got what it waited for
    }

    TimedOutException failure() {
      return new TimedOutException(timeout, WaitDescriptions.describe(asked));
    }
  }

  /// Begins a wait.
  ///
  /// @return whether the task has to go away; if not, there is something for [#takeDelivered()]
  private <V extends @Nullable Object> boolean begin(Waitable<V> asked, @Nullable Limit limit) {
    checkpoint();
    Waitable<V> source = Composite.prepared(asked);
    TaskWaiter own = waiter();
    if (own.poll(source)) {
      boolean eager = wakeFailure == null ? Composite.wasEager(source, received) : source.isEager();
      if (!eager) {
        giveWayIfPossible();
      }
      return false;
    }
    if (own.arm(source)) {
      giveWayIfPossible();
      return false;
    }
    if (pendingCancel != null) { // cancelled by what the waitable did, or blocked in, meanwhile
      own.disarm();
      throwIfCancelled();
    }
    if (limit != null && limit.over) {
      own.disarm();
      throw limit.failure();
    }
    return true;
  }

  /// What the event delivered, or what somebody scheduled the waiting task with in its place.
  @SuppressWarnings({"unchecked", "NullAway"})
  private static <V extends @Nullable Object> V direct(@Nullable Object value) {
    return (V) value;
  }

  /// Ends a wait with a failure.
  void interruptWait(Throwable failure) {
    leaveCirculation();
    hand(null, failure);
    becomeReady(false);
  }

  // Cancelling.

  private void throwIfCancelled() {
    CancelRequest pending = pendingCancel;
    if (pending != null) {
      throw cancellation().tell(this, pending);
    }
  }

  /// Being told counts as an operation of the turn, a dear one: a task that ignores it in a loop
  /// must not keep the scheduler.
  private void tellIfCancelled() {
    if (pendingCancel != null) {
      loop.eagerBudget -= COST_OF_BEING_TOLD;
      if (loop.eagerBudget <= 0) {
        giveWayIfPossible();
      }
      throwIfCancelled();
    }
  }

  /// What holds when the task is told; there may be an outer request by then.
  private TaskCancelled cancelled(CancelRequest taken) {
    CancelRequest now = pendingCancel;
    return cancellation().tell(this, now == null ? taken : now);
  }

  @Override
  void applyCancel() {
    CancelRequest pending = pendingCancel;
    if (pending == null) {
      return;
    }
    catchUp();
    switch (state) {
      case WAITING, SUSPENDED, IDLING -> {
        if (handed) {
          becomeReady(false); // it has received something: told at its next suspension point
        } else {
          interruptWait(new DeferredFailure(() -> cancelled(pending)));
        }
      }
      case BLOCKED -> {
        Coroutine own = coroutine;
        if (own != null) {
          cancellation().interruptedFor = pending;
          own.interrupt();
        }
      }
      case NEW, READY, RUNNING, SUCCEEDED, FAILED, CANCELLED -> {}
    }
  }

  @Override
  void refreshPendingCancel() {
    CancelRequest found = null;
    for (CancelScope each = scope; each != null; each = each.outer()) {
      if (each.request() != null) {
        found = each.request();
      }
      if (each.isShield()) {
        pendingCancel = found;
        return;
      }
    }
    CancelRequest whole = cancelRequest();
    pendingCancel = whole != null ? whole : found;
  }

  /// Whether a blocking call of ours in the JDK was interrupted to tell of this request.
  boolean wasInterruptedFor(@Nullable CancelRequest request) {
    Cancellation own = cancellation;
    return request != null && own != null && request == own.interruptedFor;
  }

  /// Whether our thread may bear the interrupt of a request.
  boolean wasInterrupted() {
    Cancellation own = cancellation;
    return own != null && own.interruptedFor != null;
  }

  @Nullable CancelScope scope() {
    return scope;
  }

  void scope(@Nullable CancelScope innermost) {
    scope = innermost;
    refreshPendingCancel();
  }

  @Override
  StackTraceElement[] stackTrace() {
    if (loop.mountedTask.isResident(this)) {
      return MountedTask.stackTrace();
    }
    Coroutine own = coroutine;
    return own == null ? new StackTraceElement[0] : own.stackTrace();
  }
}
