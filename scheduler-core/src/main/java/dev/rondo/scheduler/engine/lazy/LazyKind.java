package dev.rondo.scheduler.engine.lazy;

import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.ReadyQueue;
import dev.rondo.scheduler.engine.TaskCore;
import org.jspecify.annotations.Nullable;

/// A kind of lazy tasks. It gives the tasks of a [LazyChain] their turns without making them, and
/// makes a task when that is needed.
///
/// Confined to the scheduler's thread, except where a method says otherwise.
abstract sealed class LazyKind permits LazyStackfulTasks, LazyCommands {

  final Loop loop;
  private final ReadyQueue tasks;

  /// An empty chain for the next use; null if there is none.
  private @Nullable LazyChain spare;

  LazyKind(Loop loop) {
    this.loop = loop;
    this.tasks = loop.tasks;
  }

  /// Puts a task that need not be made yet at the back of the ready queue, see [Loop#isLazy()].
  ///
  /// @return a ticket for [#remove]
  final long add(Object subject) {
    long parentId = loop.runningId();
    long id = loop.nextTaskId();
    LazyChain chain =
        tasks.last() instanceof LazyChain last && last.takes(this, id, parentId)
            ? last
            : newChain(id, parentId);
    chain.add(subject);
    tasks.unmadeAdded();
    loop.entryJoined();
    return ((long) chain.slot << Integer.SIZE) | (id & 0xFFFF_FFFFL);
  }

  private LazyChain newChain(long id, long parentId) {
    LazyChain chain = spare == null ? new LazyChain(this) : spare;
    spare = null;
    chain.begin(id, parentId);
    chain.slot = tasks.addLast(chain);
    return chain;
  }

  /// Takes a lazy task back.
  ///
  /// @param ticket from [#add]
  /// @return false if the task was made, has begun or has ended
  final boolean remove(Object subject, long ticket) {
    if (!(tasks.entryAt((int) (ticket >>> Integer.SIZE)) instanceof LazyChain chain)
        || !chain.remove(subject, (int) ticket)) {
      return false;
    }
    hasLeft(chain);
    unmadeLeft();
    return true;
  }

  /// Gives a place of its own to the first task of a chain, which was just made.
  final void giveOwnPlace(TaskCore<?> task, LazyChain chain) {
    tasks.made(task, chain.slot);
  }

  /// Called when a task has left its chain.
  final void hasLeft(LazyChain chain) {
    if (chain.readyCount() == 0) {
      tasks.removeEmpty(chain.slot);
      if (chain.isSmall()) {
        spare = chain;
      }
    }
  }

  /// Called when a task that was never made has left the ready queue.
  final void unmadeLeft() {
    if (tasks.unmadeLeft()) {
      loop.lastHasEnded();
    }
  }

  /// Makes a task. The caller puts the task at the place of the subject.
  ///
  /// @param running whether the task has its turn, in [#turn]
  abstract TaskCore<?> make(Object subject, long id, long parentId, boolean running);

  /// Makes a task that describes, for other threads, the task that has the turn. The new task is
  /// not registered. Any thread.
  abstract TaskCore<?> portrait(Object subject, long id, long parentId);

  /// Gives the first task of a chain its turn. The tasks behind it may have their turns in the same
  /// call, see [LazyCoroutineBody].
  ///
  /// @return the task that had the last of these turns; null if that task has ended and was never
  ///   made
  abstract @Nullable TaskCore<?> turn(LazyChain chain);
}
