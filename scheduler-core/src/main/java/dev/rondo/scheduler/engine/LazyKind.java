package dev.rondo.scheduler.engine;

import org.jspecify.annotations.Nullable;

/// What the tasks of a [LazyChain] have in common: how each is made, and how it has its turn
/// without being made.
///
/// Confined to the scheduler's thread, but for what says so.
abstract sealed class LazyKind permits LazyStacks, Commands {

  final Loop loop;

  LazyKind(Loop loop) {
    this.loop = loop;
  }

  /// Makes a task. The caller puts it where the subject was.
  ///
  /// @param running whether it has its turn, in [#turn]
  abstract TaskCore<?> make(Object subject, long id, long parentId, boolean running);

  /// Makes a task that tells other threads which one has its turn. It is registered nowhere. Any
  /// thread.
  abstract TaskCore<?> portrait(Object subject, long id, long parentId);

  /// Gives a task its turn.
  ///
  /// @return the task; null if it has ended and was never made
  abstract @Nullable TaskCore<?> turn(Object subject);
}
