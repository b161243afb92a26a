package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.ClosedException;
import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SendChannel;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.internal.rooms.Attachment;
import dev.rondo.scheduler.internal.rooms.WaitClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A channel between threads: tasks of any scheduler of the process, and other threads, exchange
/// messages here. coutil has endpoints of this kind.
///
/// With a capacity of zero it is a *rendezvous*: a sender waits until a receiver has its message.
/// Otherwise a sender waits while the buffer is full. Sending and receiving are [Waitable]s: a task
/// can select over endpoints, sockets and timers, on both sides at once.
///
/// No message is lost or received twice, whichever side is cancelled, times out, selects another
/// branch, or ends. The only exception is a scheduler that a simulation abandons like a crash. A
/// message that one of its tasks was about to receive is lost, and a message that it waited to send
/// can still be received.
///
/// A message is **handed over**: once sent, it belongs to the receiver. Send immutable messages, or
/// do not use them after the send. Actions of the sender before the send *happen before* actions of
/// the receiver after the receive. Messages of one sender are received in the order of its sends.
///
/// Any thread may use an endpoint: tasks of any scheduler, and threads without a scheduler. On a
/// thread without a scheduler, `send`, `receive` and iteration block. If the thread is interrupted,
/// they throw a [CancellationException], the thread stays interrupted, and no message was sent or
/// taken. While a task waits here its scheduler is not deadlocked, because another thread may send.
/// A virtual clock goes on meanwhile. A close or cancel frees the name in [Endpoints].
///
/// @param <T> the messages; never null
public final class Endpoint<T> implements SendChannel<T>, ReceiveChannel<T> {

  private final String name;
  private final Exchange exchange;
  private final Runnable atEnd;
  private final @Nullable SharingCheck check;
  private final Receiving receiving = new Receiving();
  private final Waitable<T> messages = receiving.map(this::messageOrThrow);
  private final Waitable<Optional<T>> messagesOrEnd = receiving.map(this::messageOrEnd);
  private final Function<Object, @Nullable Void> whenSent = this::requireSent;

  Endpoint(String name, int capacity, boolean checked, Runnable atEnd) {
    this.name = requireNonNull(name, "name is null");
    if (capacity < 0) {
      throw new IllegalArgumentException(
          "capacity must be at least 0, but is " + capacity + "; 0 is a rendezvous");
    }
    this.exchange = new Exchange(capacity);
    this.check = checked ? new SharingCheck(this) : null;
    this.atEnd = atEnd;
  }

  /// Makes an endpoint that is in no registry. Any thread.
  ///
  /// @param name shown in messages
  /// @param capacity of the buffer, at least 0; 0 is a rendezvous
  /// @throws IllegalArgumentException if the capacity is below 0
  public Endpoint(String name, int capacity) {
    this(name, capacity, SharingCheck.isOnByDefault(), () -> {});
  }

  /// {@return the name of the endpoint} Any thread.
  String name() {
    return name;
  }

  /// {@return the capacity of the buffer in messages; 0 for a rendezvous} Any thread.
  int capacity() {
    return exchange.capacity();
  }

  // Sending.

  @Override
  public void send(T message) {
    Object sent = outgoing(message);
    Scheduler here = Scheduler.currentOrNull();
    if (here == null) {
      requireSent(sendBlocking(sent, Long.MAX_VALUE, null));
      return;
    }
    here.checkpoint();
    Object answer = exchange.put(sent, null);
    requireSent(
        answer == Exchange.Answer.WAIT ? here.host().awaitEvent(new Sending(sent)) : answer);
  }

  @Override
  public void send(T message, Duration timeout) {
    Object sent = outgoing(message);
    long nanos = Ending.nanos(requireNonNull(timeout, "timeout is null"));
    Scheduler here = Scheduler.currentOrNull();
    requireSent(
        here == null
            ? sendBlocking(sent, nanos, timeout)
            : here.host().awaitEvent(new Sending(sent), timeout));
  }

  private Object sendBlocking(Object sent, long nanos, @Nullable Duration timeout) {
    var party = new ThreadParty(sent);
    Object answer = exchange.put(sent, party);
    return answer == Exchange.Answer.WAIT ? block(party, nanos, timeout, "send to ") : answer;
  }

  @Override
  public boolean trySend(T message) {
    Object answer = exchange.put(outgoing(message), null);
    if (answer == Exchange.Answer.WAIT) {
      return false;
    }
    requireSent(answer);
    return true;
  }

  @Override
  public Waitable<@Nullable Void> sending(T message) {
    return new Sending(outgoing(message)).map(whenSent);
  }

  private @Nullable Void requireSent(Object outcome) {
    if (outcome instanceof Closing closed) {
      throw closed.toSender(this);
    }
    return null;
  }

  private Object outgoing(T message) {
    requireNonNull(message, "message is null");
    return check == null ? message : check.outgoing(message);
  }

  /// A wait to send one message.
  private final class Sending implements Waitable<Object> {

    private final Object message;

    Sending(Object message) {
      this.message = message;
    }

    @Override
    public boolean poll(Waiter<? super Object> waiter) {
      Object answer = exchange.put(message, null);
      return answer != Exchange.Answer.WAIT && waiter.fire(answer);
    }

    @Override
    public void arm(Waiter<? super Object> waiter) {
      WaitClaim claim = WaitClaim.of(waiter);
      var party = new TaskParty(exchange, waiter, claim, message);
      settleOrKeep(party, waiter, exchange.put(message, party));
    }

    @Override
    public void disarm(Waiter<? super Object> waiter) {
      withdraw(waiter);
    }

    @Override
    public String toString() {
      return "send to " + Endpoint.this;
    }
  }

  // Receiving.

  @Override
  public T receive() {
    Scheduler here = Scheduler.currentOrNull();
    if (here == null) {
      return messageOrThrow(receiveBlocking(Long.MAX_VALUE, null));
    }
    here.checkpoint();
    return messageOrThrow(takeOrAwait(here));
  }

  private Object takeOrAwait(Scheduler here) {
    Object answer = exchange.take(null);
    return answer == Exchange.Answer.WAIT ? here.host().awaitEvent(receiving) : answer;
  }

  @Override
  public T receive(Duration timeout) {
    long nanos = Ending.nanos(requireNonNull(timeout, "timeout is null"));
    Scheduler here = Scheduler.currentOrNull();
    return messageOrThrow(
        here == null
            ? receiveBlocking(nanos, timeout)
            : here.host().awaitEvent(receiving, timeout));
  }

  private Object receiveBlocking(long nanos, @Nullable Duration timeout) {
    var party = new ThreadParty(null);
    Object answer = exchange.take(party);
    return answer == Exchange.Answer.WAIT ? block(party, nanos, timeout, "receive from ") : answer;
  }

  /// Receives several messages at once: waits for the first message as [#receive()] does, and takes
  /// the other messages that are there then. In a task a *possible* suspension point.
  ///
  /// @param atMost at least 1
  /// @return at least one message
  /// @throws ClosedException if no more messages will come
  /// @throws IllegalArgumentException if `atMost` is below 1
  public List<T> receiveSome(int atMost) {
    if (atMost < 1) {
      throw new IllegalArgumentException("atMost must be at least 1, but is " + atMost);
    }
    List<T> received = new ArrayList<>();
    received.add(receive());
    exchange.takeSome(atMost - 1, each -> received.add(message(each)));
    return received;
  }

  @Override
  public @Nullable T tryReceive() {
    Object answer = exchange.take(null);
    return answer == Exchange.Answer.WAIT ? null : messageOrThrow(answer);
  }

  @Override
  public Waitable<T> receiving() {
    return messages;
  }

  @Override
  public Waitable<Optional<T>> receivingOrEnd() {
    return messagesOrEnd;
  }

  private T messageOrThrow(Object outcome) {
    if (outcome instanceof Closing closed) {
      throw closed.toReceiver(this);
    }
    return message(outcome);
  }

  private Optional<T> messageOrEnd(Object outcome) {
    return outcome instanceof Closing closed && closed.isEnd()
        ? Optional.empty()
        : Optional.of(messageOrThrow(outcome));
  }

  /// Casts a sent message to its type.
  @SuppressWarnings("unchecked")
  private T message(Object received) {
    return (T) (check == null ? received : check.incoming(received));
  }

  /// A wait to receive. It has no state, so all waits share one object.
  private final class Receiving implements Waitable<Object> {

    @Override
    public boolean poll(Waiter<? super Object> waiter) {
      Object answer = exchange.take(null);
      if (answer == Exchange.Answer.WAIT) {
        return false;
      }
      boolean taken = waiter.fire(answer);
      if (!taken && !(answer instanceof Closing)) {
        exchange.giveBack(answer);
      }
      return taken;
    }

    @Override
    public void arm(Waiter<? super Object> waiter) {
      var party = new TaskParty(exchange, waiter, WaitClaim.of(waiter), null);
      settleOrKeep(party, waiter, exchange.take(party));
    }

    @Override
    public void disarm(Waiter<? super Object> waiter) {
      withdraw(waiter);
    }

    @Override
    public String toString() {
      return "receive from " + Endpoint.this;
    }
  }

  /// Receives one message ahead, which `hasNext` needs.
  private final class Messages implements Iterator<T> {

    private @Nullable Object ahead;

    @Override
    public boolean hasNext() {
      Object outcome = ahead;
      if (outcome == null) {
        outcome = next(Scheduler.currentOrNull());
        ahead = outcome;
      }
      if (outcome instanceof Closing closed) {
        if (closed.isEnd()) {
          return false;
        }
        throw closed.toReceiver(Endpoint.this);
      }
      return true;
    }

    private Object next(@Nullable Scheduler here) {
      if (here == null) {
        return receiveBlocking(Long.MAX_VALUE, null);
      }
      here.checkpoint();
      return takeOrAwait(here);
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException(Endpoint.this + " was closed and is empty");
      }
      T message = messageOrThrow(requireNonNull(ahead));
      ahead = null;
      return message;
    }
  }

  @Override
  public Iterator<T> iterator() {
    return new Messages();
  }

  // Waiting.

  /// A task has armed its waiter. Settles the wait if the exchange had an answer. Otherwise keeps
  /// the party until the answer comes.
  private static void settleOrKeep(TaskParty party, Waiter<? super Object> waiter, Object answer) {
    if (answer == Exchange.Answer.WAIT) {
      Attachment.set(waiter, party);
      return;
    }
    party.dismiss();
    if (answer instanceof Closing) {
      waiter.fire(answer);
    } else if (answer != Exchange.Answer.PROMISED) {
      party.claim.fire(waiter, answer);
    }
  }

  private static void withdraw(Waiter<? super Object> waiter) {
    if (Attachment.of(waiter) instanceof TaskParty party) {
      party.leave();
    }
  }

  private Object block(ThreadParty party, long nanos, @Nullable Duration timeout, String what) {
    Object outcome = party.await(nanos);
    if (outcome != null) {
      return outcome;
    }
    exchange.leave(party);
    if (timeout == null || Thread.currentThread().isInterrupted()) {
      throw new CancellationException(
          what + this + " was interrupted, and has neither sent nor received anything");
    }
    throw new TimedOutException(timeout, what + this);
  }

  // The end.

  @Override
  public void close() {
    close(new Closing(false, null));
  }

  @Override
  public void close(Throwable cause) {
    close(new Closing(false, requireNonNull(cause, "cause is null: use close()")));
  }

  private void close(Closing reason) {
    exchange.close(reason);
    atEnd.run();
  }

  @Override
  public List<T> cancel() {
    return cancelBecauseOf(null);
  }

  @Override
  public List<T> cancel(Throwable cause) {
    return cancelBecauseOf(requireNonNull(cause, "cause is null: use cancel()"));
  }

  /// [#cancel()] because of a failure, if there is one.
  List<T> cancelBecauseOf(@Nullable Throwable failure) {
    close(new Closing(true, failure));
    return exchange.clear().stream().map(this::message).toList();
  }

  @Override
  public boolean isClosedForSend() {
    return exchange.closing() != null;
  }

  @Override
  public boolean isClosedForReceive() {
    return exchange.closing() != null && exchange.size() == 0;
  }

  // Looking.

  /// The number of messages in the buffer at this moment.
  int size() {
    return exchange.size();
  }

  /// The number of tasks and threads that wait to send at this moment.
  int waitingSenderCount() {
    return exchange.waitingSenderCount();
  }

  /// The number of tasks and threads that wait to receive at this moment.
  int waitingReceiverCount() {
    return exchange.waitingReceiverCount();
  }

  @Override
  public String toString() {
    return "endpoint '" + name + "'";
  }
}
