package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.HostCore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.function.Supplier;
import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// The services of a [Scheduler] for its add-ons: tasks, idling, time, and access from other
/// threads. Programs do not need it.
///
/// See [Scheduler#host()]. Confined to the scheduler's thread, except where a method says
/// otherwise.
public abstract sealed class AddOnHost permits HostCore {

  /// For the engine.
  protected AddOnHost() {}

  /// Checks that the caller is on the scheduler's thread. Any thread.
  ///
  /// @throws WrongThreadException if the caller is not; the message names both threads
  public abstract void checkThread();

  /// {@return whether the caller is on the scheduler's thread, in a task or not} Any thread.
  public abstract boolean isOnThread();

  /// Refuses a call that would block the thread of this scheduler while it waits for a result that
  /// comes on that thread. Such a call is made by code of this scheduler, except in a task on
  /// BOUND, or by other code on that thread. Any thread. See [LoopFuture].
  ///
  /// @param call a description of the call, such as "join of the future of promise 'answer'"
  /// @param instead a description of what a task should do instead, such as "claim the promise"
  /// @throws IllegalStateException if the call would block the thread; the message has both texts
  public abstract void requireMayBlock(String call, String instead);

  /// Makes a stackless task without scheduling it.
  ///
  /// @param <T> the type of the result
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task
  public abstract <T extends @Nullable Object> StepTask<T> newStepTask(
      String name, StepBody<T> body);

  /// Makes a stackless task and puts it at the back of the ready queue.
  ///
  /// @param <T> the type of the result
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task
  public abstract <T extends @Nullable Object> StepTask<T> spawnSteps(
      String name, StepBody<T> body);

  /// Makes a stackful task in a group, on behalf of another task, and puts it at the back of the
  /// ready queue. The new task is a child of that task, and inherits its bindings and its context.
  /// So an event can start work for a task without waking it. While the scheduler is stopping, this
  /// works as long as that task has not ended. Never a suspension point.
  ///
  /// @param <T> the type of the result
  /// @param maker the task on whose behalf it is made; it has no turn now
  /// @param group open
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task; it has been cancelled already if the group is
  /// @throws IllegalStateException if the group is not open, or the scheduler is closed
  public abstract <T extends @Nullable Object> Task<T> spawnFor(
      Task<?> maker, TaskGroup<T> group, String name, TaskCall<? extends T, ?> code);

  /// {@return the coroutine backend that stackful tasks run on} Any thread.
  public abstract CoroutineBackend backend();

  /// Waits for an event, as [Scheduler#await(Waitable)] does, but fails if the task is scheduled
  /// meanwhile. For the methods of an add-on that wait. A *possible* suspension point.
  ///
  /// @param <T> the type of the result
  /// @param event what to wait for
  /// @return the value of the event
  /// @throws dev.rondo.scheduler.ScheduledDirectlyException if the task is scheduled meanwhile;
  ///   nothing stays registered, and the event is not lost
  /// @throws dev.rondo.scheduler.TaskCancelled if the task, or a scope it is in, is cancelled
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws RuntimeException or another exception, checked or not, with which the event fails
  public abstract <T extends @Nullable Object> T awaitEvent(Waitable<T> event);

  /// [#awaitEvent(Waitable)] with a limit. A *possible* suspension point.
  ///
  /// @param <T> the type of the result
  /// @param event what to wait for
  /// @param timeout at least zero; centuries mean for ever
  /// @return the value of the event
  /// @throws dev.rondo.scheduler.TimedOutException if it had not come in time
  /// @throws dev.rondo.scheduler.ScheduledDirectlyException if the task is scheduled meanwhile
  /// @throws IllegalArgumentException if the timeout is negative
  /// @throws IllegalStateException outside a stackful task of this scheduler, or if that has no
  ///   [TimerService]
  public abstract <T extends @Nullable Object> T awaitEvent(Waitable<T> event, Duration timeout);

  /// Runs code whose waits must not be cut short, for instance waits for a call that cannot be
  /// given up. While the code waits, the task cannot be scheduled: [Scheduler#scheduleTask(Task,
  /// Object)] and similar methods return false. The task can be cancelled; see
  /// [Scheduler#shielded]. A suspension point if the code is one.
  ///
  /// @param <T> the type of the result
  /// @param <X> the checked exceptions that the code throws
  /// @param code runs in the current task
  /// @return what the code returns
  /// @throws IllegalStateException outside a stackful task of this scheduler
  /// @throws X any failure of the code
  public abstract <T extends @Nullable Object, X extends Exception> T withoutScheduling(
      TaskCall<? extends T, X> code) throws X;

  /// [#withoutScheduling(TaskCall)] for code without a result. A suspension point if the code is
  /// one.
  ///
  /// @param <X> the checked exceptions that the code throws
  /// @param code runs in the current task
  /// @throws X any failure of the code
  @LowPriorityInOverloadResolution // of Kotlin: see TaskAction
  public abstract <X extends Exception> void withoutScheduling(TaskAction<X> code) throws X;

  /// Makes the wait of a task fail, as a time limit of that wait does, or ends its suspension or
  /// idling in the same way. If the task waits at the end of a [dev.rondo.scheduler.TaskGroup], the
  /// tasks of the group are cancelled, and the group fails when they have ended. Never a suspension
  /// point.
  ///
  /// @param task of this scheduler
  /// @param failure makes the exception that the waiting call throws; runs in the task, so that the
  ///   stack trace shows the wait
  /// @return false, with no effect, if the task does not wait, has received something or is about
  ///   to, has a cancellation to be delivered, or cannot leave its wait, see
  ///   [#withoutScheduling(TaskCall)]
  public abstract boolean failWait(Task<?> task, Supplier<? extends RuntimeException> failure);

  /// Runs an action when a task next begins to wait, to be suspended or to idle, or is blocked in
  /// the JDK: [#failWait] may succeed then. Replaces an earlier action for the task. Never a
  /// suspension point.
  ///
  /// @param task of this scheduler
  /// @param action runs once, on the scheduler's thread; must not suspend, and must not wake the
  ///   task
  public abstract void whenParked(Task<?> task, Runnable action);

  /// Idles until something outside wakes the task, or it is scheduled: for the body of a stackful
  /// add-on. While a task idles the scheduler is not deadlocked. *Always* a suspension point. A
  /// value that the task was scheduled with is left for [Scheduler#received()].
  public abstract void idle();

  /// Idles until an instant, unless woken earlier: for the body of a stackful add-on. While other
  /// tasks keep the loop busy it still has a turn now and then. *Always* a suspension point.
  ///
  /// @param deadlineNanos an instant of the scheduler's ticker, in nanoseconds
  public abstract void idleUntil(long deadlineNanos);

  /// Runs code as if outside of tasks: there is no current task, and an attempt to suspend fails
  /// with an [IllegalStateException]. For user code that an add-on calls in the turn of any task.
  /// If a stackful task calls this, the frames of the task are not on the stack, unless the stack
  /// cannot be left, as under a monitor. No other task has a turn meanwhile, except on BOUND while
  /// a call of the JDK blocks the code. Not a suspension point otherwise.
  ///
  /// @param <T> the type of the result
  /// @param code to run now
  /// @return its result
  public abstract <T extends @Nullable Object> T outsideOfTasks(Supplier<T> code);

  /// Runs code as [#outsideOfTasks(Supplier)] does, but above the frames of the calling task. For
  /// short code: leaving the stack and coming back would cost more. Not a suspension point.
  ///
  /// @param <T> the type of the result
  /// @param code to run now; short
  /// @return its result
  public abstract <T extends @Nullable Object> T outsideOfTasksHere(Supplier<T> code);

  /// Registers an add-on and gives it a task, a daemon that is suspended until it is woken.
  ///
  /// @param addOn the only one of its class
  /// @return its task
  /// @throws IllegalStateException if there is one of its class already, or the scheduler is closed
  public abstract StepTask<Void> install(AddOn addOn);

  /// {@return the add-on of that class; null if none was installed}
  ///
  /// @param <A> the add-on's class
  /// @param type the add-on's class, or an interface of it
  public abstract <A> @Nullable A addOn(Class<A> type);

  /// {@return how the loop waits when no task is ready}
  public abstract IdleStrategy idleStrategy();

  /// Replaces how the loop waits when no task is ready.
  ///
  /// @param strategy the one from now on
  public abstract void idleStrategy(IdleStrategy strategy);

  /// Makes the loop wait for the events of a source, too, whenever no task is ready, by joining the
  /// source to the idle strategy. An idle strategy that takes no source is replaced by one that
  /// does.
  ///
  /// @param source called whenever the loop sleeps
  /// @throws IllegalArgumentException as [EventSource#both] does; nothing has changed
  /// @throws IllegalStateException if the idle strategy lends the thread to other code, as that of
  ///   a user interface does, and takes no source
  public abstract void join(EventSource source);

  /// Sets the timer service for timeouts and deadlines. For the time add-on.
  ///
  /// @param service the one from now on
  public abstract void timerService(TimerService service);

  /// {@return whether there is a timer service, which timeouts and deadlines need} Never a
  /// suspension point.
  public abstract boolean hasTimerService();

  /// {@return whether the scheduler makes the checks that cost time, see
  /// [dev.rondo.scheduler.SchedulerBuilder#debug()]} Any thread; never a suspension point.
  public abstract boolean isDebug();

  /// {@return now, on the scheduler's ticker: nanoseconds from an arbitrary origin, to be compared
  /// by subtraction} Any thread, if the ticker is for any thread, as the default is.
  public abstract long nowNanos();

  /// {@return the clock for dates, as opposed to time spans} That is the scheduler's ticker if it
  /// is an [InstantSource] as well, as those of tests and simulations are, and otherwise the
  /// system's clock. Any thread, if the ticker is for any thread. Never a suspension point.
  public abstract InstantSource wallClock();

  /// {@return the time of the loop's last pass, in nanoseconds of the scheduler's ticker} It is
  /// read from memory, where [#nowNanos()] asks the system. It lags by about 50 us while turns are
  /// short, and by up to the current turn while they are long. Never a suspension point.
  public abstract long passNanos();

  /// {@return the instant that is this far from now, in nanoseconds of the scheduler's ticker, at
  /// most about 146 years} Any thread, if the ticker is for any thread, as the default is.
  ///
  /// @param delay at least zero
  /// @throws IllegalArgumentException if it is negative
  public abstract long deadlineAfter(Duration delay);

  /// {@return the earliest deadline of the `within(..)` blocks that the current task is in, on the
  /// scheduler's ticker; empty if there is none} A shield hides those around it. Never a suspension
  /// point.
  public abstract OptionalLong limitNanos();

  /// Reports a failure to the failure handler: at once, or, from another thread, a moment later on
  /// the scheduler's thread. If the scheduler is closed by then, the failure is logged. Any thread.
  ///
  /// @param where a description of the code that was running
  /// @param failure the exception that it threw
  public abstract void report(String where, Throwable failure);

  /// Runs an action as [Scheduler#post(Runnable)] does, but on the very thread that the loop runs
  /// on, whatever the backend: to set the priority, the affinity or the timer slack of that thread.
  /// Any thread.
  ///
  /// @param action quick, and must not block; a failure goes to the failure handler
  /// @return false if the scheduler is closed; the action does not run then
  public abstract boolean configureThread(Runnable action);

  /// Declares that another thread may ask for an orderly shutdown at any time, as a shutdown hook
  /// of the JVM does. From now on, tasks that await [Scheduler#shutdownRequested()] wait for that
  /// thread. If only such tasks are left, that is not a deadlock: `start()` continues until the
  /// shutdown is asked for. Daemons do not count.
  public abstract void expectShutdown();

  /// {@return the number of waits for other threads: for blocking calls and completions} For clocks
  /// that must not run ahead of other threads. An open [Scheduler#keepAlive()] does not count,
  /// because it may be open as long as the program runs, and belongs to no particular wait.
  public abstract int externalWaits();

  /// {@return whether other threads may still wake tasks} That is so if there are
  /// [#externalWaits()], if a [Scheduler#keepAlive()] is open, or if a task awaits a shutdown that
  /// another thread may ask for. Otherwise, tasks that nothing in the scheduler can wake are a
  /// deadlock.
  public abstract boolean expectsOtherThreads();

  /// {@return whether an orderly shutdown has begun, or the scheduler closes} Repeated work begins
  /// no new run then, and keeps no task that is not a daemon. Each add-on has a turn when the
  /// shutdown begins. Never a suspension point.
  public abstract boolean isShuttingDown();

  /// {@return whether the scheduler cancels its tasks, because it closes, or because the drain of a
  /// shutdown is over} A task that was cancelled otherwise was cancelled by the program. Never a
  /// suspension point.
  public abstract boolean isEnding();

  /// Rests between two calls of [Scheduler#step()], for a driver that steps several schedulers on
  /// one thread. From now until the next step [IdleStrategy#wakeup()] is called when the scheduler
  /// needs a step sooner: a task has become ready, another thread has posted something, or a
  /// deadline has moved. Not for tasks.
  ///
  /// @return the time until a step is needed, in nanoseconds of the scheduler's ticker. Zero if a
  ///   step is needed now, and then the scheduler does not rest. [EventSource#FOREVER] if only a
  ///   wakeup can make one necessary
  /// @throws IllegalStateException if the scheduler is running or closed
  public abstract long rest();

  /// Gives up the scheduler in its present state, as the death of a process does. No task has
  /// another turn, no `finally` block runs, and no add-on is closed. From now on, posts from other
  /// threads are refused, as by a closed scheduler. The memory of the scheduler is released with
  /// the last reference to it. For simulations; programs call [Scheduler#close()]. Not for tasks.
  ///
  /// @throws UnsupportedOperationException if tasks have threads of their own, whose stacks cannot
  ///   be given up: on every backend but CONTINUATION; the scheduler is as before
  /// @throws IllegalStateException if the scheduler is running or closed
  public abstract void abandon();

  /// {@return the list of the sockets, listeners and pipes that add-ons have open} For add-ons,
  /// which list theirs, and for observers. Any thread; the list itself is confined to the
  /// scheduler's.
  public abstract OpenChannels openChannels();
}
