package dev.rondo.time;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Stopwatch;
import com.google.common.base.Ticker;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TimerHandle;
import dev.rondo.scheduler.addon.TimerService;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The add-on that tasks wait for time with, after William Adams' `WaitForTime`: sleeps, timers,
/// and the deadlines behind `await(.., timeout)` and `within(..)`.
///
/// It is an ordinary task. Its turn is one [#step()], then it idles until the next deadline; with
/// no timer armed it is suspended and costs nothing. Between deadlines nothing wakes up.
///
/// **Order.** A timer fires when `now - deadline >= 0`, never before; equal deadlines fire in the
/// order they were armed. How late depends on the longest turn of the other tasks.
///
/// **Time** is the scheduler's ticker: see [VirtualClock] for tests. Instants are `long`
/// nanoseconds of it, to be compared by subtraction; make them with
/// [dev.rondo.scheduler.addon.AddOnHost#deadlineAfter]. Durations are at least zero; zero is a
/// plain yield; more than 146 years means for ever.
///
/// Confined to the scheduler's thread.
public final class WaitForTime implements AddOn, TimerService {

  private final Scheduler scheduler;
  private final Alarms alarms;
  private final ActiveTimers activeTimers;
  private final TaskTimeouts timeouts;
  private final long installedNanos;
  private final TimerSlack slack = new TimerSlack();

  private WaitForTime(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.installedNanos = scheduler.host().nowNanos();
    this.activeTimers = new ActiveTimers(scheduler, this::cancelTimers);
    this.alarms = new Alarms(scheduler, this);
    this.timeouts = new TaskTimeouts(alarms);
  }

  /// {@return the time add-on of a scheduler} The first call installs it and makes it the
  /// scheduler's [TimerService]. Never a suspension point.
  ///
  /// @param scheduler the one to wait in
  /// @throws IllegalStateException if it has none and is closed
  public static WaitForTime on(Scheduler scheduler) {
    requireNonNull(scheduler, "scheduler is null");
    WaitForTime present = scheduler.addOn(WaitForTime.class);
    if (present != null) {
      return present;
    }
    var time = new WaitForTime(scheduler);
    scheduler.host().timerService(time);
    return time;
  }

  // As a task.

  /// Fires what is due now: one pass. The add-on's task does this by itself; it is for who drives a
  /// scheduler by hand. Never a suspension point.
  ///
  /// @return how many timers fired
  public int step() {
    scheduler.host().checkThread();
    return alarms.pass();
  }

  /// One turn: [#step()], then idle until the next deadline.
  @Override
  public StepResult turn(StepTask<Void> task) {
    return alarms.turn();
  }

  /// Undoes [#timerSlack(Duration)].
  @Override
  public void close() throws IOException {
    slack.reset();
  }

  /// {@return how many timers are armed: sleeping tasks, timeouts, deadlines, delays and periodics}
  public int waiterCount() {
    scheduler.host().checkThread();
    return alarms.size();
  }

  /// {@return whether timers are armed}
  public boolean hasWaiters() {
    return waiterCount() > 0;
  }

  /// Asks the operating system to wake the scheduler's thread no later than this after a deadline.
  /// Linux takes 50 us unless told otherwise, to save power by waking several threads at once; they
  /// are most of what a timer is late by on a machine with nothing else to do. The loop does it
  /// before its next turn. Never a suspension point.
  ///
  /// It is a setting of the thread, and of those it starts meanwhile; closing the scheduler undoes
  /// it. Where the system knows no such thing, or does not allow it, it is logged at INFO and
  /// nothing changes; so it is of a loop on a virtual thread, which shares its carrier. It concerns
  /// what this thread waits for itself: not an application inside of a UI's event loop, for which
  /// another thread waits.
  ///
  /// Source: timer slack, `PR_SET_TIMERSLACK` of prctl(2).
  ///
  /// @param slack at least zero, which is as exact as the system can
  /// @throws IllegalArgumentException if it is negative
  /// @throws IllegalStateException if the scheduler is closed
  public void timerSlack(Duration slack) {
    scheduler.host().checkThread();
    long nanos = nanos(slack, "slack");
    if (!scheduler.host().post(() -> this.slack.set(nanos))) {
      throw new IllegalStateException("timerSlack(..) of a closed scheduler");
    }
  }

  // Sleeping.

  /// Waits this long. *Always* a suspension point.
  ///
  /// @param duration at least zero, which is a plain yield; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws TaskCancelled if the task is cancelled; nothing stays armed
  public void sleep(Duration duration) {
    scheduler.await(new Sleep(alarms, nowNanos() + nanos(duration, "delay")));
  }

  /// [#sleep(Duration)], under the name it has in TINN. *Always* a suspension point.
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
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws TaskCancelled if the task is cancelled; nothing stays armed
  public void yieldUntilTime(long deadlineNanos) {
    scheduler.await(new Sleep(alarms, deadlineNanos));
  }

  // Things to await and select.

  /// {@return the end of a time span that begins anew with each wait: the timeout branch of a
  /// select}
  ///
  /// @param delay at least zero; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative
  public Waitable<Void> after(Duration delay) {
    return new TimeEvent.After(alarms, delay);
  }

  /// {@return an instant as something to await} It stays there once it has come.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds
  public Waitable<Void> at(long deadlineNanos) {
    return new TimeEvent.At(alarms, deadlineNanos);
  }

  // Timers.

  /// Has an action run once, after a while, in a task of its own. That task keeps the scheduler
  /// running until it has run, or the timer is cancelled. Never a suspension point.
  ///
  /// @param delay at least zero, which means now, behind the tasks that are ready; centuries mean
  ///   for ever
  /// @param action may suspend; its failure goes to the failure handler
  /// @return to cancel it, or to start it anew
  /// @throws IllegalArgumentException if the delay is negative
  /// @throws IllegalStateException if the scheduler is closed
  public Timer delay(Duration delay, TaskAction action) {
    return started(new Timer(this, nanos(delay, "delay"), null, action));
  }

  /// Has an action run again and again, at start + n * period, n = 1, 2, .., in a task of its own.
  /// That task keeps the scheduler running until the timer is cancelled. Never a suspension point.
  ///
  /// @param period at least zero, which means once per round; centuries mean never
  /// @param action may suspend; there is one run of it at a time, and ticks that come meanwhile are
  ///   skipped and counted; its failure ends the timer and goes to the failure handler
  /// @return to cancel it, or to start it anew
  /// @throws IllegalArgumentException if the period is negative
  /// @throws IllegalStateException if the scheduler is closed
  public Timer periodic(Duration period, TaskAction action) {
    return periodic(period, period, TickPolicy.SKIP, action);
  }

  /// Like [#periodic(Duration, TaskAction)], with a first tick of its own: at start + delay + n *
  /// period, n = 0, 1, .. Never a suspension point.
  ///
  /// @param delay until the first tick, at least zero
  /// @param period at least zero
  /// @param action may suspend
  /// @return to cancel it, or to start it anew
  /// @throws IllegalArgumentException if the delay or the period is negative
  /// @throws IllegalStateException if the scheduler is closed
  public Timer periodic(Duration delay, Duration period, TaskAction action) {
    return periodic(delay, period, TickPolicy.SKIP, action);
  }

  /// Like [#periodic(Duration, Duration, TaskAction)], with a word on ticks that are missed. Never
  /// a suspension point.
  ///
  /// @param delay until the first tick, at least zero
  /// @param period at least zero
  /// @param policy how it goes on after a tick, and after a late one
  /// @param action may suspend
  /// @return to cancel it, or to start it anew
  /// @throws IllegalArgumentException if the delay or the period is negative
  /// @throws IllegalStateException if the scheduler is closed
  public Timer periodic(Duration delay, Duration period, TickPolicy policy, TaskAction action) {
    requireNonNull(policy, "policy is null");
    long periodNanos = nanos(period, "period");
    long delayNanos = nanos(delay, "delay");
    var ticks = new Ticks(policy, periodNanos, delayNanos);
    return started(new Timer(this, delayNanos, ticks, action));
  }

  private static Timer started(Timer timer) {
    timer.restart();
    return timer;
  }

  /// Limits whatever the current task waits for from now on, until it says otherwise: when the time
  /// is up the wait that it is in fails with a [dev.rondo.scheduler.TimedOutException], once. If it
  /// is in none at that moment, being ready, the next one does that it is found in. Saying so again
  /// replaces the former limit; zero takes it back. Never a suspension point.
  ///
  /// ```
  /// time.timeout(Duration.ofSeconds(1));
  /// var greeting = socket.read(buffer); // both of them, together,
  /// var answer = socket.read(buffer);   // within one second
  /// time.timeout(Duration.ZERO);
  /// ```
  ///
  /// For a block of code, `within(..)` is safer: it ends with the block, and it nests.
  ///
  /// @param limit at least zero, which means none; centuries mean for ever
  /// @throws IllegalArgumentException if it is negative; the former limit stands
  /// @throws IllegalStateException outside a task of this scheduler
  public void timeout(Duration limit) {
    scheduler.host().checkThread();
    long nanos = nanos(limit, "timeout");
    Task<?> task = scheduler.currentTask();
    if (task == null) {
      throw new IllegalStateException(
          "timeout(..) outside of a task: it limits the waits of the task that calls it");
    }
    if (nanos == 0) {
      timeouts.disarm(task);
    } else {
      timeouts.arm(task, limit, nanos);
    }
  }

  // Postponing.

  /// Puts a task off until an instant: it leaves the ready queue, or what it waits for, and becomes
  /// ready then. Doing so again replaces the instant; scheduling the task ends it. Never a
  /// suspension point.
  ///
  /// @param task of this scheduler
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds
  /// @return false, and no effect, if it is running, blocked in the JDK, or has ended
  public boolean postpone(Task<?> task, long deadlineNanos) {
    return scheduler.queue().scheduleOn(task, at(deadlineNanos));
  }

  /// [#postpone] by a time span. Never a suspension point.
  ///
  /// @param task of this scheduler
  /// @param delay at least zero; centuries mean for ever
  /// @return false, and no effect, if it is running, blocked in the JDK, or has ended
  /// @throws IllegalArgumentException if the delay is negative
  public boolean defer(Task<?> task, Duration delay) {
    return scheduler.queue().scheduleOn(task, after(delay));
  }

  /// {@return now, as [dev.rondo.scheduler.addon.AddOnHost#nowNanos()]}
  public long nowNanos() {
    return scheduler.host().nowNanos();
  }

  /// {@return how much time has passed since this add-on was installed} Never a suspension point.
  public Duration runningTime() {
    return Duration.ofNanos(nowNanos() - installedNanos);
  }

  /// {@return a stopwatch that has just been started, on the scheduler's ticker: on a virtual clock
  /// it measures virtual time} Never a suspension point.
  public Stopwatch stopwatch() {
    return Stopwatch.createStarted(
        new Ticker() {
          @Override
          public long read() {
            return nowNanos();
          }
        });
  }

  // As a TimeKeeper.

  /// Arms a timer. Never a suspension point.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds
  /// @param action run once, not before that instant, in the add-on's turn: it must not suspend,
  ///   and its failure goes to the failure handler
  /// @return to disarm it
  @Override
  public TimerHandle at(long deadlineNanos, Runnable action) {
    scheduler.host().checkThread();
    return alarms.at(deadlineNanos, action);
  }

  // Internals.

  /// Nanoseconds, saturated.
  static long nanos(Duration duration, String what) {
    requireNonNull(duration, () -> what + " is null");
    if (duration.isNegative()) {
      throw new IllegalArgumentException(what + " must not be negative, but is " + duration);
    }
    return Math.min(Alarms.FOREVER_NANOS, TimeUnit.NANOSECONDS.convert(duration));
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Alarms alarms() {
    return alarms;
  }

  ActiveTimers activeTimers() {
    return activeTimers;
  }

  private void cancelTimers() {
    for (TimerEntry each : alarms.list()) {
      if (each instanceof Timer timer) {
        timer.cancel();
      }
    }
  }
}
