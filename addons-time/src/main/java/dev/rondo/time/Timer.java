package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.engine.lazy.Inherited;
import dev.rondo.scheduler.engine.lazy.LazyTasks;
import dev.rondo.scheduler.internal.ReportText;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// An action that runs at certain instants: once after a delay, or repeatedly.
///
/// Timers are made by [WaitForTime#delay] and [WaitForTime#periodic]. Each tick runs the action in
/// a task of its own, so the action may suspend. Runs never overlap. Until a tick is due there is
/// no task: an armed timer is one small object. An action that ends without suspending needs no
/// task object either, see `LazyTasks` of the engine. The task of a tick inherits the
/// [dev.rondo.scheduler.TaskLocal]s of the code that started or restarted the timer, and its
/// logging context if that is propagated. A periodic timer keeps its phase: tick n is due at start
/// + delay + n * period, even if an earlier tick was late, unless its [TickPolicy] says otherwise.
///   When the action fails or is cancelled, the timer ends; the failure goes to the failure handler
///   of the scheduler, unless tasks have joined the timer.
///
/// A timer with a tick to come keeps the scheduler running. It can be restarted at any time.
///
/// **The end** of a timer can be awaited, by [#join()] or as a branch of a select. A timer has
/// ended when its action has returned and no tick is to come. A delay ends when its action has run,
/// and a periodic timer when it is cancelled or fails.
///
/// Confined to the scheduler's thread. No method but [#join()] is a suspension point.
public final class Timer extends TimerEntry implements Source<@Nullable Void> {

  /// The states of a timer.
  ///
  /// | from | to | cause |
  /// |---|---|---|
  /// | IDLE | ARMED | restarted |
  /// | IDLE | STARTING | restarted with a delay of zero |
  /// | ARMED | STARTING | due |
  /// | ARMED, STARTING | IDLE | cancelled |
  /// | ARMED, STARTING | ARMED or STARTING | restarted |
  /// | STARTING | ACTING | the task had its first turn |
  /// | ACTING | ARMED or STARTING | the action has ended and a tick is to come |
  /// | ACTING | IDLE | the action has ended and no tick is to come, or it failed |
  private enum State {
    IDLE,
    ARMED,
    STARTING,
    ACTING
  }

  private final WaitForTime time;
  private final TaskAction<?> action;
  private State state = State.IDLE;
  private long delayNanos;

  /// While the action runs: whether another tick is to come.
  private boolean goesOn;

  /// While the action runs: whether a restart has fixed the instant of that tick, which is then the
  /// deadline.
  private boolean restarted;

  /// Without `ticks`: whether the action has begun once.
  private boolean firedOnce;

  /// Without `ticks`: whether the action has returned since the timer was started.
  private boolean returned;

  /// Further state; null for a delay that has not needed it.
  private @Nullable Ticks ticks;

  /// Makes a timer that ticks once.
  Timer(WaitForTime time, long delayNanos, TaskAction<?> action) {
    this.time = time;
    this.delayNanos = delayNanos;
    this.action = requireNonNull(action, "action is null");
  }

  /// Makes a timer that ticks once.
  Timer(WaitForTime time, long delayNanos, TickHandler handler) {
    this.time = time;
    this.delayNanos = delayNanos;
    requireNonNull(handler, "handler is null");
    this.action = () -> handler.handle(this);
  }

  /// Makes it tick repeatedly; called once, before it is started.
  ///
  /// @param periodNanos zero or more
  Timer periodic(TickPolicy policy, long periodNanos) {
    ticks = new PeriodicTicks(policy, periodNanos);
    return this;
  }

  /// Restarts the schedule: the first tick is due after one delay from now, and the former schedule
  /// has no more ticks. The tasks of the ticks inherit from the caller. Also restarts a timer that
  /// was cancelled, has fired, or has failed. A running action continues; the first tick waits for
  /// its end.
  ///
  /// @throws IllegalStateException if the scheduler is closed, or if the delay is zero, the
  ///   scheduler is stopping, and the caller is not one of its tasks; the timer is then not active
  public void restart() {
    scheduler().host().checkThread();
    long next = time.nowNanos() + delayNanos;
    noteOutcome(null);
    inherit();
    switch (state) {
      case IDLE -> {
        time.activeTimers().add();
        begin(next);
      }
      case ARMED -> {
        var _ = time.alarms().disarm(this);
        begin(next);
      }
      case STARTING -> {
        dropTask();
        begin(next);
      }
      case ACTING -> {
        goesOn = true;
        restarted = true;
        deadlineNanos = next;
      }
    }
  }

  /// Changes the delay and restarts; the period stays the same.
  ///
  /// @param delay until the first tick, at least zero; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative; nothing has changed
  /// @throws IllegalStateException if the scheduler is closed
  void reschedule(Duration delay) {
    scheduler().host().checkThread();
    delayNanos = WaitForTime.nanos(delay, "delay");
    restart();
  }

  /// Ends the timer: no further tick runs the action, not even a tick that is already due. A
  /// running action continues to its end.
  ///
  /// @return false if no tick was to come
  public boolean cancel() {
    scheduler().host().checkThread();
    switch (state) {
      case IDLE -> {
        return false;
      }
      case ARMED -> {
        var _ = time.alarms().disarm(this);
        end();
      }
      case STARTING -> {
        dropTask();
        end();
      }
      case ACTING -> {
        boolean wasActive = goesOn;
        goesOn = false;
        return wasActive;
      }
    }
    return true;
  }

  /// {@return whether a tick is to come}
  boolean isActive() {
    scheduler().host().checkThread();
    return hasTickToCome();
  }

  boolean isPeriodic() {
    return ticks instanceof PeriodicTicks;
  }

  private boolean hasTickToCome() {
    return switch (state) {
      case IDLE -> false;
      case ARMED, STARTING -> true;
      case ACTING -> goesOn;
    };
  }

  /// {@return the number of runs of the action that have begun, over all restarts}
  public long fired() {
    scheduler().host().checkThread();
    if (ticks != null) {
      return ticks.fired;
    }
    return firedOnce ? 1 : 0;
  }

  /// {@return the number of ticks that were skipped because their instant had passed before the
  /// action could run, over all restarts; see [TickPolicy]}
  public long missed() {
    scheduler().host().checkThread();
    return ticks instanceof PeriodicTicks own ? own.missed : 0;
  }

  // One tick after the other.

  /// Schedules the next tick for an instant, or starts it at once if the instant has passed.
  private void begin(long deadlineNanos) {
    if (isPeriodic() && scheduler().host().isShuttingDown()) {
      end();
    } else if (time.nowNanos() - deadlineNanos >= 0) {
      startOrEnd(deadlineNanos);
    } else {
      state = State.ARMED;
      time.alarms().arm(this, deadlineNanos);
    }
  }

  @Override
  void fire() {
    start(deadlineNanos);
  }

  private void startOrEnd(long dueNanos) {
    try {
      start(dueNanos);
    } catch (IllegalStateException refused) {
      end();
      throw refused;
    }
  }

  private void start(long dueNanos) {
    Ticks own = ticks;
    Inherited inheritance = own == null ? null : own.inheritance;
    LazyTasks<Timer> ticking = time.ticking();
    keep(inheritance == null ? ticking.schedule(this) : ticking.schedule(this, inheritance));
    if (own != null) {
      own.due(dueNanos);
    }
    state = State.STARTING;
  }

  /// Keeps the bindings and the context of the caller, which the tasks of the ticks inherit.
  private void inherit() {
    Inherited inheritance = time.ticking().inheritance();
    if (inheritance != null) {
      makeTicks().inheritance = inheritance;
    } else if (ticks != null) {
      ticks.inheritance = null;
    }
  }

  /// Runs the action, in a task that is made only if necessary.
  static final class Ticking implements LazyTasks.Body<Timer> {

    @Override
    public String name(Timer timer) {
      return timer.taskName();
    }

    @Override
    public void run(Timer timer) throws Exception {
      timer.act();
    }

    @Override
    public void made(Timer timer, Task<@Nullable Void> task) {
      timer.makeTicks().task = task;
    }

    @Override
    public void ended(
        Timer timer, @Nullable Task<@Nullable Void> task, Outcome<@Nullable Void> outcome) {
      Ticks own = timer.ticks;
      if (task == (own == null ? null : own.task)) { // if not, it was dropped
        timer.acted(task, outcome);
      }
    }
  }

  /// Runs the action.
  private void act() throws Exception {
    state = State.ACTING;
    Ticks own = firedOnce ? makeTicks() : ticks;
    goesOn = own instanceof PeriodicTicks;
    restarted = false;
    if (goesOn && scheduler().host().isShuttingDown()) {
      goesOn = false;
      return;
    }
    if (own == null) {
      firedOnce = true;
    } else {
      own.fired++;
      own.begin(time.nowNanos());
    }
    action.run();
  }

  /// The action has ended.
  private void acted(@Nullable Task<?> task, Outcome<@Nullable Void> outcome) {
    Ticks own = ticks;
    if (own != null) {
      own.task = null;
    }
    noteOutcome(outcome);
    boolean mayGoOn =
        outcome instanceof Outcome.Success<?> || (restarted && action instanceof CallAction);
    if (mayGoOn && goesOn && time.activeTimers().areKept()) {
      if (restarted) {
        noteOutcome(null);
        begin(deadlineNanos);
      } else if (own instanceof PeriodicTicks periodic) {
        begin(periodic.followingNanos(time.nowNanos()));
      }
    } else {
      if (task != null && own != null && own.isJoined()) {
        task.addListener(() -> {}, Runnable::run); // the joiners receive its failure
      }
      end();
    }
  }

  /// Takes back a tick before its action begins.
  private void dropTask() {
    Ticks own = ticks;
    Task<?> task = own == null ? null : own.task;
    if (own != null && task != null) {
      own.task = null;
      task.cancel("its timer was cancelled or restarted before it began");
    } else {
      var _ = time.ticking().unschedule(this, kept());
    }
  }

  /// Keeps the outcome of the last action since the timer was started; null if there is none.
  private void noteOutcome(@Nullable Outcome<@Nullable Void> outcome) {
    if (ticks != null) {
      ticks.last = outcome;
    } else {
      returned = outcome != null; // a failure would have made `ticks`
    }
  }

  private void end() {
    state = State.IDLE;
    time.activeTimers().remove();
    WaitQueue<@Nullable Void> joiners = ticks == null ? null : ticks.joiners;
    if (joiners != null) {
      for (Waiter<? super @Nullable Void> each; (each = joiners.poll()) != null; ) {
        var _ = fireWithOutcome(each);
      }
    }
  }

  /// {@return the further state, which the first call makes}
  private Ticks makeTicks() {
    Ticks own = ticks;
    if (own == null) {
      own = new Ticks();
      own.fired = firedOnce ? 1 : 0;
      own.last = returned ? new Outcome.Success<>(null) : null;
      ticks = own;
    }
    return own;
  }

  /// The name of the tasks that run the action.
  private String taskName() {
    return ticks instanceof PeriodicTicks own ? own.name : time.delayName(delayNanos);
  }

  // Being awaited.

  /// Waits until the timer and its action have ended. If the timer is restarted meanwhile, waits
  /// for the end of the new schedule. *Always* a suspension point.
  ///
  /// @throws TaskFailedException if its action failed; the cause is the failure
  /// @throws CancellationException if its action was cancelled, or if the timer was cancelled
  ///   before its action began
  /// @throws TaskCancelled if the waiting task is cancelled; the timer goes on
  /// @throws IllegalStateException outside a stackful task of this scheduler, or if the action
  ///   itself calls this
  public void join() {
    scheduler().host().awaitEvent(this);
  }

  /// {@return the number of tasks that wait for the end}
  int waiterCount() {
    scheduler().host().checkThread();
    WaitQueue<@Nullable Void> joiners = ticks == null ? null : ticks.joiners;
    return joiners == null ? 0 : joiners.size();
  }

  @Override
  public boolean poll(Waiter<? super @Nullable Void> waiter) {
    return state == State.IDLE && fireWithOutcome(waiter);
  }

  @Override
  public void arm(Waiter<? super @Nullable Void> waiter) {
    Ticks own = makeTicks();
    if (waiter.task() == own.task) {
      throw new IllegalStateException(this + " awaits its own end: its action is the caller");
    }
    own.join(waiter);
  }

  @Override
  public void disarm(Waiter<? super @Nullable Void> waiter) {
    makeTicks().leave(waiter);
  }

  /// Fires a joiner with the outcome of the schedule.
  @SuppressWarnings("NullAway") // null is the only value of type Void
  private boolean fireWithOutcome(Waiter<? super @Nullable Void> waiter) {
    Ticks own = makeTicks();
    return switch (own.last) {
      case null ->
          waiter.fail(
              new CancellationException(
                  "the timer '" + taskName() + "' was cancelled before its action began"));
      case Outcome.Success<Void> _ -> waiter.fire(null);
      case Outcome.Failure<Void>(Throwable cause) ->
          waiter.fail(new TaskFailedException(taskName(), cause));
      case Outcome.Cancelled<Void>(TaskCancelled cause) -> {
        var told = new CancellationException(cause.getMessage());
        told.initCause(cause);
        yield waiter.fail(told);
      }
    };
  }

  /// False: an end is observed, not taken.
  @Override
  public boolean isEager() {
    return false;
  }

  /// The task that runs the action; null between two ticks.
  @Override
  public @Nullable Task<?> holder() {
    return ticks == null ? null : ticks.task;
  }

  @Override
  public Scheduler scheduler() {
    return time.scheduler();
  }

  @Override
  String describe() {
    return toString();
  }

  @Override
  public String toString() {
    String delay = "delay " + ReportText.nanos(delayNanos);
    String period =
        ticks instanceof PeriodicTicks own ? ", period " + ReportText.nanos(own.periodNanos) : "";
    return "timer (" + delay + period + (hasTickToCome() ? ")" : ", not active)");
  }
}
