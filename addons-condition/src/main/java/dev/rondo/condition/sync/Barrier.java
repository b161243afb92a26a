package dev.rondo.condition.sync;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import org.jspecify.annotations.Nullable;

/// A meeting point for a fixed number of tasks, used repeatedly. When the last task arrives, all go
/// on in the order of their arrival. Opening takes constant time, however many tasks wait.
///
/// A task that stops waiting in [#await()], because it is cancelled, times out, or is scheduled
/// directly, *breaks* the barrier, as in `java.util.concurrent`. The other tasks, and tasks that
/// arrive later, fail with a [BrokenBarrierException] instead of waiting for a task that will not
/// arrive. [#reset()] repairs it. A task that waits for the barrier as a `Waitable`, as in a
/// select, and leaves it for another branch breaks nothing: it has not arrived, and may come back.
///
/// Confined to the scheduler's thread. The `await` methods are suspension points, the others are
/// not.
public final class Barrier extends Synchronizer<Boolean> {

  private final int parties;
  private final Waitable<Boolean> arrival = new Arrival();
  private long trips;
  private @Nullable String brokenBecause;

  /// Makes a barrier at which no task has arrived. Never a suspension point.
  ///
  /// @param scheduler whose tasks wait
  /// @param name shown in reports
  /// @param parties the number of tasks that wait for each other, at least one
  /// @throws IllegalArgumentException if there are fewer
  public Barrier(Scheduler scheduler, String name, int parties) {
    super(scheduler, "barrier", name);
    if (parties < 1) {
      throw new IllegalArgumentException(
          "%s needs at least 1 party, parties=%d".formatted(this, parties));
    }
    this.parties = parties;
  }

  /// Arrives, and waits until all tasks have arrived. *Always* a suspension point.
  ///
  /// @return true for exactly one task, the last to arrive, which may do work for all
  /// @throws BrokenBarrierException if the barrier is broken or breaks during the wait
  /// @throws IllegalStateException outside a stackful task
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; that breaks the barrier
  /// @throws TaskCancelled if the task is cancelled; if it had arrived, that breaks the barrier
  public boolean await() {
    return scheduler.host().awaitEvent(arrival);
  }

  /// Repairs the barrier if it is broken, and fails all present waits with a
  /// [BrokenBarrierException]. Never a suspension point.
  ///
  /// @return the number of tasks that waited
  public int reset() {
    scheduler.host().checkThread();
    brokenBecause = null;
    return waiters.failAll(broken("it was reset"));
  }

  private BrokenBarrierException broken(String because) {
    return new BrokenBarrierException("%s is broken: %s".formatted(this, because));
  }

  // Looking.

  /// The number of times that all tasks have passed.
  long trips() {
    scheduler.host().checkThread();
    return trips;
  }

  /// Whether it is broken.
  boolean isBroken() {
    scheduler.host().checkThread();
    return brokenBecause != null;
  }

  // Being awaited.

  @Override
  public boolean poll(Waiter<? super Boolean> waiter) {
    scheduler.host().checkThread();
    if (brokenBecause != null) {
      return waiter.fail(broken(brokenBecause));
    }
    if (waiters.size() < parties - 1) {
      return false;
    }
    trips++;
    var _ = waiters.fireAll(false);
    return waiter.fire(true);
  }

  /// False: the last task to arrive gives way too, and goes on behind the others.
  @Override
  public boolean isEager() {
    return false;
  }

  private void breakFor(Task<?> task) {
    brokenBecause = "task '" + task.name() + "' had arrived and stopped waiting";
    var _ = waiters.failAll(broken(brokenBecause));
  }

  /// The wait of [#await()]: leaving it breaks the barrier.
  private final class Arrival implements Source<Boolean> {

    @Override
    public boolean poll(Waiter<? super Boolean> waiter) {
      return Barrier.this.poll(waiter);
    }

    @Override
    public void arm(Waiter<? super Boolean> waiter) {
      Barrier.this.arm(waiter);
    }

    @Override
    public void disarm(Waiter<? super Boolean> waiter) {
      if (waiters.remove(waiter)) {
        breakFor(waiter.task());
      }
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    @Override
    public boolean isEager() {
      return false;
    }

    @Override
    public String toString() {
      return Barrier.this.toString();
    }
  }
}
