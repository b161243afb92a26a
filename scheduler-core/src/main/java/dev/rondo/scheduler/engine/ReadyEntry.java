package dev.rondo.scheduler.engine;

/// What stands in the ready queue: a task, a [WaitChain] of tasks that were woken together, or a
/// [LazyChain] of tasks that are not made yet. Linked through slots of the [TaskTable].
abstract sealed class ReadyEntry permits Completion, LazyChain, WaitChain {

  /// Where it is registered; none before it is scheduled and after it has ended.
  int slot = TaskTable.NONE;

  /// Slots of its neighbours in the ready queue; none outside of it.
  int next = TaskTable.NONE;

  int previous = TaskTable.NONE;
}
