package dev.rondo.condition.sync;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.internal.rooms.Attachment;
import org.jspecify.annotations.Nullable;

/// A number of permits that tasks take and return.
///
/// ```java
/// try (var permit = connections.acquire()) {
///   // at most as many tasks in here as there are permits
/// }
/// ```
///
/// A semaphore is fair: first come, first served. No call overtakes a waiting task, [#tryAcquire]
/// included, so a task that waits for many permits holds up tasks behind it that want few.
///
/// Permits belong to no task: any task may call [#release(int)], which adds permits even if they
/// were not taken before. Closing the [SemaphorePermit] that an acquisition returns gives back each
/// permit exactly once.
///
/// As a `Waitable`, a semaphore is one permit; [#permits(int)] is several. A wait that ends without
/// permits takes nothing and leaves nothing behind.
///
/// Confined to the scheduler's thread. [#acquire] is a possible suspension point, the other methods
/// are not.
public final class Semaphore extends Synchronizer<SemaphorePermit> {

  private int available;

  /// Makes a semaphore. Never a suspension point.
  ///
  /// @param scheduler whose tasks take the permits
  /// @param name shown in reports
  /// @param permits the initial number, at least zero
  /// @throws IllegalArgumentException if it is negative
  public Semaphore(Scheduler scheduler, String name, int permits) {
    super(scheduler, "semaphore", name);
    if (permits < 0) {
      throw new IllegalArgumentException(
          "%s needs at least 0 permits, permits=%d".formatted(this, permits));
    }
    available = permits;
  }

  // Taking.

  /// Takes one permit; waits while there is none. A *possible* suspension point: none if there is a
  /// permit and no task waits, unless the turn's budget is spent.
  ///
  /// @return the permit, to be closed
  /// @throws IllegalStateException outside a stackful task
  /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; nothing is taken
  /// @throws TaskCancelled if the task is cancelled; nothing is taken
  public SemaphorePermit acquire() {
    scheduler.checkpoint();
    SemaphorePermit free = tryAcquire(1);
    return free != null ? free : awaitThis();
  }

  /// {@return an event that takes several permits at once} Never a suspension point.
  ///
  /// @param permits at least one
  /// @throws IllegalArgumentException if the number is below one
  public Waitable<SemaphorePermit> permits(int permits) {
    return new Request(this, positive(permits));
  }

  /// Takes permits if there are enough and no task waits. Never a suspension point.
  ///
  /// @param permits at least one
  /// @return the permits, to be closed, or null if there are not enough
  /// @throws IllegalArgumentException if the number is below one
  public @Nullable SemaphorePermit tryAcquire(int permits) {
    scheduler.host().checkThread();
    if (available < positive(permits) || !waiters.isEmpty()) {
      return null;
    }
    available -= permits;
    return new SemaphorePermit(this, permits);
  }

  /// Takes all permits, even if tasks wait for more.
  int drain() {
    scheduler.host().checkThread();
    int all = available;
    available = 0;
    return all;
  }

  // Returning.

  /// Adds permits. The tasks that have waited longest hold permits when this method returns, and
  /// run when the caller gives way. Never a suspension point.
  ///
  /// @param permits at least one
  /// @throws IllegalArgumentException if the number is below one
  /// @throws IllegalStateException if there would be more than an `int` holds; nothing is added
  public void release(int permits) {
    scheduler.host().checkThread();
    if (positive(permits) > Integer.MAX_VALUE - available) {
      throw new IllegalStateException(
          "%s has %d permits and cannot have %d more".formatted(this, available, permits));
    }
    available += permits;
    handOut();
  }

  private void handOut() {
    Waiter<? super SemaphorePermit> first;
    while ((first = waiters.peek()) != null
        && Attachment.of(first) instanceof Integer wanted
        && wanted <= available) {
      var _ = waiters.remove(first);
      var _ = give(first, wanted);
    }
  }

  /// Gives permits to a waiter; returns whether it took them.
  private boolean give(Waiter<? super SemaphorePermit> waiter, int permits) {
    available -= permits; // first: firing may make others leave, which hands out available permits
    if (!waiter.fire(new SemaphorePermit(this, permits))) {
      available += permits;
      return false;
    }
    return true;
  }

  private int positive(int permits) {
    if (permits < 1) {
      throw new IllegalArgumentException(
          "%s needs at least 1 permit in a call, permits=%d".formatted(this, permits));
    }
    return permits;
  }

  // Looking.

  /// {@return the number of permits that are available}
  public int available() {
    scheduler.host().checkThread();
    return available;
  }

  // Being awaited.

  @Override
  public boolean poll(Waiter<? super SemaphorePermit> waiter) {
    return poll(waiter, 1);
  }

  @Override
  public void arm(Waiter<? super SemaphorePermit> waiter) {
    arm(waiter, 1);
  }

  @Override
  public void disarm(Waiter<? super SemaphorePermit> waiter) {
    if (waiters.remove(waiter)) {
      handOut(); // it may have waited for more permits than the waiters behind it
    }
  }

  private boolean poll(Waiter<? super SemaphorePermit> waiter, int permits) {
    scheduler.host().checkThread();
    return waiters.isEmpty() && available >= permits && give(waiter, permits);
  }

  private void arm(Waiter<? super SemaphorePermit> waiter, int permits) {
    if (!poll(waiter, permits)) {
      Attachment.set(waiter, permits);
      waiters.add(waiter);
    }
  }

  /// Several permits at once.
  private record Request(Semaphore semaphore, int permits) implements Waitable<SemaphorePermit> {

    @Override
    public boolean poll(Waiter<? super SemaphorePermit> waiter) {
      return semaphore.poll(waiter, permits);
    }

    @Override
    public void arm(Waiter<? super SemaphorePermit> waiter) {
      semaphore.arm(waiter, permits);
    }

    @Override
    public void disarm(Waiter<? super SemaphorePermit> waiter) {
      semaphore.disarm(waiter);
    }

    @Override
    public Scheduler scheduler() {
      return semaphore.scheduler;
    }

    @Override
    public String toString() {
      return "permits=" + permits + " of " + semaphore;
    }
  }
}
