package dev.rondo.scheduler.engine;

import org.jspecify.annotations.Nullable;

/// Makes the tasks of a [LazyChain], and gives them turns without making them.
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

  /// Makes a task that describes to other threads the one that has its turn. It is registered
  /// nowhere. Any thread.
  abstract TaskCore<?> portrait(Object subject, long id, long parentId);

  /// Gives the first task of a chain its turn. Those behind it may have theirs in the same call,
  /// see [LazyCoroutineBody].
  ///
  /// @return the task that has had the last turn; null if that has ended and was never made
  abstract @Nullable TaskCore<?> turn(LazyChain chain);
}
