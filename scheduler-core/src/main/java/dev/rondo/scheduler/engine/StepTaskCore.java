package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.coroutine.Coroutine;
import dev.rondo.scheduler.internal.TurnRunner;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The implementation of [StepTask]: a task without a stack, whose body is called once for each
/// turn.
///
/// @param <T> the type of the result of the task
public final class StepTaskCore<T extends @Nullable Object> extends TaskCore<T>
    implements Faces.Steps<T> {

  /// The time that the loop waits for a turn which a call of the JDK blocks. After that, other
  /// tasks have their turns.
  public static final long PATIENCE_NANOS = 1_000_000;

  /// The time that the loop waits for the turn of an add-on. It is longer, because other tasks
  /// should not run in the middle of such a turn.
  private static final long ADD_ON_PATIENCE_NANOS = 20_000_000;

  private final StepBody<T> body;

  /// Whether the task was woken while a call of the JDK blocked its turn.
  private boolean wokenWhileBlocked;

  /// The argument of [#done(Object)].
  private @Nullable T result;

  /// Whether the body has requested a deadline in this turn, and the deadline.
  private boolean timed;

  private long deadlineNanos;

  /// Whether the task idles, or was woken from idling, as a watcher of other tasks: see
  /// [Faces.Steps#watchUntil].
  private boolean watching;

  /// The event that delivered the value of this turn; null if no event did.
  private @Nullable Waitable<?> delivered;

  /// @param name a string, or an object whose string form is the name
  public StepTaskCore(Loop loop, Object name, StepBody<T> body) {
    super(loop, name);
    this.body = body;
  }

  /// Makes a task, and shows it to the hooks. The method is in this class so that a program without
  /// step tasks does not load the class.
  static <T extends @Nullable Object> StepTaskCore<T> made(
      Loop loop, Object name, StepBody<T> body) {
    return loop.made(new StepTaskCore<>(loop, name, body));
  }

  /// Makes a task that was lazy, see the room `engine.lazy`.
  public StepTaskCore(Loop loop, Object name, long id, long parentId, StepBody<T> body) {
    super(loop, name, id, parentId);
    this.body = body;
  }

  // For the body.

  @Override
  public StepResult done(T value) {
    result = value;
    return StepResult.DONE;
  }

  @Override
  public StepResult idle() {
    timed = false;
    watching = false;
    return StepResult.IDLE;
  }

  @Override
  public StepResult idleUntil(long deadlineNanos) {
    timed = true;
    this.deadlineNanos = deadlineNanos;
    return StepResult.IDLE;
  }

  @Override
  public StepResult watchUntil(long deadlineNanos) {
    watching = true;
    return idleUntil(deadlineNanos);
  }

  @Override
  public StepResult await(Waitable<?> event) {
    requireOwnTurn("await");
    Waitable<Object> source = prepared(Objects.requireNonNull(event, "event is null"));
    TaskWaiter own = waiter();
    if (own.isArmed() || own.isSettled()) {
      throw new IllegalStateException(
          "step task '"
              + name()
              + "' awaits "
              + own.source()
              + " already in this turn; to wait for several things use Waitable.anyOf");
    }
    return own.poll(source) || own.arm(source) ? StepResult.AGAIN : StepResult.SUSPEND;
  }

  @Override
  public @Nullable Object received() {
    requireOwnTurn("received");
    TaskWaiter own = waiter;
    if (own != null && (own.isArmed() || own.isSettled())) { // the next turn's value may be there
      throw new IllegalStateException(
          "received() of step task '" + name() + "' after await(..): take the value first");
    }
    Waitable<?> source = delivered;
    delivered = null;
    return take(source);
  }

  private void requireOwnTurn(String call) {
    loop.checkCaller();
    if (!loop.isRunning(this)) {
      throw new IllegalStateException(
          call + " is for the body of task '" + name() + "' during its turn");
    }
  }

  // For holders of the handle.

  @Override
  public boolean wake() {
    if (state == BLOCKED) {
      wokenWhileBlocked = true;
      return true;
    }
    return schedule(Place.BACK);
  }

  @Override
  public boolean moveDeadline(long deadlineNanos) {
    loop.checkCaller();
    if (loop.isRunning(this)) {
      return false;
    }
    if (state == IDLING) {
      loop.moveDeadline(this, deadlineNanos);
    } else if (state == SUSPENDED) {
      loop.idleUntil(this, deadlineNanos, false);
      parked(TaskState.IDLING);
    } else {
      return false;
    }
    return true;
  }

  @Override
  public boolean dropDeadline() {
    loop.checkCaller();
    if (state != IDLING || loop.isRunning(this)) {
      return false;
    }
    leave();
    parked(TaskState.SUSPENDED);
    loop.wakeIfLent();
    return true;
  }

  // For the loop.

  @Override
  public TaskCore<?> turn(ReadyQueue queue) {
    TurnRunner runner = loop.runner;
    if (runner == null) {
      takeTurn(queue);
    } else {
      turnOn(runner);
    }
    return this;
  }

  /// Begins a turn on a runner, or continues a turn that was blocked.
  private void turnOn(TurnRunner runner) {
    Coroutine own = coroutine;
    if (own == null) {
      own = runner.newTurn(this, isAddOn() ? ADD_ON_PATIENCE_NANOS : PATIENCE_NANOS);
      coroutine = own;
    }
    loop.turnGoesTo(own.thread(), this);
    boolean over;
    do {
      over = own.resume() == Coroutine.Pause.ENDED;
    } while (!over && slot == ReadyQueue.NONE); // the task has ended already, and is in no queue
    if (over) {
      coroutine = null;
      wokenWhileBlocked = false;
      if (isDone()) {
        reportDone();
      }
    } else {
      becomeBlocked();
    }
  }

  @Override
  boolean isWatching() {
    return watching;
  }

  /// The code of a turn on a runner.
  @Override
  public void run() {
    loop.enter(this);
    TaskExtras has = extras;
    if (has != null && has.interrupted) {
      has.interrupted = false;
      Thread.currentThread().interrupt();
    }
    takeTurn(loop.tasks);
    if (Thread.interrupted()) {
      loop.keepInterrupt(this);
    }
    loop.endContext(this);
  }

  private void takeTurn(ReadyQueue queue) {
    entered = true;
    TaskWaiter own = waiter;
    if (own != null) {
      delivered = own.end();
    }
    watching = false;
    timed = false;
    StepResult answer;
    try {
      answer = body.step(this);
    } catch (Throwable e) {
      end(endedBy(e));
      return;
    }
    if (handed != NOTHING) {
      dropUnlessAhead();
    }
    if (answer == null) {
      end(
          new Outcome.Failure<>(
              new NullPointerException(
                  "the body of step task '" + name() + "' returned null: return a StepResult")));
      return;
    }
    TaskExtras has = extras;
    CancelRequest pending = has == null ? null : has.pendingCancel;
    if (pending != null && answer != StepResult.DONE) {
      end(endedBy(pending, pending.toCancelled()));
    } else {
      act(answer, queue);
    }
  }

  /// Drops a value that the turn was handed and did not take, so that no later turn finds it.
  private void dropUnlessAhead() {
    if (waiter == null || !waiter.isSettled()) { // else an event came that the task began to await
      dropReceived();
    }
  }

  /// Called when the only turn of this task is over. The turn began before the task was made.
  public void finishBody(@Nullable Throwable failure) {
    if (failure == null) {
      if (handed != NOTHING) {
        dropUnlessAhead();
      }
      end(success());
    } else {
      end(endedBy(failure));
    }
  }

  private void act(StepResult answer, ReadyQueue queue) {
    if (answer == StepResult.AGAIN) {
      goToTheBack(queue);
    } else if (answer == StepResult.DONE) {
      end(success());
    } else if (wokenWhileBlocked) {
      goToTheBack(queue); // the task must not park
    } else if (answer == StepResult.SUSPEND) {
      suspend(queue);
    } else {
      startToIdle();
    }
  }

  private void goToTheBack(ReadyQueue queue) {
    dropWait();
    queue.rotate(this);
  }

  private void suspend(ReadyQueue queue) {
    TaskWaiter own = waiter;
    if (own == null) {
      park(TaskState.SUSPENDED);
    } else if (own.isSettled()) {
      queue.rotate(this); // the event that this turn began to await came before its end
    } else {
      park(own.isArmed() ? TaskState.WAITING : TaskState.SUSPENDED);
    }
  }

  private void startToIdle() {
    dropWait();
    park(TaskState.IDLING);
    if (timed) {
      loop.idleUntil(this, deadlineNanos, watching);
    } else {
      loop.idle(this);
    }
  }

  /// The outcome of a body that returns DONE. The value is null if none was set, which T then
  /// admits.
  @SuppressWarnings("NullAway")
  private Outcome<T> success() {
    return success(result);
  }

  /// Leaves a wait that the body began, but did not return.
  private void dropWait() {
    TaskWaiter own = waiter;
    if (own != null && own.isArmed()) {
      own.disarm();
    }
  }

  private void end(Outcome<T> outcome) {
    dropWait();
    finish(outcome);
    if (coroutine == null) {
      reportDone();
    }
  }

  /// Ends the task at once, because it has no stack to unwind. A task that has the turn, or is
  /// ending, continues to the end of the turn.
  @Override
  public void applyCancel() {
    CancelRequest pending = pendingCancel();
    if (pending == null || isEnding() || hasEnded()) {
      return;
    }
    if (state == BLOCKED) {
      Cancellation.interrupt(this, pending);
    } else if (coroutine == null && !loop.isRunning(this)) {
      endOutsideOfTurn(pending);
    } // else its turn goes on, and ends the task
  }
}
