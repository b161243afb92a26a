package dev.rondo.condition.sync;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What one task, or several of a kind, can have at a time: a [Mutex], or a side of a
/// [ReadWriteLock].
///
/// ```
/// try (var held = mutex.lock()) {
///   // nobody else is in here, also while this task waits for something
/// }
/// ```
///
/// On one thread a lock is needed only where a task gives way in the middle of something that
/// nobody else may see. It is fair: first come, first served, and nobody overtakes those who wait,
/// [#tryLock()] included. Unlocking *hands over*: whoever is next has the lock before the unlocking
/// call returns. It is not reentrant: a task that locks what it has already is told so at once. It
/// is a `Waitable`, so it can be awaited with a limit or in a select; a wait that ends otherwise
/// leaves nothing. `Waitable.holder()` is the task that has it, so a deadlock report shows who
/// waits for whom.
///
/// A task that ends and has not unlocked may have left something half done. That is reported to the
/// failure handler, and the lock is *abandoned*: everybody who waits for it, or will want it, gets
/// an [AbandonedException]. A reader leaves nothing half done: that is reported, and unlocked.
///
/// Confined to the scheduler's thread. [#lock()] is a possible suspension point, nothing else is.
public abstract sealed class Lock extends Synchronizer<LockGuard>
    permits Mutex, ReadWriteLock.Side {

  /// What the queue's waiters wait for, if it is shared, is attached to them.
  Lock(Scheduler scheduler, String kind, String name, WaitQueue<LockGuard> waiters) {
    super(scheduler, kind, name, waiters);
  }

  // What the kinds differ in.

  /// Whether one more task could have it now, if nobody waited.
  abstract boolean isFree();

  /// Lets a task have it.
  abstract LockOwnership enter(Task<?> task);

  /// A task does not have it any more.
  abstract void left(Task<?> task);

  /// Whether what it guards may be half changed while a task has it.
  abstract boolean isExclusive();

  /// What a task has of this lock; null if nothing.
  abstract @Nullable LockOwnership heldBy(Task<?> task);

  /// A name for who has it, for messages.
  abstract String holders();

  /// Says what is wrong with a task locking it that has it already, or cannot get it for that
  /// reason.
  abstract void checkMayWait(Task<?> task);

  /// The task that ended and had it; null if it was not abandoned.
  abstract @Nullable String abandonedBy();

  /// See [#abandonedBy()].
  abstract void abandonedBy(String task);

  // Locking.

  /// Takes it; waits while others have it. A *possible* suspension point: none if it is free and
  /// nobody waits, but when the budget of the turn is spent.
  ///
  /// @return to be closed
  /// @throws IllegalStateException if the task has it already; outside of a stackful task; or if
  ///   the wait was ended by `scheduleTask`: the task does not have it then
  /// @throws AbandonedException if a task ended and had it
  /// @throws TaskCancelled if the task is cancelled; it does not wait any more
  public final LockGuard lock() {
    Task<?> task = current("lock");
    scheduler.checkpoint();
    LockOwnership free = tryEnter(task);
    return new LockGuard(free != null ? free : won(awaitThis()));
  }

  /// [#lock()] with a limit. A *possible* suspension point in the same way.
  ///
  /// @param timeout at least zero
  /// @return to be closed
  /// @throws dev.rondo.scheduler.TimedOutException if it was not free in time; the task does not
  ///   wait any more
  /// @throws IllegalArgumentException if the timeout is negative
  public final LockGuard lock(Duration timeout) {
    return new LockGuard(won(awaitThis(timeout)));
  }

  private LockOwnership won(@Nullable Object awaited) {
    if (awaited instanceof LockGuard held
        && held.lock() == this
        && held.holder() == scheduler.currentTask()) {
      return held.possession();
    }
    throw endedBySomebody();
  }

  /// Takes it if it is free and nobody waits for it. Never a suspension point.
  ///
  /// @return to be closed; null if it is not free. A try-with-resources takes null
  /// @throws IllegalStateException if the task has it already, or outside of a task
  /// @throws AbandonedException if a task ended and had it
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

  /// What [LockGuard#close()] does, for who does not have that at hand. Never a suspension point.
  ///
  /// @throws IllegalStateException if the current task does not have it; the message names who does
  public final void unlock() {
    Task<?> task = current("unlock");
    LockOwnership possession = heldBy(task);
    if (possession == null) {
      throw notYours(task.name());
    }
    release(possession, task);
  }

  private Task<?> current(String call) {
    Task<?> task = scheduler.currentTask();
    if (task == null) {
      scheduler.host().checkThread();
      throw new IllegalStateException(
          "%s of %s outside of a task: a lock belongs to a task; spawn one".formatted(call, this));
    }
    return task;
  }

  private IllegalStateException notYours(String who) {
    return new IllegalStateException(
        "task '%s' unlocks %s, which it does not have: %s".formatted(who, this, holders()));
  }

  /// See [LockGuard#close()].
  final void close(LockGuard held) {
    Task<?> holder = held.holder();
    if (holder == null) {
      scheduler.host().checkThread();
      return;
    }
    if (!holder.isCurrent()) {
      scheduler.host().checkThread();
      Task<?> task = scheduler.currentTask();
      throw task == null
          ? new IllegalStateException(
              "%s is unlocked outside of a task: %s".formatted(this, holders()))
          : notYours(task.name());
    }
    release(held.possession(), holder);
  }

  private void release(LockOwnership possession, Task<?> task) {
    possession.drop();
    left(task);
    handOver();
  }

  /// Gives it to those in front who can have it.
  final void handOver() {
    Waiter<? super LockGuard> first;
    while ((first = waiters.peek()) != null
        && first.attachment() instanceof Lock wanted
        && wanted.isFree()
        && abandonedBy() == null) {
      var _ = waiters.remove(first);
      var _ = wanted.give(first);
    }
  }

  /// Returns whether the waiter took it.
  private boolean give(Waiter<? super LockGuard> waiter) {
    Task<?> task = waiter.task();
    LockOwnership possession = enter(task); // first: firing may hand over what is free
    if (!waiter.fire(new LockGuard(possession))) {
      possession.drop();
      left(task);
      return false;
    }
    return true;
  }

  /// A task ended and had it.
  final void abandoned(Task<?> task) {
    left(task);
    AbandonedException told = abandonment(task.name());
    if (isExclusive()) {
      abandonedBy(task.name());
      var _ = waiters.failAll(told);
    } else {
      handOver();
    }
    scheduler.host().report("end of task '" + task.name() + "'", told);
  }

  private AbandonedException abandonment(String ended) {
    return new AbandonedException(
        "%s was abandoned: task '%s' has ended and had not unlocked it; unlock in a finally, or with try-with-resources"
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
      waiter.attach(this);
      waiters.add(waiter);
    }
  }

  /// Whoever was behind it may go on: a reader behind a writer that gave up.
  @Override
  public final void disarm(Waiter<? super LockGuard> waiter) {
    if (waiters.remove(waiter)) {
      handOver();
    }
  }

  // Looking.

  /// {@return whether a task has it}
  public abstract boolean isLocked();

  /// {@return whether the current task has it} False outside of tasks.
  public final boolean isHeldByMe() {
    scheduler.host().checkThread();
    Task<?> task = scheduler.currentTask();
    return task != null && heldBy(task) != null;
  }
}
