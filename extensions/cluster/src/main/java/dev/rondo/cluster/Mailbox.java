package dev.rondo.cluster;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.members.DeliveryException.Reason;
import dev.rondo.cluster.members.Member;
import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A mailbox of this member: its tasks receive what tasks of all members send to it. See
/// [WaitForCluster#mailbox].
///
/// Messages of one task arrive in order. A message that is received is confirmed to its sender, and
/// lets that member send another: a mailbox holds 1,024 messages and 1 MiB of each member, and one
/// message more. A receive that is cancelled, out of time, or loses a select has taken none.
///
/// Receiving ends when this member closes the mailbox: in order by [#close()], with a failure by
/// [#cancel(Throwable)]. Messages that no task has received are refused then.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the messages
public final class Mailbox<T> implements ReceiveChannel<T>, AutoCloseable {

  private record Letter<T>(Member from, long number, T message, int bytes, Backlog backlog) {}

  private final PostOffice office;
  private final Scheduler scheduler;
  private final String name;
  private final Codec<T> codec;
  private final Deque<Letter<T>> letters = new ArrayDeque<>();

  /// What each sender counts as well. A letter that came before its sender began to count again is
  /// counted in none of them.
  private final Map<Member, Backlog> held = new HashMap<>();

  private final WaitQueue<Optional<T>> waiters = new WaitQueue<>();
  private final Receiving arrival = new Receiving();
  private final Waitable<T> receiving = arrival.map(this::messageOrThrow);
  private final Waitable<Optional<T>> receivingOrEnd = arrival.map(this::messageOrEnd);
  private boolean closed;

  /// Whether it was closed by [#cancel()]: what is received after it is not an end in order.
  private boolean cancelled;

  /// The cause of its cancellation; null for none.
  private @Nullable Throwable cause;

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
    if (waiters.fireFirst(Optional.of(first.message()))) {
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

  @Override
  public T receive() {
    return scheduler.host().awaitEvent(receiving);
  }

  @Override
  public T receive(Duration timeout) {
    return scheduler.host().awaitEvent(receiving, timeout);
  }

  @Override
  public @Nullable T tryReceive() {
    scheduler.host().checkThread();
    if (closed) {
      throw closedException();
    }
    Letter<T> first = letters.peek();
    if (first == null) {
      return null;
    }
    take();
    return first.message();
  }

  @Override
  public Waitable<T> receiving() {
    return receiving;
  }

  @Override
  public Waitable<Optional<T>> receivingOrEnd() {
    return receivingOrEnd;
  }

  private T messageOrThrow(Optional<T> received) {
    return received.orElseThrow(this::closedException);
  }

  private Optional<T> messageOrEnd(Optional<T> received) {
    if (received.isEmpty() && (cancelled || cause != null)) {
      throw closedException();
    }
    return received;
  }

  private ClosedException closedException() {
    return new ClosedException("receive from " + this + ", which this member has closed", cause);
  }

  @Override
  public boolean isClosedForReceive() {
    scheduler.host().checkThread();
    return closed;
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
    end(null);
  }

  /// [#close()].
  ///
  /// @return none: what no task has received is refused, and its sender learns of it
  @Override
  public List<T> cancel() {
    cancelled |= !closed;
    end(null);
    return List.of();
  }

  /// [#close()] because of a failure, which is the cause of what receivers fail with.
  ///
  /// @param failure of several calls the first counts
  /// @return none: what no task has received is refused, and its sender learns of it
  @Override
  public List<T> cancel(Throwable failure) {
    end(requireNonNull(failure, "failure is null: use cancel()"));
    return List.of();
  }

  private void end(@Nullable Throwable failure) {
    scheduler.host().checkThread();
    if (closed) {
      return;
    }
    closed = true;
    cause = failure;
    office.close(name);
    for (Letter<T> each : letters) {
      office.refuse(each.from(), false, name, each.number(), Reason.NO_MAILBOX);
    }
    letters.clear();
    held.clear();
    var _ = waiters.fireAll(Optional.empty());
  }

  @Override
  public String toString() {
    return "mailbox '" + name + "'";
  }

  /// Results in a message, or in nothing when the mailbox is closed.
  private final class Receiving implements Source<Optional<T>> {

    @Override
    public boolean poll(Waiter<? super Optional<T>> waiter) {
      if (closed) {
        return waiter.fire(Optional.empty());
      }
      Letter<T> first = letters.peek();
      if (first == null || !waiter.fire(Optional.of(first.message()))) {
        return false;
      }
      take();
      return true;
    }

    @Override
    public void arm(Waiter<? super Optional<T>> waiter) {
      if (!poll(waiter)) {
        waiters.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super Optional<T>> waiter) {
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
