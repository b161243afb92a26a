package dev.rondo.cluster;

import dev.rondo.cluster.internal.engine.Frame;
import dev.rondo.cluster.members.DeliveryException.Reason;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.internal.rooms.Attachment;
import java.util.ArrayDeque;
import java.util.Deque;

/// The messages from this member to one mailbox, or one signal, of one member that have been sent
/// and not taken, and the tasks that wait to send more.
final class SendWindow {

  private final PostOffice office;
  private final PostOffice.Route route;
  private final Deque<Delivery> outstanding = new ArrayDeque<>();
  private final Backlog backlog = new Backlog();
  final WaitQueue<Delivery> waiters = new WaitQueue<>();

  /// Whether the receiver counts as this does: what it has of an earlier window, from before this
  /// member lost sight of it, is not counted here.
  private boolean hasSent;

  /// The message of a waiting sender, attached to its waiter.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Waiting(SendWindow window, byte[] message) {}

  SendWindow(PostOffice office, PostOffice.Route route) {
    this.office = office;
    this.route = route;
  }

  /// Whether a message can be sent before those of no other task.
  boolean isOpen() {
    return !backlog.isFull() && waiters.isEmpty();
  }

  Delivery next(byte[] message) {
    return office.newDelivery(route, message.length);
  }

  void send(Delivery delivery, byte[] message) {
    outstanding.add(delivery);
    backlog.add(delivery.bytes);
    office.carry(
        route.to(),
        hasSent
            ? Frame.message(route.signal(), delivery.number, route.name(), message)
            : Frame.first(route.signal(), delivery.number, route.name(), message));
    hasSent = true;
  }

  /// All messages up to a number were taken, unless they were refused.
  void taken(long number) {
    while (!outstanding.isEmpty() && outstanding.getFirst().number <= number) {
      Delivery first = outstanding.removeFirst();
      backlog.remove(first.bytes);
      first.succeed();
    }
    serve();
  }

  void refused(long number, Reason reason) {
    for (Delivery each : outstanding) {
      if (each.number == number) {
        var _ = outstanding.remove(each);
        backlog.remove(each.bytes);
        each.fail(reason);
        break;
      }
    }
    serve();
  }

  private void serve() {
    while (!backlog.isFull()) {
      Waiter<? super Delivery> waiter = waiters.poll();
      if (waiter == null) {
        return;
      }
      if (Attachment.of(waiter) instanceof Waiting(var _, byte[] message)) {
        Delivery delivery = next(message);
        if (waiter.fire(delivery)) {
          send(delivery, message);
        }
      }
    }
  }

  /// The member has left.
  void fail() {
    while (!outstanding.isEmpty()) {
      Delivery first = outstanding.removeFirst();
      backlog.remove(first.bytes);
      first.fail(Reason.MEMBER_LEFT);
    }
    var _ = waiters.failAll(route.failure(Reason.MEMBER_LEFT));
  }

  /// {@return how many messages were sent that the receiver has not confirmed}
  int unconfirmed() {
    return outstanding.size();
  }

  /// {@return whether there is nothing to say of it}
  boolean isIdle() {
    return outstanding.isEmpty() && waiters.isEmpty();
  }

  @Override
  public String toString() {
    return "%s sent and not confirmed, tasks that wait: %d".formatted(backlog, waiters.size());
  }
}
