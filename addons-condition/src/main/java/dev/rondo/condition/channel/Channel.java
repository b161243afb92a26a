package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.Source;
import dev.rondo.scheduler.addon.WaitQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A queue between tasks. The kinds of channels differ in the size of the buffer, and in the
/// treatment of a full buffer.
///
/// | kind | buffer | when it is full |
/// |---|---|---|
/// | rendezvous | none: senders hand over to receivers | the sender waits |
/// | bounded | as many as it says | the sender waits, or see [Overflow] |
/// | unbounded | any number | never |
/// | conflated: bounded, one element, `DROP_OLDEST` | one | the newer element replaces the older |
///
/// Elements are received in the order they were sent. Between turns the following holds: if a task
/// waits to receive, the buffer is empty; if a task waits to send, the buffer is full. Tasks wait
/// to send and to receive at once only in a rendezvous channel, if all waits are branches of one
/// task's select: a task does not exchange elements with itself.
///
/// Confined to the scheduler's thread. Another thread sends with `scheduler.post(() ->
/// channel.trySend(element))`. The channel's senders must never wait: it has to be unbounded or
/// conflated, or drop elements. A [Scheduler#keepAlive()] keeps the scheduler running meanwhile.
///
/// @param <T> the elements; never null
public final class Channel<T> extends Sender<T> implements Receiver<T> {

  /// The buffer of channels that have not buffered anything. A program may have a channel for each
  /// request, and few of them need one. Nothing is added to it.
  private static final ArrayDeque<Object> NO_BUFFER = new ArrayDeque<>(0);

  /// The largest initial room of a buffer.
  private static final int MOST_ROOM = 16;

  private final int capacity;
  private final Overflow overflow;

  /// This channel, or the broadcast that it belongs to. Its senders are served when an element was
  /// received.
  private final Sender<T> source;

  /// Made with the first element that is buffered.
  private ArrayDeque<T> buffer = noBuffer();

  private final WaitQueue<Object> receivers = new WaitQueue<>();
  private final Receiving receiving = new Receiving();

  /// [#receiving()] and [#receivingOrEnd()], each made by its first call.
  private @Nullable Waitable<T> elements;

  private @Nullable Waitable<Optional<T>> elementsOrEnd;
  private long dropped;

  /// Made by the first wait for the end.
  private @Nullable End end;

  /// The stage of a pipeline that sends to this channel; it ends when the receiver cancels.
  private @Nullable Stage<T> stage;

  private Channel(Scheduler scheduler, String kind, int capacity, Overflow overflow) {
    super(scheduler, kind);
    this.capacity = capacity;
    this.overflow = requireNonNull(overflow, "overflow is null");
    this.source = this;
  }

  /// Makes the buffer of a subscription.
  Channel(Broadcast<T> hub, int capacity, Overflow overflow) {
    super(hub.scheduler, "subscription to " + hub);
    this.capacity = capacity;
    this.overflow = overflow;
    this.source = hub;
  }

  // Making one.

  /// {@return a channel without a buffer: a sender waits until a receiver takes the element}
  ///
  /// @param <T> the elements
  /// @param scheduler whose tasks use it
  public static <T> Channel<T> rendezvous(Scheduler scheduler) {
    return new Channel<>(scheduler, "rendezvous channel", 0, Overflow.SUSPEND);
  }

  /// {@return a channel with a buffer; senders wait while it is full}
  ///
  /// @param <T> the elements
  /// @param scheduler whose tasks use it
  /// @param capacity the number of elements that the buffer holds, at least 1
  /// @throws IllegalArgumentException if the capacity is below 1
  public static <T> Channel<T> bounded(Scheduler scheduler, int capacity) {
    return bounded(scheduler, capacity, Overflow.SUSPEND);
  }

  /// {@return a channel with a buffer}
  ///
  /// @param <T> the elements
  /// @param scheduler whose tasks use it
  /// @param capacity the number of elements that the buffer holds, at least 1
  /// @param overflow what happens when the buffer is full
  /// @throws IllegalArgumentException if the capacity is below 1
  public static <T> Channel<T> bounded(Scheduler scheduler, int capacity, Overflow overflow) {
    return new Channel<>(scheduler, "bounded channel", requireCapacity(capacity), overflow);
  }

  /// {@return a channel with a buffer for any number of elements} Senders never wait, so only
  /// memory limits how far receivers may fall behind.
  ///
  /// @param <T> the elements
  /// @param scheduler whose tasks use it
  public static <T> Channel<T> unbounded(Scheduler scheduler) {
    return new Channel<>(scheduler, "unbounded channel", Integer.MAX_VALUE, Overflow.SUSPEND);
  }

  /// Sets the name shown in reports. Never a suspension point.
  ///
  /// @param name any
  /// @return this channel
  public Channel<T> named(String name) {
    rename(name);
    return this;
  }

  static int requireCapacity(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "capacity must be at least 1, but is "
              + capacity
              + "; for a channel without a buffer use Channel.rendezvous");
    }
    return capacity;
  }

  /// Makes the channel that a stage sends to, without a buffer if the capacity is zero.
  static <T> Channel<T> ofStage(Stage<T> stage, Scheduler scheduler, int capacity) {
    var channel = new Channel<T>(scheduler, "stage", capacity, Overflow.SUSPEND);
    channel.stage = stage;
    return channel;
  }

  // Sending.

  @Override
  boolean hasRoom(@Nullable Task<?> sender) {
    Waiter<?> receiver = receivers.peek();
    return (receiver != null && receiver.task() != sender)
        || buffer.size() < capacity
        || overflow != Overflow.SUSPEND;
  }

  @Override
  boolean offer(T element) {
    if (receivers.fireFirst(element)) { // not each receiver accepts: see WaitClaim
      return true;
    }
    if (!hasRoom(null)) {
      return false;
    }
    keep(element);
    return true;
  }

  /// Buffers the element even without room: a sender whose wait has succeeded must not lose it,
  /// whatever the other branches of its select did meanwhile.
  @Override
  void deliver(T element) {
    if (!receivers.fireFirst(element)) {
      keep(element);
    }
  }

  private void keep(T element) {
    if (buffer.size() >= capacity) {
      switch (overflow) {
        case SUSPEND -> {}
        case DROP_OLDEST -> {
          dropped++;
          buffer.poll();
        }
        case DROP_LATEST -> {
          dropped++;
          return;
        }
      }
    }
    if (buffer == NO_BUFFER) {
      buffer = new ArrayDeque<>(Math.clamp(capacity, 1, MOST_ROOM));
    }
    buffer.add(element);
  }

  /// {@return the shared empty buffer} It has no elements, so it fits any type.
  @SuppressWarnings("unchecked")
  private static <E> ArrayDeque<E> noBuffer() {
    return (ArrayDeque<E>) NO_BUFFER;
  }

  // Receiving.

  @Override
  public T receive() {
    if (mayHaveElement()) {
      scheduler.checkpoint();
      T there = tryReceive();
      if (there != null) {
        return there;
      }
    }
    return elementOrThrow(scheduler.host().awaitEvent(receiving));
  }

  /// Whether it is worth looking for an element before waiting for one: a wait looks, too.
  private boolean mayHaveElement() {
    return !buffer.isEmpty() || !senders.isEmpty();
  }

  @Override
  public T receive(Duration timeout) {
    return elementOrThrow(scheduler.host().awaitEvent(receiving, timeout));
  }

  @Override
  public @Nullable T tryReceive() {
    scheduler.host().checkThread();
    T element = take();
    Closing closed = closing;
    if (element == null && closed != null) {
      throw closed.toReceiver(this);
    }
    return element;
  }

  /// Takes an element; null if there is none.
  @Nullable T take() {
    T element = buffer.poll();
    if (element == null) {
      return takeFromFirstSender(null);
    }
    source.serveSenders();
    return element;
  }

  @Override
  public Waitable<T> receiving() {
    Waitable<T> known = elements;
    if (known == null) {
      elements = known = receiving.map(this::elementOrThrow);
    }
    return known;
  }

  @Override
  public Waitable<Optional<T>> receivingOrEnd() {
    Waitable<Optional<T>> known = elementsOrEnd;
    if (known == null) {
      elementsOrEnd = known = receiving.map(this::elementOrEnd);
    }
    return known;
  }

  /// [#receiving()], but results in a [Closing] instead of failing.
  Waitable<Object> rawReceiving() {
    return receiving;
  }

  private T elementOrThrow(Object outcome) {
    if (outcome instanceof Closing closed) {
      throw closed.toReceiver(this);
    }
    return element(outcome);
  }

  /// Casts the result of a wait that is not a [Closing].
  @SuppressWarnings("unchecked")
  T element(Object outcome) {
    return (T) outcome;
  }

  private Optional<T> elementOrEnd(Object outcome) {
    return outcome instanceof Closing closed && closed.isEnd()
        ? Optional.empty()
        : Optional.of(elementOrThrow(outcome));
  }

  /// A wait to receive. It has no state, so all waits share one.
  private final class Receiving implements Source<Object> {

    @Override
    public boolean poll(Waiter<? super Object> waiter) {
      T element = buffer.poll();
      if (element != null) {
        if (!waiter.fire(element)) {
          buffer.addFirst(element);
          return false;
        }
        source.serveSenders();
        return true;
      }
      element = takeFromFirstSender(waiter.task());
      if (element != null) {
        if (!waiter.fire(element)) {
          deliver(element);
          return false;
        }
        return true;
      }
      Closing closed = closing;
      return closed != null && waiter.fire(closed);
    }

    @Override
    public void arm(Waiter<? super Object> waiter) {
      if (!poll(waiter)) { // another branch of a select may have sent an element meanwhile
        receivers.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super Object> waiter) {
      var _ = receivers.remove(waiter);
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
      return "receive from " + Channel.this;
    }
  }

  /// Receives one element ahead, which `hasNext` needs.
  private final class Elements implements Iterator<T> {

    private @Nullable Object ahead;

    @Override
    public boolean hasNext() {
      Object outcome = ahead;
      if (outcome == null) {
        if (mayHaveElement()) {
          scheduler.checkpoint();
          outcome = take();
        }
        if (outcome == null) {
          outcome = scheduler.host().awaitEvent(receiving);
        }
        ahead = outcome;
      }
      if (outcome instanceof Closing closed) {
        if (closed.isEnd()) {
          return false;
        }
        throw closed.toReceiver(Channel.this);
      }
      return true;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException(Channel.this + " was closed and is empty");
      }
      T element = elementOrThrow(requireNonNull(ahead));
      ahead = null;
      return element;
    }
  }

  @Override
  public Iterator<T> iterator() {
    return new Elements();
  }

  // The end.

  @Override
  void stop(Closing reason) {
    super.stop(reason);
    var _ = receivers.fireAll(reason); // if a task waits, there is nothing left to receive
    announceEnd(reason);
  }

  /// Ends the waits for the end if the buffer is empty.
  private void announceEnd(Closing reason) {
    if (end != null && buffer.isEmpty()) {
      end.come(reason);
    }
  }

  /// {@return the end of the channel, to wait for without receiving}
  Waitable<Object> ends() {
    End known = end;
    if (known == null) {
      end = known = new End(this);
    }
    return known;
  }

  @Override
  public List<T> cancel() {
    return giveUp(null);
  }

  @Override
  public List<T> cancel(Throwable cause) {
    return giveUp(requireNonNull(cause, "cause is null: use cancel()"));
  }

  /// Ends the receiving side.
  List<T> giveUp(@Nullable Throwable cause) {
    scheduler.host().checkThread();
    List<T> left = List.copyOf(buffer);
    buffer.clear();
    Closing before = closing;
    if (before == null) {
      stop(new Closing(Closing.Side.RECEIVER, cause));
    } else {
      announceEnd(before);
    }
    if (stage != null) {
      stage.giveUp(cause);
    }
    return left;
  }

  @Override
  public boolean isClosedForReceive() {
    scheduler.host().checkThread();
    return closing != null && buffer.isEmpty();
  }

  // Looking.

  @Override
  public int size() {
    scheduler.host().checkThread();
    return buffer.size();
  }

  @Override
  public long dropped() {
    scheduler.host().checkThread();
    return dropped;
  }

  /// The number of tasks that wait to receive.
  int waitingReceiverCount() {
    scheduler.host().checkThread();
    return receivers.size();
  }
}
