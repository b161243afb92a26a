package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// A task without a stack: a [StepBody] called once per turn, at the cost of a virtual call.
///
/// The body gets this handle, for what the task received and for its answer.
///
/// @param <T> what the task results in
public final class StepTask<T extends @Nullable Object> extends Task<T> {

  private final StepBody<T> body;

  /// What [#done(Object)] was given.
  private @Nullable T result;

  /// What the body asked for besides its answer.
  private boolean timed;

  private long deadlineNanos;

  /// What delivered the value that this turn received, if an event did.
  private @Nullable Waitable<?> delivered;

  /// @param name a string, or what is asked for one when it is shown
  StepTask(Loop loop, Object name, StepBody<T> body) {
    super(loop, name);
    this.body = body;
  }

  // For the body.

  /// {@return the answer that ends the task with a value}
  ///
  /// @param value the task's result
  public StepResult done(T value) {
    result = value;
    return StepResult.DONE;
  }

  /// {@return the answer of a task that has nothing to do until it is woken, and that something
  /// outside of the scheduler can wake: while a task idles the scheduler is not deadlocked}
  public StepResult idle() {
    timed = false;
    watching = false;
    return StepResult.IDLE;
  }

  /// {@return the answer of a task that has nothing to do before an instant, unless woken} While
  /// others keep the loop busy it gets a turn now and then all the same.
  ///
  /// @param deadline an instant of the scheduler's ticker, in nanoseconds
  public StepResult idleUntil(long deadline) {
    timed = true;
    deadlineNanos = deadline;
    return StepResult.IDLE;
  }

  /// {@return the answer of a task that looks at what others do, and has nothing else to do before
  /// an instant: like [#idleUntil(long)], and besides it gets a turn behind each task that becomes
  /// ready meanwhile} Watchers do not wake each other.
  ///
  /// @param deadline an instant of the scheduler's ticker, in nanoseconds
  public StepResult watchUntil(long deadline) {
    watching = true;
    return idleUntil(deadline);
  }

  /// {@return the answer of a task that awaits something: its next turn comes when that is there,
  /// and [#received()] tells it}
  ///
  /// @param asked what to await; a `map` on it runs in [#received()]
  /// @throws IllegalStateException outside the body's turn, or if it awaits something in this turn
  ///   already
  public StepResult await(Waitable<?> asked) {
    requireOwnTurn("await");
    return begin(asked);
  }

  private <V extends @Nullable Object> StepResult begin(Waitable<V> asked) {
    Waitable<V> source = Composite.prepared(asked);
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

  /// Takes what this turn was woken with: the result of a wait, or what `scheduleTask(task, value)`
  /// or `step(value)` gave. Never a suspension point.
  ///
  /// @return what it was; null if there was nothing, and on a second call
  /// @throws IllegalStateException outside the body's turn
  /// @throws RuntimeException whatever the wait failed with, as it is
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

  // For whoever holds the handle.

  /// Schedules the task if it is parked: how an add-on's first waiter wakes it.
  ///
  /// @return false if it is ready or running already, or has ended
  public boolean wake() {
    return schedule(false);
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
      end(endedBy(pendingCancel, new TaskCancelled(pendingCancel)));
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
