package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.internal.ReportText;
import org.jspecify.annotations.Nullable;

/// A task's own waiter, used again for each of its waits: a wait on a single source allocates
/// nothing here.
public final class TaskWaiter extends WaiterCore<Object> {

  // The phases of a wait. The phases are integers, because writing a reference to an enum constant
  // costs a barrier, and each wait would write five references.
  //
  // | from    | to      | cause                                                        |
  // |---------|---------|--------------------------------------------------------------|
  // | IDLE    | POLLING | a wait begins                                                |
  // | POLLING | SETTLED | the event was there                                          |
  // | POLLING | ARMING  | it was not                                                   |
  // | POLLING | IDLE    | the source threw                                             |
  // | ARMING  | SETTLED | the source fired while being armed                           |
  // | ARMING  | ARMED   | it did not                                                   |
  // | ARMING  | IDLE    | it threw                                                     |
  // | ARMED   | SETTLED | the source fired                                             |
  // | ARMED   | IDLE    | disarmed: cancelled, timed out, scheduled or unscheduled     |
  // | SETTLED | IDLE    | the task took the result, or the result was dropped          |
  private static final byte IDLE = 0;
  private static final byte POLLING = 1;
  private static final byte ARMING = 2;
  private static final byte ARMED = 3;
  private static final byte SETTLED = 4;

  private final TaskCore<?> task;
  private byte phase = IDLE;

  /// Whether a call that schedules the task has ended its last wait, or has replaced the event that
  /// had ended that wait. Valid until the next wait begins.
  boolean leftDirectly;

  /// The source of the wait; null if there is no wait. If scheduling the task has ended the wait,
  /// the source stays here until the task has its turn.
  private @Nullable Waitable<Object> source;

  TaskWaiter(TaskCore<?> task) {
    super(false);
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
    return phase == ARMED;
  }

  @Override
  public boolean isSettled() {
    return phase == SETTLED;
  }

  /// Whether the wait was settled by an event that would be lost if the task did not take it.
  boolean hasTaken() {
    Waitable<?> from = phase == SETTLED ? source : null;
    return from != null && (WaitStep.isEager(from) || from instanceof WaitStep);
  }

  @Override
  public Rooms.Claim claim() {
    checkCaller();
    if (phase == IDLE || phase == SETTLED) {
      throw new IllegalStateException(
          "claim() of a wait of task '" + task.name() + "' that is over: forget it in disarm(..)");
    }
    TaskExtras has = task.extras();
    Rooms.Claim own = has.claim;
    if (own == null) {
      own = Rooms.all().claim();
      has.claim = own;
    }
    return own;
  }

  /// Takes the right to end the wait, once. If another thread has taken the right, the wait is
  /// promised, and goes on until that thread has settled it.
  ///
  /// @return whether the caller has the right now
  boolean tryEnd() {
    TaskExtras has = task.extras;
    Rooms.Claim own = has == null ? null : has.claim;
    return own == null || own.tryTake();
  }

  /// Delivers the event that another thread has promised, and nothing else.
  void deliverPromised() {
    TaskExtras has = task.extras;
    Rooms.Claim own = has == null ? null : has.claim;
    if (own != null) {
      Loop loop = task.loop;
      Inbox inbox = loop.inbox;
      inbox.deliverPromised(own::deliver);
    }
  }

  private void dropClaim() {
    TaskExtras has = task.extras;
    if (has != null) {
      has.claim = null;
    }
  }

  @Override
  public void checkCaller() {
    Loop loop = task.loop;
    loop.checkCaller();
  }

  /// Asks the source whether the event has come.
  ///
  /// @return whether the wait is settled now
  boolean poll(Waitable<Object> asked) {
    source = asked;
    phase = POLLING;
    try {
      asked.poll(this);
    } catch (Throwable e) {
      end();
      throw e;
    }
    return phase == SETTLED;
  }

  /// Arms the source that was just polled.
  ///
  /// @return whether it fired at once, so that the wait is settled already
  boolean arm(Waitable<Object> asked) {
    assert source == asked && phase == POLLING : phase;
    phase = ARMING;
    try {
      asked.arm(this);
    } catch (Throwable e) {
      end();
      throw e;
    }
    if (phase == SETTLED) {
      return true;
    }
    phase = ARMED;
    return false;
  }

  /// Watches the wait, which is armed and may close a cycle.
  void watch(Waitable<Object> armed) {
    try {
      Loop loop = task.loop;
      Rooms.Watch watch = loop.cycles();
      watch.waitBegins(task, armed);
    } catch (Throwable e) { // no room in the heap
      if (tryEnd()) {
        disarm();
      }
      throw e;
    }
  }

  /// Leaves an armed source. Nothing stays registered there.
  void disarm() {
    assert phase == ARMED : phase;
    Waitable<Object> left = source;
    phase = IDLE;
    source = null;
    dropClaim();
    if (left != null) {
      leave(left);
    }
  }

  /// Leaves an armed source because its task is scheduled, and remembers the source until [#end()].
  void leaveDirectly() {
    Waitable<Object> left = source;
    disarm();
    source = left;
    leftDirectly = true;
  }

  /// Describes a wait that was ended by scheduling its task. For a guard, describes the event that
  /// the guard made.
  String describeLeft(Waitable<?> asked) {
    Waitable<?> left = isSettled() ? null : source;
    return ReportText.describe(left == null ? asked : left);
  }

  @Override
  public boolean settle(@Nullable Object raw, @Nullable Throwable failure, Place place) {
    if (phase == IDLE || phase == SETTLED || (task.extras != null && !tryEnd())) {
      return false;
    }
    byte before = phase;
    Loop loop = task.loop;
    try {
      phase = SETTLED;
      task.hand(raw, failure);
      if (before == ARMED && !loop.isRunning(task)) {
        task.becomeReady(place);
      }
    } catch (StackOverflowError e) {
      phase = before; // a cancellation can still end the wait
      throw loop.cutShort("it woke a task", e);
    }
    return true;
  }

  /// Ends the wait. Returns the source if its event has settled the wait, and null otherwise.
  @Nullable Waitable<?> end() {
    Waitable<?> settled = phase == SETTLED ? source : null;
    phase = IDLE;
    source = null;
    if (task.extras != null) {
      dropClaim();
    }
    attachment = null;
    return settled;
  }
}
