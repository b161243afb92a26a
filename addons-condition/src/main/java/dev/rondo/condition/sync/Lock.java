package dev.rondo.condition.sync;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.internal.rooms.Attachment;
import org.jspecify.annotations.Nullable;

/// A lock for tasks: a [Mutex], or a side of a [ReadWriteLock].
///
/// ```java
/// try (var held = mutex.lock()) {
///   // no other task is in here, even while this one waits
/// }
/// ```
///
/// On one thread a lock is needed only where a task suspends halfway through a change that others
/// must not see.
///
/// A lock is fair: first come, first served. No call overtakes a waiting task, [#tryLock()]
/// included. Unlocking *hands over*: the next task holds the lock before the unlocking call
/// returns. A lock is not reentrant: a task that locks it again fails at once. As a `Waitable`, a
/// lock can be awaited with a limit or in a select; a wait that ends without the lock leaves
/// nothing behind. Deadlock reports follow `Waitable.holder()`, the task that holds the lock.
///
/// A task that ends without unlocking may have left a change half done. The failure handler
/// receives a report, and the lock is *abandoned*: all present and later attempts to lock it fail
/// with an [AbandonedException]. A reader changes nothing, so its lock is reported and unlocked.
///
/// Confined to the scheduler's thread. The `lock` methods are possible suspension points, the
/// others are not.
public abstract sealed class Lock extends Synchronizer<LockGuard>
    permits Mutex, ReadWriteLock.Side {

  /// The queue may be shared: the lock that a waiter waits for is its attachment.
  Lock(Scheduler scheduler, String kind, String name, WaitQueue<LockGuard> waiters) {
    super(scheduler, kind, name, waiters);
  }

  // Where the kinds differ.

  /// Whether one more task could hold the lock now if no task waited.
  abstract boolean isFree();

  /// Makes a task hold the lock.
  abstract LockOwnership enter(Task<?> task);

  /// Records that a task no longer holds the lock.
  abstract void left(Task<?> task);

  /// Whether the holder may change the guarded state.
  abstract boolean isExclusive();

  /// The ownership of a task; null if it does not hold the lock.
  abstract @Nullable LockOwnership heldBy(Task<?> task);

  /// Describes the tasks that hold the lock, for messages.
  abstract String holders();

  /// Throws if a task that locks now would wait for itself.
  abstract void checkMayWait(Task<?> task);

  /// The task that ended while it held the lock; null if the lock is not abandoned.
  abstract @Nullable String abandonedBy();

  /// Sets [#abandonedBy()].
  abstract void abandonedBy(String task);

  // Locking.

  /// Locks; waits while other tasks hold the lock. A *possible* suspension point: none if the lock
  /// is free and no task waits, unless the turn's budget is spent.
  ///
  /// @return the held lock, to be closed
  /// @throws IllegalStateException if the task holds it already, or outside a stackful task
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; it does not hold it
  /// @throws AbandonedException if a task ended while it held the lock
  /// @throws TaskCancelled if the task is cancelled; it no longer waits
  public final LockGuard lock() {
    Task<?> task = current("lock");
    scheduler.checkpoint();
    LockOwnership free = tryEnter(task);
    return new LockGuard(free != null ? free : awaitThis().ownership());
  }

  /// Locks if the lock is free and no task waits for it. Never a suspension point.
  ///
  /// @return the held lock, to be closed, or null if it is not free; a try-with-resources accepts
  ///   null
  /// @throws IllegalStateException if the task holds it already, or outside a task
  /// @throws AbandonedException if a task ended while it held the lock
  public final @Nullable LockGuard tryLock() {
    LockOwnership free = tryEnter(current("tryLock"));
    return free == null ? null : new LockGuard(free);
  }

  private @Nullable LockOwnership tryEnter(Task<?> task) {
    checkMayWait(task);
    String ended = abandonedBy();
    if (ended != null) {
      throw abandonment(ended);
    }
    if (!waiters.isEmpty() || !isFree()) {
      return null;
    }
    return enter(task);
  }

  /// Unlocks as [LockGuard#close()] does, without the guard. Never a suspension point.
  ///
  /// @throws IllegalStateException if the current task does not hold it; the message names the
  ///   holder
  public final void unlock() {
    Task<?> task = current("unlock");
    LockOwnership ownership = heldBy(task);
    if (ownership == null) {
      throw notYours(task.name());
    }
    release(ownership, task);
  }

  private Task<?> current(String call) {
    Task<?> task = scheduler.currentTask();
    if (task == null) {
      scheduler.host().checkThread();
      throw new IllegalStateException(
          "%s of %s outside a task: a lock belongs to a task; spawn one".formatted(call, this));
    }
    return task;
  }

  private IllegalStateException notYours(String task) {
    return new IllegalStateException(
        "task '%s' unlocks %s, which it does not hold: %s".formatted(task, this, holders()));
  }

  /// See [LockGuard#close()].
  final void close(LockGuard held) {
    Task<?> holder = held.holder();
    if (holder == null) {
      scheduler.host().checkThread();
      return;
    }
    Task<?> task = scheduler.currentTask();
    if (holder != task) {
      scheduler.host().checkThread();
      throw task == null
          ? new IllegalStateException(
              "%s is unlocked outside a task: %s".formatted(this, holders()))
          : notYours(task.name());
    }
    release(held.ownership(), holder);
  }

  private void release(LockOwnership ownership, Task<?> task) {
    ownership.drop();
    left(task);
    handOver();
  }

  /// Gives the lock to the waiters at the front of the queue that can hold it now.
  final void handOver() {
    Waiter<? super LockGuard> first;
    while ((first = waiters.peek()) != null
        && Attachment.of(first) instanceof Lock wanted
        && wanted.isFree()
        && abandonedBy() == null) {
      var _ = waiters.remove(first);
      var _ = wanted.give(first);
    }
  }

  /// Gives the lock to a waiter; returns whether the waiter took it.
  private boolean give(Waiter<? super LockGuard> waiter) {
    Task<?> task = waiter.task();
    LockOwnership ownership = enter(task); // first: firing may hand over a free lock
    if (!waiter.fire(new LockGuard(ownership))) {
      ownership.drop();
      left(task);
      return false;
    }
    return true;
  }

  /// Called when a task has ended while it held the lock.
  final void abandoned(Task<?> task) {
    left(task);
    AbandonedException failure = abandonment(task.name());
    if (isExclusive()) {
      abandonedBy(task.name());
      var _ = waiters.failAll(failure);
    } else {
      handOver();
    }
    scheduler.host().report("end of task '" + task.name() + "'", failure);
  }

  private AbandonedException abandonment(String ended) {
    return new AbandonedException(
        "%s was abandoned: task '%s' ended without unlocking it; unlock in a finally block, or use try-with-resources"
            .formatted(this, ended));
  }

  // Being awaited.

  @Override
  public final boolean poll(Waiter<? super LockGuard> waiter) {
    scheduler.host().checkThread();
    checkMayWait(waiter.task());
    String ended = abandonedBy();
    if (ended != null) {
      return waiter.fail(abandonment(ended));
    }
    return waiters.isEmpty() && isFree() && give(waiter);
  }

  @Override
  public final void arm(Waiter<? super LockGuard> waiter) {
    if (!poll(waiter)) {
      Attachment.set(waiter, this);
      waiters.add(waiter);
    }
  }

  /// Waiters behind this one may go on, such as a reader behind a writer that gave up.
  @Override
  public final void disarm(Waiter<? super LockGuard> waiter) {
    if (waiters.remove(waiter)) {
      handOver();
    }
  }

  // Looking.

  /// {@return whether a task holds the lock}
  public abstract boolean isLocked();

  /// {@return whether the current task holds the lock} False outside tasks.
  final boolean isHeldByMe() {
    scheduler.host().checkThread();
    Task<?> task = scheduler.currentTask();
    return task != null && heldBy(task) != null;
  }
}
