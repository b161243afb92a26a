package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.HostCore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What a [Scheduler] is to its add-ons: how an add-on gets its task, how it idles, what time it
/// is, and how other threads reach it. Programs need none of this.
///
/// Ask for it with [Scheduler#host()]. Confined to the scheduler's thread, except where a method
/// says otherwise.
public abstract sealed class AddOnHost permits HostCore {

  /// For the engine.
  protected AddOnHost() {}

  /// Makes sure that the caller is on the scheduler's thread: for what add-ons offer. Any thread.
  ///
  /// @throws WrongThreadException if it is not; the message names both threads
  public abstract void checkThread();

  /// Makes a stackless task without scheduling it.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task
  public abstract <T extends @Nullable Object> StepTask<T> newStepTask(
      String name, StepBody<T> body);

  /// Makes a stackless task and puts it at the back of the ready queue.
  ///
  /// @param <T> what it results in
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task
  public abstract <T extends @Nullable Object> StepTask<T> spawnSteps(
      String name, StepBody<T> body);

  /// {@return the coroutine backend that stackful tasks run on} Any thread.
  public abstract CoroutineBackend backend();

  /// Has nothing to do until something outside wakes it: for the body of a stackful add-on. While a
  /// task idles the scheduler is not deadlocked. *Always* a suspension point.
  public abstract void idle();

  /// Has nothing to do before an instant, unless woken: for the body of a stackful add-on. While
  /// others keep the loop busy it gets a turn now and then all the same. *Always* a suspension
  /// point.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds
  public abstract void idleUntil(long deadlineNanos);

  /// Registers an add-on and gives it a task, a daemon that is suspended until it is woken.
  ///
  /// @param addOn one of its class
  /// @return its task
  /// @throws IllegalStateException if there is one of its class already, or the scheduler is closed
  public abstract StepTask<Void> install(AddOn addOn);

  /// Replaces how the loop waits when it has nothing to do. For add-ons.
  ///
  /// @param idler the one from now on
  public abstract void idleStrategy(IdleStrategy idler);

  /// Sets the timer behind timeouts and deadlines. For the time add-on.
  ///
  /// @param keeper the one from now on
  public abstract void timerService(TimerService keeper);

  /// {@return whether there is a timer, so that limits and deadlines can be had} Never a suspension
  /// point.
  public abstract boolean hasTimerService();

  /// {@return now, on the scheduler's ticker: nanoseconds from an arbitrary origin, to be compared
  /// by subtraction} Any thread, if the ticker is for any thread, as the default is.
  public abstract long nowNanos();

  /// {@return the instant that is this far from now, in nanoseconds of the scheduler's ticker; one
  /// about 146 years away stands for "for ever"} Any thread, if the ticker is for any thread, as
  /// the default is.
  ///
  /// @param delay at least zero
  /// @throws IllegalArgumentException if it is negative
  public abstract long deadlineAfter(Duration delay);

  /// Tells the failure handler: at once, or, from another thread, a moment later on the
  /// scheduler's. If the scheduler has closed meanwhile the failure is logged instead. Any thread.
  ///
  /// @param where what was running
  /// @param failure what it threw
  public abstract void report(String where, Throwable failure);

  /// Has the scheduler's thread do something small between two turns: take note of what has
  /// happened elsewhere, and tell who waits for it. That is no work as for [Scheduler#execute]: it
  /// makes no task, and is not refused while the scheduler is stopping. What was taken is done, in
  /// this order, by `close()` at the latest. For add-ons. Any thread.
  ///
  /// @param event quick, and must not suspend; a failure goes to the failure handler
  /// @return false if the scheduler is closed; the event is not done then
  public abstract boolean post(Runnable event);

  /// {@return how many waits are for what other threads are doing: blocking calls and completions}
  /// For clocks that must not run ahead of them.
  public abstract int externalWaits();
}
