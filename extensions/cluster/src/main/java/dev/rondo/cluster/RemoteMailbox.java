package dev.rondo.cluster;

import dev.rondo.cluster.members.DeliveryException;
import dev.rondo.cluster.members.DeliveryException.Reason;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.internal.rooms.Attachment;

/// The way to a mailbox of a member, which may be this one. See [WaitForCluster#to].
///
/// A message arrives at most once: it is lost if the member leaves, has no such mailbox, or does
/// not understand it. The [Delivery] of a message has the answer, for a program that wants it.
///
/// A task that sends waits while 1,024 messages, or 1 MiB, of this member wait in that mailbox.
/// Tasks send in the order in which they began to.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the messages
public final class RemoteMailbox<T> {

  private final PostOffice office;
  private final Way way;
  private final Codec<T> codec;

  RemoteMailbox(PostOffice office, Way way, Codec<T> codec) {
    this.office = office;
    this.way = way;
    this.codec = codec;
  }

  /// Sends a message. A *possible* suspension point: the task waits while the mailbox has too many
  /// of this member. If it is cancelled meanwhile it has sent nothing.
  ///
  /// @param message encoded at once
  /// @return the message on its way
  /// @throws DeliveryException if there is no such member, or it leaves while the task waits; then
  ///   nothing was sent
  /// @throws IllegalArgumentException if it has more bytes than the limits allow, or they are Java
  ///   serialization
  public Delivery send(T message) {
    return office.scheduler().host().awaitEvent(sending(message));
  }

  /// {@return a wait that sends a message, for a limit or a select} It results in the message on
  /// its way. Never a suspension point itself.
  ///
  /// @param message encoded at once
  /// @throws IllegalArgumentException as [#send] does
  public Waitable<Delivery> sending(T message) {
    office.scheduler().host().checkThread();
    return new Sending(office.encoded(codec, message));
  }

  @Override
  public String toString() {
    return way.toString();
  }

  private final class Sending implements Waitable<Delivery> {

    private final byte[] message;

    Sending(byte[] message) {
      this.message = message;
    }

    @Override
    public boolean poll(Waiter<? super Delivery> waiter) {
      SendWindow window = way.window();
      if (window == null) {
        return waiter.fail(new DeliveryException(Reason.NO_MEMBER, "no such member: " + way));
      }
      if (!window.isOpen()) {
        return false;
      }
      Delivery delivery = window.next(message);
      if (!waiter.fire(delivery)) {
        return false;
      }
      window.send(delivery, message);
      return true;
    }

    @Override
    public void arm(Waiter<? super Delivery> waiter) {
      SendWindow window = way.window();
      if (!poll(waiter) && window != null) {
        Attachment.set(waiter, new SendWindow.Waiting(window, message));
        window.waiters.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super Delivery> waiter) {
      if (Attachment.of(waiter) instanceof SendWindow.Waiting(SendWindow window, var _)) {
        var _ = window.waiters.remove(waiter);
      }
    }

    @Override
    public Scheduler scheduler() {
      return office.scheduler();
    }

    @Override
    public String toString() {
      return "send to " + way;
    }
  }
}
