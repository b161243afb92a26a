package dev.rondo.scheduler.engine;

import org.jspecify.annotations.Nullable;

/// An entry of the ready queue, which runs itself when its turn comes: a task, or an entry of a
/// room that stands for several tasks, as a chain of lazy tasks does. Entries are linked through
/// slots of the [TaskTable].
///
/// An entry that is no task puts itself into the queue with [ReadyQueue#addLast(ReadyEntry)], and
/// says with [ReadyQueue#unmadeAdded()] for how many tasks it stands.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
public abstract class ReadyEntry {

  /// Its slot in the table; [TaskTable#NONE] before it is scheduled and after it has ended.
  public int slot = TaskTable.NONE;

  /// The slots of its neighbours in the ready queue; [TaskTable#NONE] outside of it.
  int next = TaskTable.NONE;

  int previous = TaskTable.NONE;

  /// Its slot in the table of tasks.
  public final int slot() {
    return slot;
  }

  /// Gives the first of its tasks a turn. Before the turn, the entry is the head of the ready
  /// queue. During the turn a task moves to the back, parks or ends.
  ///
  /// @return the task that has had the last turn; null if that task has ended and was never made
  public abstract @Nullable TaskCore<?> turn();

  /// The first of its tasks, which is made now if it was not.
  public abstract TaskCore<?> makeFirst();

  /// A task that describes the first of its tasks, without making that; null if there is none. Any
  /// thread.
  public abstract @Nullable TaskCore<?> portrait();

  /// The number of the first of its tasks.
  public abstract long id();

  /// How many of its tasks are ready.
  public abstract int readyCount();
}
