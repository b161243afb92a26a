package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.members.DeliveryException;
import dev.rondo.cluster.members.DeliveryException.Reason;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import org.jspecify.annotations.Nullable;

/// A message on its way to a mailbox. A program that wants to know whether it was received waits
/// for it; any other ignores it.
///
/// The wait ends when a task of the other member has *taken* the message, or fails with a
/// [DeliveryException]. Confined to the scheduler's thread.
public final class Delivery implements Waitable<@Nullable Void> {

  private final Scheduler scheduler;
  private final PostOffice.Route route;
  final long number;

  /// The bytes of its message.
  final int bytes;

  private final WaitQueue<@Nullable Void> waiters = new WaitQueue<>();
  private boolean taken;
  private @Nullable Reason refused;

  Delivery(Scheduler scheduler, PostOffice.Route route, long number, int bytes) {
    this.scheduler = scheduler;
    this.route = route;
    this.number = number;
    this.bytes = bytes;
  }

  /// Waits until a task of the other member has taken the message. A *possible* suspension point.
  ///
  /// @throws DeliveryException if none has, or it is not known
  public void awaitTaken() {
    scheduler.host().awaitEvent(this);
  }

  /// {@return whether a task of the other member has taken the message} Never a suspension point.
  public boolean isTaken() {
    scheduler.host().checkThread();
    return taken;
  }

  void succeed() {
    taken = true;
    var _ = waiters.fireAll(null);
  }

  void fail(Reason reason) {
    refused = reason;
    var _ = waiters.failAll(failure(reason));
  }

  private DeliveryException failure(Reason reason) {
    return new DeliveryException(reason, this + " was not delivered: " + reason);
  }

  @Override
  @SuppressWarnings("NullAway") // the wait results in null
  public boolean poll(Waiter<? super @Nullable Void> waiter) {
    if (taken) {
      return waiter.fire(null);
    }
    return refused != null && waiter.fail(failure(requireNonNull(refused)));
  }

  @Override
  public void arm(Waiter<? super @Nullable Void> waiter) {
    if (!poll(waiter)) {
      waiters.add(waiter);
    }
  }

  @Override
  public void disarm(Waiter<? super @Nullable Void> waiter) {
    var _ = waiters.remove(waiter);
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public String toString() {
    return "message to " + route;
  }
}
