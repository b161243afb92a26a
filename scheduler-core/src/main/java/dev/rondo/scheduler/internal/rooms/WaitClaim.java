package dev.rondo.scheduler.internal.rooms;

import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.WaiterCore;
import dev.rondo.scheduler.engine.util.SpinWait;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The right to settle one wait, for a source that several threads use. It can be taken once.
///
/// A source that is confined to a scheduler fires its waiters and needs no claim. A source that
/// several schedulers share publishes the claim of each waiter, see [#of]. A thread that has an
/// event for a waiter takes the claim of that waiter. If the thread succeeds, the wait is
/// *promised*: no cancellation, time limit or other branch of a select ends it. The thread must
/// then soon make the scheduler of the waiter call [#fire], best by posting a [PromisedEvent]. If
/// the thread does not succeed, the wait is over or promised to another thread, and the thread
/// keeps the event.
///
/// | from | to | cause |
/// |---|---|---|
/// | OPEN | TAKEN | taken by the source, or by other code that ends the wait |
/// | OPEN | HELD | the claims of two waits are about to be taken together |
/// | HELD | TAKEN | both claims were open |
/// | HELD | OPEN | the other claim was taken already |
///
/// A claim is held for a few instructions only. A thread that finds a claim held spins. If the
/// system has preempted the holding thread, the other thread yields, and then sleeps for 50 us at a
/// time. Of two claims, the older one is held first, so that threads never wait for each other in a
/// cycle. Any thread.
public final class WaitClaim implements Rooms.Claim {

  private static final int OPEN = 0;
  private static final int HELD = 1;
  private static final int TAKEN = 2;

  private static final AtomicLong AGES = new AtomicLong();
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(WaitClaim.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /// Compare-and-set by any thread; a thread that holds it writes it.
  private volatile int state;

  /// The order in which claims are held.
  private final long age = AGES.incrementAndGet();

  /// Makes an open claim of a thread that waits without a task.
  public WaitClaim() {}

  /// {@return the right to settle a wait, for a source that several threads use} After this call,
  /// nothing ends the wait without taking the claim. For use while the waiter is being armed, or is
  /// armed. The claim is valid for this wait only.
  ///
  /// @param waiter of the wait
  /// @throws IllegalStateException if the wait is over, or only polls
  /// @throws WrongThreadException if called on a thread other than the scheduler's
  public static WaitClaim of(Waiter<?> waiter) {
    return (WaitClaim) WaiterCore.of(waiter).claim();
  }

  /// Settles a wait with a value after its claim was taken, as [Waiter#fire] does otherwise.
  ///
  /// @param <T> the type of the value
  /// @param waiter of the wait
  /// @param value the result of the wait
  /// @return false if the task has not kept the wait; the event still belongs to the caller. The
  ///   task has ended, its scheduler is closed, its stack could not be left, or it is a step task
  ///   whose turn did not return the wait
  /// @throws WrongThreadException if called on a thread other than the scheduler's
  public <T extends @Nullable Object> boolean fire(Waiter<? super T> waiter, T value) {
    return WaiterCore.of(waiter).fireTaken(this, value);
  }

  /// Takes the claim.
  ///
  /// @return whether the claim was open
  @Override
  public boolean tryTake() {
    return move(TAKEN);
  }

  @Override
  public boolean deliver(Object posted) {
    Objects.requireNonNull(posted, "posted is null");
    boolean isMine = posted instanceof PromisedEvent event && event.claim() == this;
    if (isMine) {
      ((PromisedEvent) posted).run();
    }
    return isMine;
  }

  /// Takes the claims of two waits, or neither.
  ///
  /// @param one any
  /// @param other the claim of another wait
  /// @return whether both claims were open
  /// @throws IllegalArgumentException if both are the same: the branches of a select share one
  public static boolean tryTakeBoth(WaitClaim one, WaitClaim other) {
    Objects.requireNonNull(one, "one is null");
    Objects.requireNonNull(other, "other is null");
    if (one == other) {
      throw new IllegalArgumentException(
          "both claims are the same: a select that offers and wants the same thing exchanges"
              + " nothing with itself");
    }
    boolean inOrder = one.age < other.age;
    WaitClaim first = inOrder ? one : other;
    WaitClaim second = inOrder ? other : one;
    if (!first.move(HELD)) {
      return false;
    }
    boolean both = second.tryTake();
    first.state = both ? TAKEN : OPEN;
    return both;
  }

  /// {@return whether the claim was taken}
  public boolean isTaken() {
    return state == TAKEN;
  }

  /// Leaves the open state.
  private boolean move(int to) {
    for (int tries = 1; ; tries++) {
      int seen = state;
      if (seen == TAKEN) {
        return false;
      }
      if (seen == OPEN && STATE.compareAndSet(this, OPEN, to)) {
        return true;
      }
      SpinWait.pause(tries);
    }
  }

  /// The event of a wait whose claim was taken. The thread that took the claim posts the event to
  /// the scheduler of the waiter, see [dev.rondo.scheduler.Scheduler#post].
  ///
  /// Any other action can be posted instead. But if the stack of the waiting task turns out to be
  /// pinned, the task needs its event at once: it finds a promised event among the posted actions,
  /// and its wait succeeds. With any other action the wait fails although the operation has taken
  /// effect.
  public interface PromisedEvent extends Runnable {

    /// {@return the claim that was taken} Any thread.
    WaitClaim claim();

    /// Calls [WaitClaim#fire]. Called on the scheduler's thread, as a posted action or within the
    /// suspension point of the waiting task.
    @Override
    void run();
  }
}
