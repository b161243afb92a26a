package dev.rondo.computicle;

import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.internal.rooms.WaitClaim;
import dev.rondo.scheduler.internal.rooms.WaitClaim.PromisedEvent;
import org.jspecify.annotations.Nullable;

/// A task's wait at an exchange. The task's scheduler receives the outcome by one post, and does
/// not count as deadlocked meanwhile.
final class TaskParty extends Party implements PromisedEvent {

  private final Exchange exchange;
  private final Waiter<? super Object> waiter;
  private final Scheduler scheduler;

  /// Confined to the scheduler's thread.
  private final KeepAlive others;

  /// Written by the thread that took the claim, before it posts.
  private @Nullable Object outcome;

  TaskParty(
      Exchange exchange, Waiter<? super Object> waiter, WaitClaim claim, @Nullable Object element) {
    super(claim, element);
    this.exchange = exchange;
    this.waiter = waiter;
    this.scheduler = (Scheduler) waiter.scheduler();
    this.others = scheduler.keepAlive();
  }

  @Override
  void settle(Object result) {
    outcome = result;
    if (scheduler.host().isOnThread()) {
      run();
    } else if (!scheduler.post(this)) { // its scheduler is closed, or has crashed in a simulation
      refused(result);
    }
  }

  @Override
  public WaitClaim claim() {
    return claim;
  }

  @Override
  public void run() {
    others.close();
    Object result = outcome;
    if (result != null && !claim.fire(waiter, result)) {
      refused(result);
    }
  }

  /// The task has given up its wait. A message for it goes to the next party. A message from it is
  /// sent.
  private void refused(Object result) {
    if (element == null && !(result instanceof Closing)) {
      exchange.giveBack(result);
    }
  }

  /// The wait has ended. On the scheduler's thread.
  void leave() {
    exchange.leave(this);
    others.close();
  }

  /// The task has not begun to wait. On the scheduler's thread.
  void dismiss() {
    others.close();
  }
}
