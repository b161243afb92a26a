package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.TimerService;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.engine.host.HostCore;
import java.time.InstantSource;

/// The loop of a [Scheduler], for add-ons that are a part of the loop, such as the add-on that
/// keeps its timers, and for drivers and simulations of several loops.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
public sealed interface LoopControl permits HostCore {

  /// {@return the loop of a scheduler} Any thread.
  ///
  /// @param host the scheduler's
  static LoopControl of(AddOnHost host) {
    return (LoopControl) requireNonNull(host, "host is null");
  }

  /// {@return the coroutine backend that stackful tasks run on} Any thread.
  CoroutineBackend backend();

  /// Runs an action as [Scheduler#post(Runnable)] does, but on the very thread that the loop runs
  /// on, whatever the backend: to set the priority, the affinity or the timer slack of that thread.
  /// Any thread.
  ///
  /// @param action quick, and must not block; a failure goes to the failure handler
  /// @return false if the scheduler is closed; the action does not run then
  boolean configureThread(Runnable action);

  /// {@return how the loop waits when no task is ready}
  IdleStrategy idleStrategy();

  /// Sets the timer service for timeouts and deadlines. For the time add-on.
  ///
  /// @param service used from now on
  void timerService(TimerService service);

  /// {@return whether there is a timer service, which timeouts and deadlines need} Never a
  /// suspension point.
  boolean hasTimerService();

  /// {@return the clock for dates, as opposed to time spans} This clock is the scheduler's ticker
  /// if the ticker is also an [InstantSource], as in tests and simulations, and otherwise the
  /// system's clock. Any thread, if the ticker is for any thread. Never a suspension point.
  InstantSource wallClock();

  /// {@return whether the scheduler makes the checks that cost time, see
  /// [dev.rondo.scheduler.SchedulerBuilder#debug()]} Any thread; never a suspension point.
  boolean isDebug();

  /// Declares that another thread may ask for an orderly shutdown at any time, as a shutdown hook
  /// of the JVM does. From now on, tasks that await [Scheduler#shutdownRequested()] wait for that
  /// thread. If only such tasks are left, that is not a deadlock: `start()` continues until the
  /// shutdown is asked for. Daemons do not count.
  void expectShutdown();

  /// {@return the number of waits for other threads: for blocking calls and completions} For clocks
  /// that must not run ahead of other threads. An open [Scheduler#keepAlive()] does not count,
  /// because it may stay open as long as the program runs, and does not belong to a particular
  /// wait.
  int externalWaits();

  /// {@return whether other threads may still wake tasks} They may if there are [#externalWaits()],
  /// if a [Scheduler#keepAlive()] is open, or if a task awaits a shutdown that another thread may
  /// ask for. Otherwise, tasks that nothing in the scheduler can wake are a deadlock.
  boolean expectsOtherThreads();

  /// {@return whether the scheduler cancels its tasks, because it closes, or because the drain of a
  /// shutdown is over} At other times, only the program cancels tasks. Never a suspension point.
  boolean isEnding();

  /// Rests between two calls of [Scheduler#step()], for a driver that steps several schedulers on
  /// one thread. From now until the next step [IdleStrategy#wakeup()] is called when the scheduler
  /// needs a step sooner: a task has become ready, another thread has posted something, or a
  /// deadline has moved. Not for tasks.
  ///
  /// @return the time until a step is needed, in nanoseconds of the scheduler's ticker. Zero if a
  ///   step is needed now, and then the scheduler does not rest. [EventSource#FOREVER] if only a
  ///   wakeup can make one necessary
  /// @throws IllegalStateException if the scheduler is running or closed
  long rest();

  /// Gives up the scheduler in its present state, as the death of a process does. No task has
  /// another turn, no `finally` block runs, and no add-on is closed. From now on, posts from other
  /// threads are refused, as by a closed scheduler. The memory of the scheduler is released with
  /// the last reference to it. For simulations; programs call [Scheduler#close()]. Not for tasks.
  ///
  /// @throws UnsupportedOperationException if tasks have threads of their own, whose stacks cannot
  ///   be given up: on every backend but CONTINUATION; the scheduler is as before
  /// @throws IllegalStateException if the scheduler is running or closed
  void abandon();
}
