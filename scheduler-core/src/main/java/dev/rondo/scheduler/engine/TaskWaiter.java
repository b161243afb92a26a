package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.WaitClaim;
import org.jspecify.annotations.Nullable;

/// A task's own waiter, used again for each of its waits: a wait on a single source allocates
/// nothing here.
final class TaskWaiter extends WaiterCore<Object> {

  /// How far a wait has come.
  ///
  /// | from | to | cause |
  /// |---|---|---|
  /// | IDLE | POLLING | a wait begins |
  /// | POLLING | SETTLED | the event was there |
  /// | POLLING | ARMING | it was not |
  /// | IDLE | ARMING | a wait begins on a task's behalf (`scheduleOn`) |
  /// | ARMING | SETTLED | the source fired while being armed |
  /// | ARMING | ARMED | it did not |
  /// | ARMED | SETTLED | the source fired |
  /// | ARMED | IDLE | disarmed: cancelled, timed out, scheduled directly, unscheduled |
  /// | SETTLED | IDLE | the task took the result |
  enum Phase {
    IDLE,
    POLLING,
    ARMING,
    ARMED,
    SETTLED
  }

  private final TaskCore<?> task;
  private Phase phase = Phase.IDLE;

  /// What the wait is on, as long as there is one.
  private @Nullable Waitable<Object> source;

  /// What other threads need to settle the wait; null if none does, which is usual.
  @Nullable WaitClaim claim;

  TaskWaiter(TaskCore<?> task) {
    this.task = task;
  }

  @Override
  public TaskCore<?> task() {
    return task;
  }

  @Nullable Waitable<?> source() {
    return source;
  }

  boolean isArmed() {
    resolve();
    return phase == Phase.ARMED;
  }

  @Override
  boolean isSettled() {
    resolve();
    return phase == Phase.SETTLED;
  }

  /// Whether this was woken together with others, and does not say so yet: see [WaitChain].
  boolean isWoken() {
    WaitChain home = chain;
    return home != null && home.isWoken();
  }

  /// Has this say so.
  void resolve() {
    WaitChain home = chain;
    if (home != null && home.isWoken()) {
      home.resolve();
    }
  }

  /// The chain this was in was woken: the wait is settled. The caller puts the task into the ready
  /// queue, if its state says so.
  void woken(@Nullable Object raw, @Nullable Throwable failure) {
    Loop loop = task.loop;
    boolean armed = phase == Phase.ARMED;
    phase = Phase.SETTLED;
    task.hand(raw, failure);
    if (armed && !loop.isRunning(task)) { // if not, a step task that has not ended its turn
      task.becomeReadyInPlace();
    }
  }

  @Override
  public WaitClaim claim() {
    checkCaller();
    if (phase == Phase.IDLE || phase == Phase.SETTLED) {
      throw new IllegalStateException(
          "claim() of a wait of task '" + task.name() + "' that is over: forget it in disarm(..)");
    }
    WaitClaim own = claim;
    if (own == null) {
      own = new WaitClaim();
      claim = own;
    }
    return own;
  }

  /// Takes the right to end the wait, once. If another thread has it, the wait is promised, and
  /// goes on until that has settled it.
  boolean mayEnd() {
    WaitClaim own = claim;
    return own == null || own.tryTake();
  }

  @Override
  boolean keepPromise(WaitClaim taken) {
    if (claim != taken) {
      return false;
    }
    claim = null;
    return true;
  }

  @Override
  void checkCaller() {
    Loop loop = task.loop;
    loop.checkCaller();
  }

  /// Asks the source whether the event is there.
  ///
  /// @return whether the wait is settled now
  boolean poll(Waitable<Object> asked) {
    source = asked;
    phase = Phase.POLLING;
    try {
      asked.poll(this);
    } catch (Throwable e) {
      end();
      throw e;
    }
    return phase == Phase.SETTLED;
  }

  /// Arms the source.
  ///
  /// @return whether it fired at once, so that the wait is settled already
  boolean arm(Waitable<Object> asked) {
    source = asked;
    phase = Phase.ARMING;
    try {
      asked.arm(this);
    } catch (Throwable e) {
      end();
      throw e;
    }
    if (chain != null) {
      resolve();
    }
    if (phase == Phase.SETTLED) {
      return true;
    }
    phase = Phase.ARMED;
    return false;
  }

  /// Leaves an armed source: nothing stays registered.
  void disarm() {
    assert phase == Phase.ARMED && !isWoken() : phase;
    Waitable<Object> left = source;
    phase = Phase.IDLE;
    source = null;
    claim = null;
    if (left != null) {
      leave(left);
    }
  }

  @Override
  boolean settle(@Nullable Object raw, @Nullable Throwable failure, boolean front) {
    if (chain != null) {
      resolve();
    }
    if (phase == Phase.IDLE || phase == Phase.SETTLED || (claim != null && !mayEnd())) {
      return false;
    }
    boolean armed = phase == Phase.ARMED;
    phase = Phase.SETTLED;
    task.hand(raw, failure);
    Loop loop = task.loop;
    if (armed && !loop.isRunning(task)) {
      task.becomeReady(front);
    }
    return true;
  }

  /// Ends the wait and answers what was awaited; null if it did not end by an event of it.
  @Nullable Waitable<?> end() {
    Waitable<?> settled = phase == Phase.SETTLED ? source : null;
    phase = Phase.IDLE;
    source = null;
    claim = null;
    attachment = null;
    return settled;
  }
}
