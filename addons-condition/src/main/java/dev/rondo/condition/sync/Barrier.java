package dev.rondo.condition.sync;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A fixed number of tasks wait for each other, again and again. The last to arrive lets them all
/// go on, in the order they arrived, itself behind them; opening takes the same time however many
/// they are.
///
/// A task that stops waiting in [#await()] - cancelled, timed out, scheduled directly - *breaks*
/// the barrier, as in `java.util.concurrent`: the others, and who comes later, get a
/// [BrokenBarrierException] instead of waiting for somebody who will not come. [#reset()] mends it.
/// A task that waits for it as a `Waitable`, in a select for instance, and leaves it for something
/// else breaks nothing: it has not arrived then, and may come back.
///
/// Confined to the scheduler's thread. [#await()] is a suspension point, nothing else is.
public final class Barrier extends Synchronizer<Boolean> {

  private final int parties;
  private final Waitable<Boolean> faithful = new Faithful();
  private long trips;
  private @Nullable String brokenBecause;

  /// Never a suspension point.
  ///
  /// @param scheduler whose tasks wait
  /// @param name shown in reports
  /// @param parties how many wait for each other, at least one
  /// @return the barrier
  /// @throws IllegalArgumentException if they are fewer
  public static Barrier create(Scheduler scheduler, String name, int parties) {
    return new Barrier(scheduler, name, parties);
  }

  private Barrier(Scheduler scheduler, String name, int parties) {
    super(scheduler, "barrier", name);
    if (parties < 1) {
      throw new IllegalArgumentException(
          "%s needs at least 1 party, parties=%d".formatted(this, parties));
    }
    this.parties = parties;
  }

  /// Arrives, and waits until all have. *Always* a suspension point.
  ///
  /// @return true for just one of them, the last to arrive: the one to do what has to be done once
  /// @throws BrokenBarrierException if another one stopped waiting, or had done so before
  /// @throws IllegalStateException outside of a stackful task, or if the wait was ended by
  ///   `scheduleTask`; the barrier is broken then
  /// @throws TaskCancelled if the task is cancelled; if it had arrived the barrier is broken then
  public boolean await() {
    return arrived(awaited(scheduler, faithful));
  }

  /// [#await()] with a limit. *Always* a suspension point.
  ///
  /// @param timeout at least zero
  /// @return true for just one of them, the last to arrive
  /// @throws dev.rondo.scheduler.TimedOutException if not all have arrived in time; the barrier is
  ///   broken then
  /// @throws IllegalArgumentException if the timeout is negative
  public boolean await(Duration timeout) {
    return arrived(awaited(scheduler, faithful, timeout));
  }

  private boolean arrived(@Nullable Object awaited) {
    if (awaited instanceof Boolean last) {
      return last;
    }
    throw endedBySomebody();
  }

  /// Mends it if it is broken; whoever waits is told that it is broken. Never a suspension point.
  ///
  /// @return how many waited
  public int reset() {
    scheduler.host().checkThread();
    brokenBecause = null;
    return waiters.failAll(broken("it was reset"));
  }

  private BrokenBarrierException broken(String because) {
    return new BrokenBarrierException("%s is broken: %s".formatted(this, because));
  }

  // Looking.

  /// {@return how many wait for each other}
  public int parties() {
    return parties;
  }

  /// {@return how often it was passed by all}
  public long trips() {
    scheduler.host().checkThread();
    return trips;
  }

  /// {@return whether it is broken}
  public boolean isBroken() {
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

  /// False: the last to arrive gives way too, and goes on behind the others.
  @Override
  public boolean isEager() {
    return false;
  }

  private void breakFor(Task<?> task) {
    brokenBecause = "task '" + task.name() + "' had arrived and stopped waiting";
    var _ = waiters.failAll(broken(brokenBecause));
  }

  /// Waiting for it with the promise to stay.
  private final class Faithful implements Waitable<Boolean> {

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
    public boolean isEager() {
      return false;
    }

    @Override
    public String toString() {
      return Barrier.this.toString();
    }
  }
}
