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

/// Tasks of one kind that an add-on schedules in large numbers, and most of which end in their
/// first turn. The object of such a task is made only when something needs it. Until then the task
/// takes four bytes in the ready queue.
///
/// Programs and observers see no difference between lazy tasks and others. A lazy task is counted,
/// and has a number, from the moment when it is scheduled. It is made when its body suspends, fails
/// or asks for the task, and when the tasks are listed. It is made at once if an observer or a
/// policy must see each task (a listener, a recorder, a scheduling policy, debug mode), and on
/// backends where tasks have threads.
///
/// For the add-on of timers: this package is exported to no other module. Confined to the
/// scheduler's thread; no method is a suspension point.
///
/// @param <E> the type of the subjects of the tasks
public final class LazyTasks<E> {

  /// In place of a ticket: the task was made.
  private static final long MADE = -1;

  /// The code of the tasks. Each call is for one subject.
  ///
  /// @param <E> the type of the subjects of the tasks
  public interface Body<E> {

    /// {@return the name of the task, for reports}
    ///
    /// @param subject what it is for
    String name(E subject);

    /// Runs, in the turn of the task. A suspension point if the code is one.
    ///
    /// @param subject what the task is for
    /// @throws Exception anything: the task fails with it
    void run(E subject) throws Exception;

    /// Called when a task was made. Not called for a task that ends without being made.
    ///
    /// @param subject what it is for
    /// @param task is ready, or running
    void made(E subject, Task<@Nullable Void> task);

    /// Called when the task is about to end, as its trap would be. If this throws, the task fails
    /// with that.
    ///
    /// @param subject what it is for
    /// @param task null if it was never made
    /// @param outcome how its body ended, or that it was cancelled
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
  /// @param body what the tasks do
  public static <E> LazyTasks<E> on(Scheduler scheduler, Body<E> body) {
    SchedulerCore own = (SchedulerCore) Objects.requireNonNull(scheduler, "scheduler is null");
    own.loop.checkCaller();
    return new LazyTasks<>(own.loop, own.taskFactory, Objects.requireNonNull(body, "body is null"));
  }

  /// {@return what a task that is made now inherits, to be given to a task that is scheduled later;
  /// null if that is nothing}
  public @Nullable Inherited inheritance() {
    loop.checkCaller();
    return Inherited.now(loop);
  }

  /// Puts a task at the back of the ready queue, which inherits from the caller.
  ///
  /// @param subject what it is for
  /// @return a ticket for [#unschedule]
  /// @throws IllegalStateException if the scheduler is closed, or if it is stopping and the caller
  ///   is none of its tasks; nothing has changed
  public long schedule(E subject) {
    taskFactory.requireOpen();
    Objects.requireNonNull(subject, "subject is null");
    if (loop.isLazy()) {
      return kind.add(subject);
    }
    loop.made(kind.newTask(subject)).becomeReady(Place.BACK);
    return MADE;
  }

  /// Puts a task at the back of the ready queue, which inherits from the code that once called
  /// [#inheritance()]. Such a task is made at once.
  ///
  /// @param subject what it is for
  /// @param inherited what it inherits, instead of what the caller has
  /// @return a ticket for [#unschedule]
  /// @throws IllegalStateException as by [#schedule(Object)]
  public long schedule(E subject, Inherited inherited) {
    taskFactory.requireOpen();
    Objects.requireNonNull(subject, "subject is null");
    Objects.requireNonNull(inherited, "inherited is null");
    loop.made(kind.newTask(subject, inherited)).becomeReady(Place.BACK);
    return MADE;
  }

  /// Takes back a task that was not made and has not begun.
  ///
  /// @param subject what it is for: the same object
  /// @param ticket from [#schedule]
  /// @return false if it was made, has begun or has ended; nothing has changed then
  public boolean unschedule(E subject, long ticket) {
    loop.checkCaller();
    Objects.requireNonNull(subject, "subject is null");
    return ticket != MADE && kind.remove(subject, ticket);
  }
}
