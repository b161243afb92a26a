package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.engine.Engine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The services of a [Scheduler] for its add-ons: tasks, idling, time, and access from other
/// threads. Programs do not need it.
///
/// See [Scheduler#host()]. Confined to the scheduler's thread, except where a method says
/// otherwise.
public sealed interface AddOnHost permits Engine.Host {

  /// Checks that the caller is on the scheduler's thread. Any thread.
  ///
  /// @throws WrongThreadException if the caller is not; the message names both threads
  void checkThread();

  /// {@return whether the caller is on the scheduler's thread, in a task or not} Any thread.
  boolean isOnThread();

  /// Registers an add-on and gives it a task, a daemon that is suspended until it is woken.
  ///
  /// @param addOn the only one of its class
  /// @return its task
  /// @throws IllegalStateException if an add-on of its class is installed already, or the scheduler
  ///   is closed
  StepTask<Void> install(AddOn addOn);

  /// {@return the add-on of a class; null if no such add-on was installed}
  ///
  /// @param <A> the add-on's class
  /// @param type the add-on's class, or an interface that it implements
  <A> @Nullable A addOn(Class<A> type);

  /// Makes a stackless task without scheduling it.
  ///
  /// @param <T> the type of the result
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task
  <T extends @Nullable Object> StepTask<T> newStepTask(String name, StepBody<T> body);

  /// Makes a stackless task and puts it at the back of the ready queue.
  ///
  /// @param <T> the type of the result
  /// @param name shown in reports
  /// @param body called once per turn
  /// @return the task
  <T extends @Nullable Object> StepTask<T> spawnSteps(String name, StepBody<T> body);

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
  <T extends @Nullable Object> T awaitEvent(Waitable<T> event);

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
  <T extends @Nullable Object> T awaitEvent(Waitable<T> event, Duration timeout);

  /// {@return now, on the scheduler's ticker: nanoseconds from an arbitrary origin, to be compared
  /// by subtraction} Any thread, if the ticker is for any thread, as the default is.
  long nowNanos();

  /// {@return the time of the loop's last pass, in nanoseconds of the scheduler's ticker} This
  /// method reads memory, while [#nowNanos()] asks the system. The value lags by about 50 us while
  /// turns are short, and by up to the current turn while they are long. Never a suspension point.
  long passNanos();

  /// {@return the instant that is this far from now, in nanoseconds of the scheduler's ticker, at
  /// most about 146 years} Any thread, if the ticker is for any thread, as the default is.
  ///
  /// @param delay at least zero
  /// @throws IllegalArgumentException if it is negative
  long deadlineAfter(Duration delay);

  /// Reports a failure to the failure handler: at once, or, from another thread, a moment later on
  /// the scheduler's thread. If the scheduler is closed by then, the failure is logged. Any thread.
  ///
  /// @param where a description of the code that was running
  /// @param failure the exception that it threw
  void report(String where, Throwable failure);

  // The loop, for an add-on that sleeps for it.

  /// Replaces how the loop waits when no task is ready.
  ///
  /// @param strategy used from now on
  void idleStrategy(IdleStrategy strategy);

  /// Joins a source to the idle strategy, so that the loop also waits for the events of the source
  /// whenever no task is ready. An idle strategy that takes no source is replaced by one that does.
  ///
  /// @param source called whenever the loop sleeps
  /// @throws IllegalArgumentException if the source is real and another joined source is not, or if
  ///   both are real and neither is the source of Rondo's sockets, the only one for which another
  ///   thread can wait; nothing has changed
  /// @throws IllegalStateException if the idle strategy takes no source, and lends the thread to
  ///   other code, such as a user interface
  void join(EventSource source);

  /// {@return whether an orderly shutdown has begun, or the scheduler closes} After that, repeated
  /// work begins no new run, and keeps only daemon tasks. Each add-on has a turn when the shutdown
  /// begins. Never a suspension point.
  boolean isShuttingDown();
}
