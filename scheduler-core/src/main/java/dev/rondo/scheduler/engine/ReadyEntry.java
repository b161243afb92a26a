package dev.rondo.scheduler.engine;

import org.jspecify.annotations.Nullable;

/// An entry of the ready queue, which runs itself when its turn comes. It is a task, or an entry of
/// a room that stands for several tasks, such as a chain of lazy tasks. Entries are linked through
/// slots of the [ReadyQueue].
///
/// An entry that is not a task puts itself into the queue with [ReadyQueue#addLast(ReadyEntry)],
/// and calls [ReadyQueue#unmadeAdded()] for each task for which it stands.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
public abstract class ReadyEntry {

  /// The slot of this entry in the table; [ReadyQueue#NONE] before it is scheduled and after it has
  /// ended.
  public int slot = ReadyQueue.NONE;

  /// The slots of its neighbours in the ready queue; [ReadyQueue#NONE] outside of it.
  int next = ReadyQueue.NONE;

  int previous = ReadyQueue.NONE;

  /// Its slot in the table of tasks.
  public final int slot() {
    return slot;
  }

  /// Gives the first of its tasks a turn. Before the turn, the entry is the head of the ready
  /// queue. During the turn a task moves to the back, parks or ends.
  ///
  /// @return the task that has had the last turn; null if that task has ended and was never made
  public abstract @Nullable TaskCore<?> turn();

  /// The first of its tasks. This call makes the task if it was not made.
  public abstract TaskCore<?> makeFirst();

  /// A task that describes the first of its tasks, without making that task; null if there is none.
  /// Any thread.
  public abstract @Nullable TaskCore<?> portrait();

  /// The number of the first of its tasks.
  public abstract long id();

  /// The number of its tasks that are ready.
  public abstract int readyCount();
}
