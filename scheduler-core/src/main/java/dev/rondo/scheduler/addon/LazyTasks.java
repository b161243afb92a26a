package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.Inherited;
import dev.rondo.scheduler.engine.LazyTasksCore;
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
/// Made by [AddOnHost#lazyTasks]. Confined to the scheduler's thread; no method is a suspension
/// point.
///
/// @param <E> the type of the subjects of the tasks
public abstract sealed class LazyTasks<E> permits LazyTasksCore {

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

  /// The state that a task inherits from the code that makes it: the
  /// [dev.rondo.scheduler.TaskLocal]s of the running task, and the context of the thread, see
  /// [dev.rondo.scheduler.observe.ContextPropagation]. Immutable.
  public sealed interface Inheritance permits Inherited {}

  /// For the engine.
  protected LazyTasks() {}

  /// {@return what a task that is made now inherits, to be given to a task that is scheduled later;
  /// null if that is nothing}
  public abstract @Nullable Inheritance inheritance();

  /// Puts a task at the back of the ready queue, which inherits from the caller.
  ///
  /// @param subject what it is for
  /// @return a ticket for [#unschedule]
  /// @throws IllegalStateException if the scheduler is closed, or if it is stopping and the caller
  ///   is none of its tasks; nothing has changed
  public abstract long schedule(E subject);

  /// Puts a task at the back of the ready queue, which inherits from the code that once called
  /// [#inheritance()]. Such a task is made at once.
  ///
  /// @param subject what it is for
  /// @param inherited what it inherits, instead of what the caller has
  /// @return a ticket for [#unschedule]
  /// @throws IllegalStateException as by [#schedule(Object)]
  public abstract long schedule(E subject, Inheritance inherited);

  /// Takes back a task that was not made and has not begun.
  ///
  /// @param subject what it is for: the same object
  /// @param ticket from [#schedule]
  /// @return false if it was made, has begun or has ended; nothing has changed then
  public abstract boolean unschedule(E subject, long ticket);
}
