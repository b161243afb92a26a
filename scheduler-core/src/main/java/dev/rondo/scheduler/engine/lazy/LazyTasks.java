package dev.rondo.scheduler.engine.lazy;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.Place;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.engine.TaskFactory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Tasks of one kind. An add-on schedules these tasks in large numbers, and most of them end in
/// their first turn. The object of such a task is made only when something needs it. Until then the
/// task takes four bytes in the ready queue.
///
/// Programs and observers see no difference between lazy tasks and others. A lazy task is counted,
/// and has a number, from the moment when it is scheduled. The task is made when its body suspends,
/// fails or asks for the task, and when the tasks are listed. A task is made at once if an observer
/// or a policy must see each task (a listener, a recorder, a scheduling policy, debug mode), and on
/// backends where tasks have threads.
///
/// For the add-on of timers. This package is not exported to any other module. Confined to the
/// scheduler's thread; no method is a suspension point.
///
/// @param <E> the type of the subjects of the tasks
public final class LazyTasks<E> {

  /// Replaces a ticket: the task was made.
  private static final long MADE = -1;

  /// The code of the tasks. Each call is for one subject.
  ///
  /// @param <E> the type of the subjects of the tasks
  public interface Body<E> {

    /// {@return the name of the task, for reports}
    ///
    /// @param subject the subject of the task
    String name(E subject);

    /// Runs, in the turn of the task. A suspension point if the code is one.
    ///
    /// @param subject the subject of the task
    /// @throws Exception any exception; the task fails with it
    void run(E subject) throws Exception;

    /// Called when a task was made. Not called for a task that ends without being made.
    ///
    /// @param subject the subject of the task
    /// @param task the new task, which is ready or running
    void made(E subject, Task<@Nullable Void> task);

    /// Called when the task is about to end, like a trap of the task. If this method throws, the
    /// task fails with that exception.
    ///
    /// @param subject the subject of the task
    /// @param task null if the task was never made
    /// @param outcome the outcome of the body, or the cancellation
    void ended(E subject, @Nullable Task<@Nullable Void> task, Outcome<@Nullable Void> outcome);
  }

  private final Loop loop;
  private final TaskFactory taskFactory;
  private final LazyStackfulTasks<E> kind;

  private LazyTasks(Loop loop, TaskFactory taskFactory, Body<E> body) {
    this.loop = loop;
    this.taskFactory = taskFactory;
    this.kind = new LazyStackfulTasks<>(loop, body);
  }

  /// {@return tasks of one kind}
  ///
  /// @param <E> the type of the subjects of the tasks
  /// @param scheduler of the tasks
  /// @param body the code of the tasks
  public static <E> LazyTasks<E> on(Scheduler scheduler, Body<E> body) {
    SchedulerCore own = (SchedulerCore) Objects.requireNonNull(scheduler, "scheduler is null");
    own.loop.checkCaller();
    return new LazyTasks<>(own.loop, own.taskFactory, Objects.requireNonNull(body, "body is null"));
  }

  /// {@return the state that a task made now inherits, for a task that is scheduled later; null if
  /// there is none}
  public @Nullable Inherited inheritance() {
    loop.checkCaller();
    return Inherited.now(loop);
  }

  /// Puts a task at the back of the ready queue. The task inherits from the caller.
  ///
  /// @param subject the subject of the task
  /// @return a ticket for [#unschedule]
  /// @throws IllegalStateException if the scheduler is closed, or if it is stopping and the caller
  ///   is not one of its tasks; nothing has changed
  public long schedule(E subject) {
    taskFactory.requireOpen();
    Objects.requireNonNull(subject, "subject is null");
    if (loop.isLazy()) {
      return kind.add(subject);
    }
    loop.made(kind.newTask(subject)).becomeReady(Place.BACK);
    return MADE;
  }

  /// Puts a task at the back of the ready queue. The task inherits from the code that called
  /// [#inheritance()] earlier, and is made at once.
  ///
  /// @param subject the subject of the task
  /// @param inherited the state that the task inherits, instead of the state of the caller
  /// @return a ticket for [#unschedule]
  /// @throws IllegalStateException as for [#schedule(Object)]
  public long schedule(E subject, Inherited inherited) {
    taskFactory.requireOpen();
    Objects.requireNonNull(subject, "subject is null");
    Objects.requireNonNull(inherited, "inherited is null");
    loop.made(kind.newTask(subject, inherited)).becomeReady(Place.BACK);
    return MADE;
  }

  /// Takes back a task that was not made and has not begun.
  ///
  /// @param subject the subject of the task: the same object
  /// @param ticket from [#schedule]
  /// @return false if the task was made, has begun or has ended; then nothing has changed
  public boolean unschedule(E subject, long ticket) {
    loop.checkCaller();
    Objects.requireNonNull(subject, "subject is null");
    return ticket != MADE && kind.remove(subject, ticket);
  }
}
