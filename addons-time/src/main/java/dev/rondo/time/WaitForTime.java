package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.engine.lazy.LazyTasks;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.time.internal.ArmedTimers;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// The add-on for time, after William Adams' `WaitForTime`: sleeps, timers, and the deadlines
/// behind `await(.., timeout)` and `within(..)`.
///
/// The add-on runs as an ordinary task. Each turn is one [#step()]; then the task idles until the
/// next deadline. While no timer is armed, the task is suspended and costs nothing. Nothing wakes
/// up between deadlines.
///
/// **Order.** A timer fires when `now - deadline >= 0`, never earlier. Equal deadlines fire in the
/// order they were armed. How late a timer fires depends on the longest turn of the other tasks.
///
/// **Time** is the reading of the scheduler's ticker; tests use a [VirtualClock]. An instant is a
/// [Deadline]. Durations are at least zero. Zero is a plain yield, and more than 146 years means
/// for ever.
///
/// Confined to the scheduler's thread.
public final class WaitForTime implements AddOn, TimerService {

  static {
    ArmedTimers.Access.is(service -> service instanceof WaitForTime time ? time.alarms : null);
  }

  /// The most by which the system may delay the wakeup of the scheduler's thread.
  private static final long LONGEST_SLACK_NANOS = 1_000_000_000;

  private final Scheduler scheduler;
  private final AddOnHost host;
  private final Alarms alarms;
  private final ActiveTimers activeTimers;
  private final LazyTasks<Timer> ticking;
  private final TaskTimeouts timeouts;
  private final long installedNanos;
  private final TimerSlack slack = new TimerSlack();

  /// Whether a shutdown has begun, so that no timer begins another run.
  private boolean repeatedEnded;

  /// The name of the last delay that was due.
  private @Nullable String lastDelayName;

  private long lastDelayNanos;

  private WaitForTime(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.host = scheduler.host();
    this.installedNanos = host.nowNanos();
    this.activeTimers = new ActiveTimers(scheduler, this::cancelTimers);
    this.ticking = LazyTasks.on(scheduler, new Timer.Ticking());
    this.alarms = new Alarms(scheduler, this);
    this.timeouts = new TaskTimeouts(alarms);
  }

  /// {@return the time add-on of a scheduler} The first call installs it and makes it the
  /// scheduler's [TimerService]. Never a suspension point.
  ///
  /// @param scheduler whose tasks wait
  /// @throws IllegalStateException if the scheduler is closed and has no such add-on
  public static WaitForTime on(Scheduler scheduler) {
    requireNonNull(scheduler, "scheduler is null");
    WaitForTime present = scheduler.host().addOn(WaitForTime.class);
    if (present != null) {
      return present;
    }
    var time = new WaitForTime(scheduler);
    LoopControl.of(scheduler.host()).timerService(time);
    return time;
  }

  // As a task.

  /// Fires the timers that are due now, in one pass. The add-on's task does this by itself; the
  /// method is for programs that drive a scheduler by hand. Never a suspension point.
  ///
  /// @return the number of timers that fired
  public int step() {
    host.checkThread();
    return alarms.pass();
  }

  /// One turn: [#step()], then idle until the next deadline.
  @Override
  public StepResult turn(StepTask<Void> task) {
    if (activeTimers.areKept() && !repeatedEnded && host.isShuttingDown()) {
      repeatedEnded = true;
      endRepeated();
    }
    return alarms.turn();
  }

  /// Undoes [#timerSlack(Duration)].
  @Override
  public void close() throws IOException {
    slack.reset();
  }

  /// {@return the number of armed timers: sleeping tasks, timeouts, deadlines, delays and
  /// periodics}
  public int waiterCount() {
    host.checkThread();
    return alarms.size();
  }

  /// Asks the operating system to wake the scheduler's thread no later than this after a deadline.
  /// Linux takes 50 us by default, to save power by waking several threads at once. On an otherwise
  /// idle machine, this delay is most of a timer's lateness. The setting takes effect before the
  /// loop's next turn. Never a suspension point.
  ///
  /// The setting belongs to the thread and to the threads that it starts from then on; closing the
  /// scheduler restores the former one. Nothing changes, and a line is logged at INFO, if the
  /// system has no such setting or forbids it, or if the loop runs on a virtual thread, which
  /// shares its carrier. In an application inside a UI's event loop another thread does the
  /// waiting, so the setting has no effect.
  ///
  /// Source: timer slack, `PR_SET_TIMERSLACK` of prctl(2).
  ///
  /// @param slack at least zero, which asks for the best that the system can do; at most 1 s
  /// @throws IllegalArgumentException if it is negative or longer than 1 s; nothing has changed
  /// @throws IllegalStateException if the scheduler is closed
  public void timerSlack(Duration slack) {
    host.checkThread();
    long nanos = nanos(slack, "slack");
    if (nanos > LONGEST_SLACK_NANOS) {
      throw new IllegalArgumentException(
          "slack must be at most %s, because every timer may be late by it, but is %s"
              .formatted(
                  ReportText.duration(Duration.ofNanos(LONGEST_SLACK_NANOS)),
                  ReportText.duration(slack)));
    }
    if (!LoopControl.of(host).configureThread(() -> this.slack.set(nanos))) {
      throw new IllegalStateException("timerSlack(..) of a closed scheduler");
    }
  }

  // Sleeping.

  /// Waits this long. *Always* a suspension point.
  ///
  /// @param duration at least zero, which is a plain yield; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile
  /// @throws TaskCancelled if the task is cancelled; nothing stays armed
  public void sleep(Duration duration) {
    requireNonNull(duration, "duration is null");
    sleepUntil(host.nowNanos() + nanos(duration, "duration"));
  }

  /// Waits as [#sleep(Duration)] does; this is its name in TINN. *Always* a suspension point.
  ///
  /// @param duration at least zero, which is a plain yield; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws TaskCancelled if the task is cancelled; nothing stays armed
  public void yield(Duration duration) {
    sleep(duration);
  }

  /// Waits until an instant. *Always* a suspension point: a plain yield if the instant has passed.
  ///
  /// @param deadline of this scheduler
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws TaskCancelled if the task is cancelled; nothing stays armed
  public void yieldUntilTime(Deadline deadline) {
    sleepUntil(requireNonNull(deadline, "deadline is null").nanos());
  }

  private void sleepUntil(long deadlineNanos) {
    try {
      host.awaitEvent(new Sleep(alarms, deadlineNanos));
    } catch (ScheduledDirectlyException e) {
      if (!(e.event() instanceof TimeEvent)) { // else the sleep was postponed
        throw e;
      }
    }
  }

  // Things to await and select.

  /// {@return the end of a time span that starts with each wait: the timeout branch of a select}
  ///
  /// @param delay at least zero; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative
  public Waitable<Void> after(Duration delay) {
    return new TimeEvent.After(alarms, delay);
  }

  /// {@return an instant as something to await} A wait for an instant that has passed ends at once,
  /// after a plain yield.
  ///
  /// @param deadline of this scheduler
  public Waitable<Void> at(Deadline deadline) {
    return new TimeEvent.At(alarms, requireNonNull(deadline, "deadline is null").nanos());
  }

  // Timers.

  /// Runs an action once, after a delay, in a task of its own. The timer keeps the scheduler
  /// running until the action has run or the timer is cancelled. Never a suspension point.
  ///
  /// @param delay at least zero, which means now, behind the tasks that are ready; centuries mean
  ///   for ever
  /// @param action may suspend; its failure goes to the failure handler
  /// @return the timer, to cancel, restart or join it
  /// @throws IllegalArgumentException if the delay is negative
  /// @throws IllegalStateException if the scheduler is closed
  public Timer delay(Duration delay, TaskAction<?> action) {
    return started(new Timer(this, nanos(delay, "delay"), action));
  }

  /// Runs an action repeatedly, at start + n * period, n = 1, 2, .., each time in a task of its
  /// own. The timer keeps the scheduler running until it is cancelled. Never a suspension point.
  ///
  /// @param period at least zero, which means once per round; centuries mean never
  /// @param action may suspend; runs never overlap, and ticks that are due during a run are skipped
  ///   and counted; its failure ends the timer and goes to the failure handler
  /// @return the timer, to cancel, restart or join it
  /// @throws IllegalArgumentException if the period is negative
  /// @throws IllegalStateException if the scheduler is closed
  public Timer periodic(Duration period, TaskAction<?> action) {
    return periodic(period, period, TickPolicy.SKIP, action);
  }

  /// Like [#periodic(Duration, TaskAction)], for an action that receives the timer, for instance to
  /// cancel it. Never a suspension point.
  ///
  /// @param period at least zero, which means once per round; centuries mean never
  /// @param handler may suspend; its failure ends the timer and goes to the failure handler
  /// @return the timer, to cancel, restart or join it
  /// @throws IllegalArgumentException if the period is negative
  /// @throws IllegalStateException if the scheduler is closed
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public Timer periodic(Duration period, TickHandler handler) {
    long nanos = nanos(period, "period");
    return started(new Timer(this, nanos, handler).periodic(TickPolicy.SKIP, nanos));
  }

  /// Like [#periodic(Duration, TaskAction)], with a first delay and a policy for missed ticks.
  /// Never a suspension point.
  ///
  /// @param delay until the first tick, at least zero
  /// @param period at least zero
  /// @param policy when the next tick is due, also after a late one
  /// @param action may suspend
  /// @return the timer, to cancel, restart or join it
  /// @throws IllegalArgumentException if the delay or the period is negative
  /// @throws IllegalStateException if the scheduler is closed
  public Timer periodic(Duration delay, Duration period, TickPolicy policy, TaskAction<?> action) {
    requireNonNull(policy, "policy is null");
    long periodNanos = nanos(period, "period");
    var timer = new Timer(this, nanos(delay, "delay"), action);
    return started(timer.periodic(policy, periodNanos));
  }

  private static Timer started(Timer timer) {
    timer.restart();
    return timer;
  }

  /// Limits all waits of the current task from now on, taken together. When the time is up, the
  /// present wait of the task fails with a [dev.rondo.scheduler.TimedOutException], once. If the
  /// task waits at the end of a task group, the tasks of the group are cancelled first. If the task
  /// is ready at that moment, or cannot give up its wait (for a file operation that has begun, for
  /// instance), its next wait fails. Another call replaces the limit. A limit of zero removes it,
  /// and so does the end of the task. Never a suspension point.
  ///
  /// ```java
  /// time.timeout(Duration.ofSeconds(1));
  /// var greeting = socket.read(buffer); // both reads together
  /// var answer = socket.read(buffer);   // take at most one second
  /// time.timeout(Duration.ZERO);
  /// ```
  ///
  /// For a block of code `within(..)` is safer: its limit ends with the block, and it nests.
  ///
  /// @param limit at least zero, which removes the limit; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative; the former limit stays
  /// @throws IllegalStateException outside a task of this scheduler
  public void timeout(Duration limit) {
    requireNonNull(limit, "limit is null");
    host.checkThread();
    long nanos = nanos(limit, "limit");
    Task<?> task = scheduler.currentTask();
    if (task == null) {
      throw new IllegalStateException(
          "timeout(..) outside a task: it limits the waits of the task that calls it");
    }
    if (nanos == 0 || nanos == Alarms.FOREVER_NANOS) {
      timeouts.disarm(task);
    } else {
      timeouts.arm(task, limit, nanos);
    }
  }

  /// {@return the deadline of a task's [#timeout], if one is in force} A deadline that has passed
  /// is in force until it has made a wait fail. The time left is `deadline.minus(time.now())`. The
  /// limit of a `within(..)` belongs to a part of the task's code and does not count, see
  /// [#currentDeadline()]. Never a suspension point.
  ///
  /// @param task of this scheduler
  Optional<Deadline> timeoutOf(Task<?> task) {
    host.checkThread();
    return timeouts.of(requireNonNull(task, "task is null"));
  }

  /// {@return the deadline of the calling code, if it has one: the earliest among the enclosing
  /// `within(..)` blocks and the current task's [#timeout]} A shield hides the blocks around it.
  /// The result is empty outside tasks. Never a suspension point. After Trio's
  /// `current_effective_deadline`.
  public Optional<Deadline> currentDeadline() {
    host.checkThread();
    OptionalLong limit = TaskControl.of(host).limitNanos();
    Task<?> task = scheduler.currentTask();
    Optional<Deadline> timeout = task == null ? Optional.empty() : timeouts.of(task);
    if (limit.isEmpty()) {
      return timeout;
    }
    var block = new Deadline(limit.getAsLong());
    return timeout.filter(own -> own.minus(block).isNegative()).or(() -> Optional.of(block));
  }

  // Postponing.

  /// Postpones a task until an instant. The task leaves the ready queue or ends its wait, and
  /// becomes ready at the instant, or at once if that has passed. Another call replaces the
  /// instant. A sleep ends at the new instant; any other wait fails at that instant with a
  /// [ScheduledDirectlyException]. Scheduling the task ends the postponement. Never a suspension
  /// point.
  ///
  /// @param task of this scheduler
  /// @param deadline of this scheduler
  /// @return false, with no effect, if the task has received something that it has not taken, is
  ///   running, is blocked in the JDK, or has ended
  public boolean postpone(Task<?> task, Deadline deadline) {
    return scheduler.queue().scheduleOn(requireNonNull(task, "task is null"), at(deadline));
  }

  // The clock.

  /// {@return the present instant, to count from} Never a suspension point.
  public Deadline now() {
    return new Deadline(nowNanos());
  }

  long nowNanos() {
    return host.nowNanos();
  }

  /// {@return the time since this add-on was installed} Never a suspension point.
  public Duration runningTime() {
    return Duration.ofNanos(nowNanos() - installedNanos);
  }

  // As a TimerService, for add-ons.

  /// Arms a timer for an add-on; programs use [#delay]. Never a suspension point.
  ///
  /// @param deadlineNanos a reading of the scheduler's ticker
  /// @param action runs once, not before that instant, in the add-on's turn; must not suspend; its
  ///   failure goes to the failure handler
  /// @return the timer, to cancel it
  @Override
  public TimerHandle at(long deadlineNanos, Runnable action) {
    host.checkThread();
    return alarms.at(deadlineNanos, action);
  }

  // Internals.

  /// Nanoseconds; centuries mean for ever.
  static long nanos(Duration duration, String what) {
    requireNonNull(duration, () -> what + " is null");
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          what + " must not be negative, but is " + ReportText.duration(duration));
    }
    return Math.min(Alarms.FOREVER_NANOS, TimeUnit.NANOSECONDS.convert(duration));
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Alarms alarms() {
    return alarms;
  }

  /// The task name of a delay. The last name is kept, because most delays of a program are equal,
  /// and a name takes more memory than the rest of the timer.
  String delayName(long delayNanos) {
    String name = lastDelayName;
    if (name == null || delayNanos != lastDelayNanos) {
      name = "delay " + ReportText.nanos(delayNanos);
      lastDelayName = name;
      lastDelayNanos = delayNanos;
    }
    return name;
  }

  /// The tasks that run actions.
  LazyTasks<Timer> ticking() {
    return ticking;
  }

  ActiveTimers activeTimers() {
    return activeTimers;
  }

  /// Ends the timers that would begin another run: a shutdown does not wait for them.
  private void endRepeated() {
    for (TimerEntry each : alarms.list()) {
      if (each instanceof Timer timer && timer.isPeriodic()) {
        timer.cancel();
      }
    }
  }

  private void cancelTimers() {
    for (TimerEntry each : alarms.list()) {
      if (each instanceof Timer timer) {
        timer.cancel();
      }
    }
  }
}
