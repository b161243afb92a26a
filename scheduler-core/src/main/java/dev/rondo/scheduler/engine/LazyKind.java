package dev.rondo.scheduler.engine;

import org.jspecify.annotations.Nullable;

/// A kind of lazy tasks. It gives the tasks of a [LazyChain] their turns without making them, and
/// makes a task when that is needed.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
abstract sealed class LazyKind permits LazyStackfulTasks, LazyCommands {

  final Loop loop;

  LazyKind(Loop loop) {
    this.loop = loop;
  }

  /// Makes a task. The caller puts it where the subject was.
  ///
  /// @param running whether it has its turn, in [#turn]
  abstract TaskCore<?> make(Object subject, long id, long parentId, boolean running);

  /// Makes a task that describes, for other threads, the task that has the turn. It is registered
  /// nowhere. Any thread.
  abstract TaskCore<?> portrait(Object subject, long id, long parentId);

  /// Gives the first task of a chain its turn. The tasks behind it may have their turns in the same
  /// call, see [LazyCoroutineBody].
  ///
  /// @return the task that had the last of these turns; null if it has ended and was never made
  abstract @Nullable TaskCore<?> turn(LazyChain chain);
}
