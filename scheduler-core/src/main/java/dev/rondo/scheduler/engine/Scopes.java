package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.CancelScope;
import dev.rondo.scheduler.Generator;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCall;
import dev.rondo.scheduler.TaskGroup;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The door to the room `engine.scope`, which makes groups, scopes and generators. See [Rooms].
public abstract class Scopes {

  /// For the room.
  protected Scopes() {}

  /// A [TaskGroup] is one of these, so that programs cannot extend it.
  ///
  /// @param <T> the common type of the results of its tasks
  public abstract static non-sealed class Group<T extends @Nullable Object> extends TaskGroup<T> {

    /// For the room.
    protected Group() {}

    /// See [dev.rondo.scheduler.addon.TaskControl#spawnFor].
    protected abstract <U extends T> Task<U> spawnFor(
        TaskCore<?> maker, String name, TaskCall<? extends U, ?> code);
  }

  /// A [CancelScope] is one of these.
  public abstract static non-sealed class Scope extends CancelScope {

    /// For the room.
    protected Scope() {}
  }

  /// A [Generator] is one of these.
  ///
  /// @param <T> the type of the elements
  public abstract static non-sealed class Elements<T extends @Nullable Object>
      extends Generator<T> {

    /// For the room.
    protected Elements() {}
  }

  static Scopes room() {
    return Rooms.behind(Scopes.class);
  }

  // For the faces.

  /// {@return a new [TaskGroup]}
  public static <T extends @Nullable Object> TaskGroup<T> newGroup(
      Scheduler scheduler, String name, TaskGroup.Policy policy) {
    return room()
        .group(
            (SchedulerCore) Objects.requireNonNull(scheduler, "scheduler is null"), name, policy);
  }

  /// {@return a new [CancelScope]}
  public static CancelScope newScope(Scheduler scheduler, String name) {
    return room().scope(core(scheduler), Objects.requireNonNull(name, "name is null"));
  }

  /// {@return a new [Generator]}
  public static <T extends @Nullable Object> Generator<T> newGenerator(
      Scheduler scheduler, String name, Generator.Body<T> body) {
    return room().generator(core(scheduler), name, body);
  }

  private static SchedulerCore core(Scheduler scheduler) {
    return (SchedulerCore) Objects.requireNonNull(scheduler, "scheduler is null");
  }

  // For the room.

  /// Makes a group, on the thread of its scheduler.
  protected abstract <T extends @Nullable Object> TaskGroup<T> group(
      SchedulerCore scheduler, String name, TaskGroup.Policy policy);

  /// Makes a scope, on the thread of its scheduler.
  protected abstract CancelScope scope(SchedulerCore scheduler, String name);

  /// Makes a generator.
  protected abstract <T extends @Nullable Object> Generator<T> generator(
      SchedulerCore scheduler, String name, Generator.Body<T> body);

  /// See [Scheduler#within(Duration, TaskCall)].
  protected abstract <T extends @Nullable Object, X extends Exception> T within(
      Loop loop, Duration timeout, TaskCall<? extends T, X> code) throws X;

  /// See [Scheduler#shielded(TaskCall)].
  protected abstract <T extends @Nullable Object, X extends Exception> T shielded(
      Loop loop, TaskCall<? extends T, X> code) throws X;
}
