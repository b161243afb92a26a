package dev.rondo.condition.sync;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A number of permits that tasks take and give back.
///
/// ```
/// try (var permit = connections.acquire()) {
///   // at most as many tasks in here as there are permits
/// }
/// ```
///
/// It is fair: first come, first served, and nobody overtakes those who wait, [#tryAcquire]
/// included; so one that wants many permits holds up those behind it who want few, and gets them.
/// Permits belong to no task: [#release(int)] is for anybody, and makes more of them if they were
/// not taken before. Who uses the [SemaphorePermit] that an acquisition answers gives back each
/// just once.
///
/// As a `Waitable` it is one permit; [#permits(int)] is several. A wait that ends otherwise leaves
/// nothing and takes nothing.
///
/// Confined to the scheduler's thread. [#acquire()] is a possible suspension point, nothing else
/// is.
public final class Semaphore extends Synchronizer<SemaphorePermit> {

  private int available;

  /// Never a suspension point.
  ///
  /// @param scheduler whose tasks take the permits
  /// @param name shown in reports
  /// @param permits how many there are at first, at least zero
  /// @return the semaphore
  /// @throws IllegalArgumentException if they are fewer
  public static Semaphore create(Scheduler scheduler, String name, int permits) {
    return new Semaphore(scheduler, name, permits);
  }

  private Semaphore(Scheduler scheduler, String name, int permits) {
    super(scheduler, "semaphore", name);
    if (permits < 0) {
      throw new IllegalArgumentException(
          "%s needs at least 0 permits, permits=%d".formatted(this, permits));
    }
    available = permits;
  }

  // Taking.

  /// Takes one permit; waits while there is none. A *possible* suspension point: none if there is
  /// one and nobody waits, but when the budget of the turn is spent.
  ///
  /// @return to be closed
  /// @throws IllegalStateException outside of a stackful task, or if the wait was ended by
  ///   `scheduleTask`: nothing is taken then
  /// @throws TaskCancelled if the task is cancelled; nothing is taken
  public SemaphorePermit acquire() {
    scheduler.checkpoint();
    SemaphorePermit free = tryAcquire();
    return free != null ? free : taken(awaitThis());
  }

  /// [#acquire()] of several at once. A *possible* suspension point in the same way.
  ///
  /// @param permits at least one
  /// @return to be closed
  /// @throws IllegalArgumentException if they are fewer
  public SemaphorePermit acquire(int permits) {
    return taken(awaited(scheduler, permits(permits)));
  }

  /// [#acquire(int)] with a limit. A *possible* suspension point in the same way.
  ///
  /// @param permits at least one
  /// @param timeout at least zero
  /// @return to be closed
  /// @throws dev.rondo.scheduler.TimedOutException if they were not there in time; nothing is taken
  /// @throws IllegalArgumentException if they are fewer, or the timeout is negative
  public SemaphorePermit acquire(int permits, Duration timeout) {
    return taken(awaited(scheduler, permits(permits), timeout));
  }

  private SemaphorePermit taken(@Nullable Object awaited) {
    if (awaited instanceof SemaphorePermit permits && permits.areOf(this)) {
      return permits;
    }
    throw endedBySomebody();
  }

  /// {@return an event that takes several permits at once when they are there} Never a suspension
  /// point.
  ///
  /// @param permits at least one
  /// @throws IllegalArgumentException if they are fewer
  public Waitable<SemaphorePermit> permits(int permits) {
    return new Request(this, positive(permits));
  }

  /// Takes one permit if there is one and nobody waits. Never a suspension point.
  ///
  /// @return to be closed; null if there is none. A try-with-resources takes null
  public @Nullable SemaphorePermit tryAcquire() {
    return tryAcquire(1);
  }

  /// [#tryAcquire()] of several at once. Never a suspension point.
  ///
  /// @param permits at least one
  /// @return to be closed; null if there are fewer
  /// @throws IllegalArgumentException if they are fewer than one
  public @Nullable SemaphorePermit tryAcquire(int permits) {
    scheduler.host().checkThread();
    if (available < positive(permits) || !waiters.isEmpty()) {
      return null;
    }
    available -= permits;
    return new SemaphorePermit(this, permits);
  }

  /// Takes all that are there, also in front of those who wait for more. Never a suspension point.
  ///
  /// @return how many
  public int drain() {
    scheduler.host().checkThread();
    int all = available;
    available = 0;
    return all;
  }

  // Giving back.

  /// [#release(int)] of one. Never a suspension point.
  public void release() {
    release(1);
  }

  /// Adds permits. Those who have waited longest and can have them have them when this returns, and
  /// run when the caller gives way. Never a suspension point.
  ///
  /// @param permits at least one
  /// @throws IllegalArgumentException if they are fewer
  /// @throws IllegalStateException if there were more than an `int` holds; nothing was added
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
        && first.attachment() instanceof Integer wanted
        && wanted <= available) {
      var _ = waiters.remove(first);
      var _ = give(first, wanted);
    }
  }

  /// Returns whether the waiter took them.
  private boolean give(Waiter<? super SemaphorePermit> waiter, int permits) {
    available -= permits; // first: firing may have others leave, which hands out what there is
    if (!waiter.fire(new SemaphorePermit(this, permits))) {
      available += permits;
      return false;
    }
    return true;
  }

  private int positive(int permits) {
    if (permits < 1) {
      throw new IllegalArgumentException(
          "%s was asked for permits=%d, at least 1 is required".formatted(this, permits));
    }
    return permits;
  }

  // Looking.

  /// {@return how many permits are there}
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
      handOut(); // it may have wanted more than those behind it
    }
  }

  private boolean poll(Waiter<? super SemaphorePermit> waiter, int permits) {
    scheduler.host().checkThread();
    return waiters.isEmpty() && available >= permits && give(waiter, permits);
  }

  private void arm(Waiter<? super SemaphorePermit> waiter, int permits) {
    if (!poll(waiter, permits)) {
      waiter.attach(permits);
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
    public String toString() {
      return "permits=" + permits + " of " + semaphore;
    }
  }
}
