package dev.rondo.cluster;

import dev.rondo.cluster.members.DeliveryException.Reason;
import dev.rondo.cluster.members.Member;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A mailbox of this member: its tasks receive what tasks of all members send to it. See
/// [WaitForCluster#mailbox].
///
/// What one task sends arrives in order. A message that is received is confirmed to its sender, and
/// lets that member send another: a mailbox holds 1,024 messages and 1 MiB of each member, and one
/// message more. A receive that is cancelled, out of time, or loses a select has taken none.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the messages
public final class Mailbox<T> implements AutoCloseable {

  private record Letter<T>(Member from, long number, T message, int bytes, Backlog backlog) {}

  private final PostOffice office;
  private final Scheduler scheduler;
  private final String name;
  private final Codec<T> codec;
  private final Deque<Letter<T>> letters = new ArrayDeque<>();

  /// What each sender counts as well. A letter that came before its sender began to count again is
  /// counted in none of them.
  private final Map<Member, Backlog> held = new HashMap<>();

  private final WaitQueue<T> waiters = new WaitQueue<>();
  private final Waitable<T> receiving = new Receiving();
  private boolean closed;

  Mailbox(PostOffice office, String name, Codec<T> codec) {
    this.office = office;
    this.scheduler = office.scheduler();
    this.name = name;
    this.codec = codec;
    office.open(name, false, new Slot());
  }

  /// What the post office knows of it.
  private final class Slot implements PostOffice.Receiving {

    @Override
    public @Nullable Reason receive(Member from, long number, byte[] message) {
      return arrived(from, number, message);
    }

    @Override
    public void countAnew(Member from) {
      var _ = held.remove(from);
    }

    @Override
    public int size() {
      return letters.size();
    }
  }

  private @Nullable Reason arrived(Member from, long number, byte[] bytes) {
    Backlog backlog = held.get(from);
    if (backlog != null && backlog.isFull()) {
      return Reason.OVERRUN;
    }
    T message = office.decoded(codec, this, bytes);
    if (message == null) {
      return Reason.BAD_BYTES;
    }
    backlog = held.computeIfAbsent(from, member -> new Backlog());
    backlog.add(bytes.length);
    letters.add(new Letter<>(from, number, message, bytes.length, backlog));
    Letter<T> first = letters.getFirst();
    if (waiters.fireFirst(first.message())) {
      take();
    }
    return null;
  }

  private void take() {
    Letter<T> taken = letters.removeFirst();
    taken.backlog().remove(taken.bytes());
    if (taken.backlog().isEmpty()) {
      boolean _ = held.remove(taken.from(), taken.backlog());
    }
    office.taken(taken.from(), false, name, taken.number());
  }

  /// Receives a message. A *possible* suspension point.
  ///
  /// @return the message that has waited longest
  /// @throws MailboxClosedException if the mailbox is closed
  public T receive() {
    return scheduler.host().awaitEvent(receiving);
  }

  /// {@return a wait that receives a message, for a limit or a select} It fails with a
  /// [MailboxClosedException] if the mailbox is closed.
  public Waitable<T> receiving() {
    return receiving;
  }

  /// {@return how many messages wait here} Never a suspension point.
  int size() {
    scheduler.host().checkThread();
    return letters.size();
  }

  /// {@return its name}
  String name() {
    return name;
  }

  /// Closes it: messages that no task has received are refused, waiting tasks fail. Later calls do
  /// nothing. Never a suspension point.
  @Override
  public void close() {
    scheduler.host().checkThread();
    if (closed) {
      return;
    }
    closed = true;
    office.close(name);
    for (Letter<T> each : letters) {
      office.refuse(each.from(), false, name, each.number(), Reason.NO_MAILBOX);
    }
    letters.clear();
    held.clear();
    var _ = waiters.failAll(new MailboxClosedException(name));
  }

  @Override
  public String toString() {
    return "mailbox '" + name + "'";
  }

  private final class Receiving implements Source<T> {

    @Override
    public boolean poll(Waiter<? super T> waiter) {
      if (closed) {
        return waiter.fail(new MailboxClosedException(name));
      }
      Letter<T> first = letters.peek();
      if (first == null || !waiter.fire(first.message())) {
        return false;
      }
      take();
      return true;
    }

    @Override
    public void arm(Waiter<? super T> waiter) {
      if (!poll(waiter)) {
        waiters.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super T> waiter) {
      var _ = waiters.remove(waiter);
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    @Override
    public boolean mayStayArmed() {
      return true;
    }

    @Override
    public String toString() {
      return "receive from " + Mailbox.this;
    }
  }
}
