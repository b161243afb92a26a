package dev.rondo.condition.sync;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;

/// A sequence of phases, counted from zero: a phase ends when every registered [Party] has arrived.
/// Unlike with a [Barrier], parties come and go, and arriving is separate from waiting: a party may
/// arrive without waiting, and any task may wait.
///
/// ```java
/// try (var party = phaser.register()) {
///   while (work()) {
///     party.arriveAndAwait();
///   }
/// } // the others no longer wait for it
/// ```
///
/// When the last party leaves, the phaser is *over*: all waiting tasks go on, and no party can
/// register any more.
///
/// As a `Waitable`, a phaser is the end of the phase that is current when the wait begins;
/// [#phase(long)] is the end of a given phase. Both result in the number of the phase that has
/// begun. Ending a phase takes constant time, however many tasks wait; they run in the order they
/// began to wait.
///
/// Confined to the scheduler's thread.
public final class Phaser extends Synchronizer<Long> {

  private long phase;
  private int parties;

  /// The number of parties that have not arrived in the current phase.
  private int missing;

  private boolean over;

  /// Makes a phaser without parties. Never a suspension point.
  ///
  /// @param scheduler whose tasks wait
  /// @param name shown in reports
  public Phaser(Scheduler scheduler, String name) {
    super(scheduler, "phaser", name);
  }

  // The parties.

  /// Adds a party; the current phase waits for it too. Never a suspension point.
  ///
  /// @return the party, to arrive with and to be closed
  /// @throws IllegalStateException if the phaser is over
  public Party register() {
    scheduler.host().checkThread();
    if (over) {
      throw new IllegalStateException("%s is over: no party can register".formatted(this));
    }
    parties++;
    missing++;
    return new Party(this);
  }

  /// A participant that each phase waits for. It belongs to no task and can arrive once in each
  /// phase.
  ///
  /// Confined to the scheduler's thread.
  public static final class Party implements AutoCloseable {

    private static final long NEVER = -1;

    private final Phaser phaser;
    private long arrivedIn = NEVER;
    private boolean left;

    private Party(Phaser phaser) {
      this.phaser = phaser;
    }

    /// Arrives in the current phase, which ends if this was the last party. Never a suspension
    /// point.
    ///
    /// @return the number of that phase
    /// @throws IllegalStateException if it has arrived in this phase already, or has left
    public long arrive() {
      phaser.scheduler.host().checkThread();
      if (left || hasArrived()) {
        throw new IllegalStateException(
            "a party of %s arrives in phase %d, but it has %s"
                .formatted(phaser, phaser.phase, left ? "left" : "arrived in it already"));
      }
      arrivedIn = phaser.phase;
      phaser.arrived();
      return arrivedIn;
    }

    /// Arrives, see [#arrive()], and waits for the end of the phase. *Always* a suspension point.
    ///
    /// @return the number of the phase that has begun
    /// @throws IllegalStateException if it has arrived in this phase already, or has left; or
    ///   outside a stackful task: then it has arrived
    /// @throws ScheduledDirectlyException if the task is scheduled meanwhile; it has arrived
    /// @throws TaskCancelled if the task is cancelled; it has arrived
    public long arriveAndAwait() {
      return phaser.scheduler.host().awaitEvent(phaser.phase(arrive()));
    }

    private boolean hasArrived() {
      return arrivedIn == phaser.phase;
    }

    /// Leaves: no phase waits for it any more, the current one included. Closing again does
    /// nothing. Never a suspension point.
    ///
    /// @throws WrongThreadException on another thread
    @Override
    public void close() {
      phaser.scheduler.host().checkThread();
      if (left) {
        return;
      }
      left = true;
      phaser.parties--;
      if (!hasArrived()) {
        phaser.arrived();
      }
    }

    @Override
    public String toString() {
      return "party of " + phaser + (left ? ", has left" : "");
    }
  }

  private void arrived() {
    if (--missing == 0) {
      phase++;
      missing = parties;
      over = parties == 0;
      var _ = waiters.fireAll(phase);
    }
  }

  // Waiting.

  /// {@return the end of a phase, to await or select} Never a suspension point.
  ///
  /// @param number of the current phase, or of an earlier one, which has ended
  /// @throws IllegalArgumentException if that phase has not begun
  public Waitable<Long> phase(long number) {
    scheduler.host().checkThread();
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
    scheduler.host().checkThread();
    return phase;
  }

  /// {@return the number of parties that are registered}
  int parties() {
    scheduler.host().checkThread();
    return parties;
  }

  /// {@return the number of parties that have not arrived in the current phase}
  int missing() {
    scheduler.host().checkThread();
    return missing;
  }

  /// {@return whether the last party has left}
  boolean isOver() {
    scheduler.host().checkThread();
    return over;
  }

  // Being awaited.

  @Override
  public boolean poll(Waiter<? super Long> waiter) {
    scheduler.host().checkThread();
    return over && waiter.fire(phase);
  }

  /// False: the end of a phase is observed, not taken, so a wait gives way at least once.
  @Override
  public boolean isEager() {
    return false;
  }

  /// The end of one phase.
  private record End(Phaser phaser, long number) implements Source<Long> {

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
    public Scheduler scheduler() {
      return phaser.scheduler;
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
