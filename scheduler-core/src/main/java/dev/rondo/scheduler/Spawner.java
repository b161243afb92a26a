package dev.rondo.scheduler;

import kotlin.internal.LowPriorityInOverloadResolution;
import org.jspecify.annotations.Nullable;

/// Starts tasks. A spawner is a [Scheduler], an application, or an open [TaskGroup], whose tasks
/// have results of a common type.
///
/// Each method puts a new task at the back of the ready queue. The caller keeps its turn. Confined
/// to the scheduler's thread; never a suspension point. A method throws [IllegalStateException] if
/// the scheduler is closed, or the group is not open.
///
/// @param <T> the common type of the results
public interface Spawner<T extends @Nullable Object> {

  /// Makes a stackful task and puts it at the back of the ready queue.
  ///
  /// @param <U> the type of the result
  /// @param code may suspend at any depth
  /// @return the task; cancelled already if the group is cancelled
  <U extends T> Task<U> spawn(TaskCall<? extends U, ?> code);

  /// [#spawn(TaskCall)] with a name.
  ///
  /// @param <U> the type of the result
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task; cancelled already if the group is cancelled
  <U extends T> Task<U> spawn(String name, TaskCall<? extends U, ?> code);

  /// [#spawn(TaskCall)] for code without a result: among the results of a group it is null.
  ///
  /// @param code may suspend at any depth
  /// @return the task; cancelled already if the group is cancelled
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  Task<Void> spawn(TaskAction<?> code);

  /// [#spawn(TaskAction)] with a name.
  ///
  /// @param name shown in reports
  /// @param code may suspend at any depth
  /// @return the task; cancelled already if the group is cancelled
  @LowPriorityInOverloadResolution // a Kotlin annotation: see TaskAction
  Task<Void> spawn(String name, TaskAction<?> code);
}
