package dev.rondo.condition;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimeoutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Phases, counted from zero: a phase ends when every registered party has arrived. Unlike with a
/// [Barrier] parties come and go, and arriving is one thing, waiting another: a task may arrive and
/// go on, or wait without being a party; one that stops waiting has arrived all the same.
///
/// When the last party leaves, the phaser is *over*: whoever waits goes on, and nobody can register
/// any more.
///
/// As a `Waitable` it is the end of the current phase, whichever that is when the wait begins;
/// [#phase(long)] is the end of a certain one. Either results in the number of the phase that has
/// begun. Ending a phase takes the same time however many wait; they run in the order they began to
/// wait.
///
/// Confined to the scheduler's thread.
public final class Phaser extends Synchronizer<Long> {

  private long phase;
  private int parties;
  private int missing;
  private boolean over;

  /// Never a suspension point.
  ///
  /// @param scheduler whose tasks wait
  /// @param name shown in reports
  /// @param parties how many are registered at first, at least zero
  /// @throws IllegalArgumentException if they are fewer
  public Phaser(Scheduler scheduler, String name, int parties) {
    super(scheduler, "phaser", name);
    if (parties < 0) {
      throw new IllegalArgumentException(
          "%s needs at least 0 parties, parties=%d".formatted(this, parties));
    }
    this.parties = parties;
    this.missing = parties;
  }

  // The parties.

  /// One more party; the current phase waits for it too. Never a suspension point.
  ///
  /// @return the number of the current phase
  /// @throws IllegalStateException if the phaser is over
  public long register() {
    scheduler.checkThread();
    if (over) {
      throw new IllegalStateException("%s is over: nobody can register".formatted(this));
    }
    parties++;
    missing++;
    return phase;
  }

  /// One party has arrived; it is expected in the next phase again. Never a suspension point.
  ///
  /// @return the number of the phase it arrived in
  /// @throws IllegalStateException if nobody is registered, or all have arrived
  public long arrive() {
    return arrived("arrive()");
  }

  /// One party has arrived, and will not come again. Never a suspension point.
  ///
  /// @return the number of the phase it arrived in
  /// @throws IllegalStateException if nobody is registered
  public long arriveAndDeregister() {
    scheduler.checkThread();
    requireMissing("arriveAndDeregister()");
    parties--;
    return arrived("arriveAndDeregister()");
  }

  private long arrived(String call) {
    scheduler.checkThread();
    requireMissing(call);
    long current = phase;
    if (--missing == 0) {
      phase++;
      missing = parties;
      over = parties == 0;
      var _ = waiters.fireAll(phase);
    }
    return current;
  }

  private void requireMissing(String call) {
    if (missing == 0) {
      throw new IllegalStateException(
          "%s of %s, which %s"
              .formatted(call, this, over ? "is over" : "has no party: register() first"));
    }
  }

  // Waiting.

  /// [#arrive()], and waits for the end of the phase. *Always* a suspension point.
  ///
  /// @return the number of the phase that has begun
  /// @throws IllegalStateException if nobody is registered; outside of a stackful task; or if the
  ///   wait was ended by `scheduleTask`. In the latter cases it has arrived
  /// @throws TaskCancelled if the task is cancelled; it has arrived
  public long arriveAndAwait() {
    return awaitPhase(arrive());
  }

  /// Waits for the end of a phase. *Always* a suspension point.
  ///
  /// @param number of the current phase, or of an earlier one: that has ended
  /// @return the number of the current phase
  /// @throws IllegalArgumentException if that phase has not begun
  /// @throws IllegalStateException outside of a stackful task, or if the wait was ended by
  ///   `scheduleTask`
  /// @throws TaskCancelled if the task is cancelled
  public long awaitPhase(long number) {
    return awaited(number, awaited(scheduler, phase(number)));
  }

  /// [#awaitPhase(long)] with a limit. *Always* a suspension point.
  ///
  /// @param number of the current phase, or of an earlier one
  /// @param timeout at least zero
  /// @return the number of the current phase
  /// @throws TimeoutException if it had not ended in time
  /// @throws IllegalArgumentException if that phase has not begun, or the timeout is negative
  public long awaitPhase(long number, Duration timeout) {
    return awaited(number, awaited(scheduler, phase(number), timeout));
  }

  private long awaited(long number, @Nullable Object awaited) {
    if (awaited instanceof Long begun && hasEnded(number)) {
      return begun;
    }
    throw endedBySomebody(phase(number));
  }

  /// {@return the end of a phase, to be awaited or selected} Never a suspension point.
  ///
  /// @param number of the current phase, or of an earlier one: that has ended
  /// @throws IllegalArgumentException if that phase has not begun
  public Waitable<Long> phase(long number) {
    scheduler.checkThread();
    if (number < 0 || number > phase) {
      throw new IllegalArgumentException(
          "%s is in phase %d, and phase %d has not begun".formatted(this, phase, number));
    }
    return new End(this, number);
  }

  private boolean hasEnded(long number) {
    return number != phase || over;
  }

  // Looking.

  /// {@return the number of the current phase}
  public long phase() {
    scheduler.checkThread();
    return phase;
  }

  /// {@return how many are registered}
  public int parties() {
    scheduler.checkThread();
    return parties;
  }

  /// {@return how many have not arrived in the current phase}
  public int missing() {
    scheduler.checkThread();
    return missing;
  }

  /// {@return whether the last party has left}
  public boolean isOver() {
    scheduler.checkThread();
    return over;
  }

  // Being awaited.

  @Override
  public boolean poll(Waiter<? super Long> waiter) {
    scheduler.checkThread();
    return over && waiter.fire(phase);
  }

  /// False: it is a fact that one looks at, so a wait gives way at least once.
  @Override
  public boolean isEager() {
    return false;
  }

  /// The end of one phase.
  private record End(Phaser phaser, long number) implements Waitable<Long> {

    @Override
    public boolean poll(Waiter<? super Long> waiter) {
      return phaser.hasEnded(number) && waiter.fire(phaser.phase);
    }

    @Override
    public void arm(Waiter<? super Long> waiter) {
      if (!poll(waiter)) {
        phaser.waiters.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super Long> waiter) {
      phaser.disarm(waiter);
    }

    @Override
    public boolean isEager() {
      return false;
    }

    @Override
    public String toString() {
      return "phase " + number + " of " + phaser;
    }
  }
}
