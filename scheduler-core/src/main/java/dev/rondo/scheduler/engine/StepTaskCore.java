package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import org.jspecify.annotations.Nullable;

/// What a [StepTask] is made of.
///
/// @param <T> what the task results in
public final class StepTaskCore<T extends @Nullable Object> extends TaskCore<T>
    implements StepTask<T> {

  private final StepBody<T> body;

  /// What [#done(Object)] was given.
  private @Nullable T result;

  /// What the body asked for besides its answer.
  private boolean timed;

  private long deadlineNanos;

  /// What delivered the value that this turn received, if an event did.
  private @Nullable Waitable<?> delivered;

  /// @param name a string, or what is asked for one when it is shown
  StepTaskCore(Loop loop, Object name, StepBody<T> body) {
    super(loop, name);
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
  public StepResult idleUntil(long deadline) {
    timed = true;
    deadlineNanos = deadline;
    return StepResult.IDLE;
  }

  @Override
  public StepResult watchUntil(long deadline) {
    watching = true;
    return idleUntil(deadline);
  }

  @Override
  public StepResult await(Waitable<?> asked) {
    requireOwnTurn("await");
    return begin(asked);
  }

  private <V extends @Nullable Object> StepResult begin(Waitable<V> asked) {
    Waitable<V> source = Composite.prepared(asked, this);
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
    Waitable<?> source = delivered;
    delivered = null;
    Object raw = takeReceivedOrThrow();
    return source == null ? raw : Composite.finish(source, raw);
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
    return schedule(false);
  }

  @Override
  public boolean moveDeadline(long deadline) {
    loop.checkCaller();
    return idleFromOutside(deadline);
  }

  @Override
  public boolean dropDeadline() {
    loop.checkCaller();
    return stopIdling();
  }

  // For the loop.

  @Override
  void turn() {
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
      end(new Outcome.Failure<>(e));
      return;
    }
    if (handed && !isSettledAhead()) {
      dropReceived(); // what this turn did not take must not turn up in a later one
    }
    if (answer == null) {
      end(
          new Outcome.Failure<>(
              new NullPointerException("the body of step task '" + name() + "' answered null")));
    } else if (pendingCancel != null && answer != StepResult.DONE) {
      end(endedBy(pendingCancel, pendingCancel.toCancelled()));
    } else if (answer == StepResult.AGAIN) {
      dropWait();
      loop.rotate(this);
    } else {
      act(answer);
    }
  }

  private void act(StepResult answer) {
    switch (answer) {
      case AGAIN -> throw new AssertionError("handled by the caller");
      case SUSPEND -> {
        TaskWaiter own = waiter;
        if (isSettledAhead()) {
          loop.rotate(this);
        } else {
          park(own != null && own.isArmed() ? TaskState.WAITING : TaskState.SUSPENDED);
        }
      }
      case IDLE -> {
        dropWait();
        park(TaskState.IDLING);
        if (watching) {
          loop.watchUntil(this, deadlineNanos);
        } else if (timed) {
          loop.idleUntil(this, deadlineNanos);
        } else {
          loop.idle(this);
        }
      }
      case DONE -> {
        loop.produce(result);
        end(success());
      }
    }
  }

  /// A body that answers DONE without a value has none to give: its T admits null.
  @SuppressWarnings("NullAway")
  private Outcome<T> success() {
    return new Outcome.Success<>(result);
  }

  /// Whether the event that this turn began to await came before the turn was over.
  private boolean isSettledAhead() {
    TaskWaiter own = waiter;
    return own != null && own.isSettled();
  }

  /// Leaves a wait that the body began and then did not answer with.
  private void dropWait() {
    TaskWaiter own = waiter;
    if (own != null && own.isArmed()) {
      own.disarm();
    }
  }

  private void end(Outcome<T> outcome) {
    dropWait();
    finish(outcome);
    tellDone();
  }

  /// A step task has no stack to unwind: unless it is in its turn, or ending, it ends at once.
  @Override
  void applyCancel() {
    CancelRequest pending = pendingCancel;
    boolean ending = isEnding() || resolvedState().isDone();
    if (pending != null && !ending && !loop.isRunning(this)) {
      endOutsideOfTurn(pending);
    }
  }

  @Override
  @Nullable Thread thread() {
    return null;
  }

  @Override
  StackTraceElement[] stackTrace() {
    return new StackTraceElement[0];
  }
}
