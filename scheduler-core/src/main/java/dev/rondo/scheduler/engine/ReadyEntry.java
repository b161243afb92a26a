package dev.rondo.scheduler.engine;

/// An entry of the ready queue: a task, or a [LazyChain] of tasks that are not made yet. Entries
/// are linked through slots of the [TaskTable].
abstract sealed class ReadyEntry permits Completion, LazyChain {

  /// Its slot in the table; [TaskTable#NONE] before it is scheduled and after it has ended.
  int slot = TaskTable.NONE;

  /// The slots of its neighbours in the ready queue; [TaskTable#NONE] outside of it.
  int next = TaskTable.NONE;

  int previous = TaskTable.NONE;
}
