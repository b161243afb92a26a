package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A queue between tasks. All kinds are one machine: a buffer of so many elements, and what happens
/// when that is full.
///
/// | kind | buffer | when it is full |
/// |---|---|---|
/// | rendezvous | none: senders hand over to receivers | the sender waits |
/// | bounded | as many as it says | the sender waits, or see [Overflow] |
/// | unbounded | any number | never |
/// | conflated | one | the newer element replaces the older |
///
/// Elements are received in the order they were sent. What always holds between turns: if somebody
/// waits to receive, the buffer is empty; if somebody waits to send, it is full. Both at once is
/// possible in a rendezvous channel only, and only if all of them are branches of the same task's
/// select, which does not meet itself.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what it carries; never null
public final class Channel<T> extends Sender<T> implements Receiver<T> {

  private final int capacity;
  private final Overflow overflow;

  /// Who is to be served when an element was received: our own senders, or those of the broadcast
  /// this belongs to.
  private final Sender<T> source;

  private final ArrayDeque<T> buffer = new ArrayDeque<>();
  private final WaitQueue<Object> receivers = new WaitQueue<>();
  private final Receiving receiving = new Receiving();
  private final Waitable<T> elements = receiving.map(this::elementOrThrow);
  private final Waitable<Optional<T>> elementsOrEnd = receiving.map(this::elementOrEnd);
  private long dropped;

  /// For those who wait for the end without receiving; made for the first of them.
  private @Nullable End end;

  /// What feeds this channel, if it is part of a pipeline: ends when its receiver gives up.
  private @Nullable Stage<T> stage;

  private Channel(Scheduler scheduler, String kind, int capacity, Overflow overflow) {
    super(scheduler, kind);
    this.capacity = capacity;
    this.overflow = requireNonNull(overflow, "overflow is null");
    this.source = this;
  }

  /// One of a broadcast's buffers.
  Channel(Broadcast<T> hub, int capacity, Overflow overflow) {
    super(hub.scheduler, "subscription to " + hub);
    this.capacity = capacity;
    this.overflow = overflow;
    this.source = hub;
  }

  // Making one.

  /// {@return a channel without a buffer: a sender waits until a receiver takes the element}
  ///
  /// @param <T> what it carries
  /// @param scheduler whose tasks use it
  public static <T> Channel<T> rendezvous(Scheduler scheduler) {
    return new Channel<>(scheduler, "rendezvous channel", 0, Overflow.SUSPEND);
  }

  /// {@return a channel with a buffer; senders wait while that is full}
  ///
  /// @param <T> what it carries
  /// @param scheduler whose tasks use it
  /// @param capacity how many elements the buffer holds, at least 1
  /// @throws IllegalArgumentException if the capacity is below 1
  public static <T> Channel<T> bounded(Scheduler scheduler, int capacity) {
    return bounded(scheduler, capacity, Overflow.SUSPEND);
  }

  /// {@return a channel with a buffer}
  ///
  /// @param <T> what it carries
  /// @param scheduler whose tasks use it
  /// @param capacity how many elements the buffer holds, at least 1
  /// @param overflow what happens when it is full
  /// @throws IllegalArgumentException if the capacity is below 1
  public static <T> Channel<T> bounded(Scheduler scheduler, int capacity, Overflow overflow) {
    return new Channel<>(scheduler, "bounded channel", requireCapacity(capacity), overflow);
  }

  /// {@return a channel with a buffer that takes any number of elements} Senders never wait, so
  /// nothing but memory limits how far receivers may fall behind.
  ///
  /// @param <T> what it carries
  /// @param scheduler whose tasks use it
  public static <T> Channel<T> unbounded(Scheduler scheduler) {
    return new Channel<>(scheduler, "unbounded channel", Integer.MAX_VALUE, Overflow.SUSPEND);
  }

  /// {@return a channel that keeps the latest element only} Senders never wait.
  ///
  /// @param <T> what it carries
  /// @param scheduler whose tasks use it
  public static <T> Channel<T> conflated(Scheduler scheduler) {
    return new Channel<>(scheduler, "conflated channel", 1, Overflow.DROP_OLDEST);
  }

  /// Gives it a name, for reports. Never a suspension point.
  ///
  /// @param name anything
  /// @return this channel
  public Channel<T> named(String name) {
    rename(name);
    return this;
  }

  static int requireCapacity(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException(
          "capacity must be at least 1, but was "
              + capacity
              + "; for a channel without a buffer use Channel.rendezvous");
    }
    return capacity;
  }

  /// What a stage sends to; without a buffer if the capacity is zero.
  static <T> Channel<T> ofStage(Stage<T> stage, Scheduler scheduler, int capacity) {
    var channel = new Channel<T>(scheduler, "stage", capacity, Overflow.SUSPEND);
    channel.stage = stage;
    return channel;
  }

  // Elements going in.

  @Override
  boolean hasRoom(@Nullable Task<?> sender) {
    Waiter<?> receiver = receivers.peek();
    return (receiver != null && receiver.task() != sender)
        || buffer.size() < capacity
        || overflow != Overflow.SUSPEND;
  }

  /// Without room it still goes into the buffer: a sender that was told must not lose its element,
  /// whatever the waitables beside it in a select did meanwhile.
  @Override
  void deliver(T element) {
    if (receivers.fireFirst(element)) {
      return;
    }
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
    buffer.add(element);
  }

  // Elements coming out.

  @Override
  public T receive() {
    scheduler.checkpoint();
    T there = tryReceive();
    return there != null ? there : elementOrThrow(scheduler.await(receiving));
  }

  @Override
  public T receive(Duration timeout) {
    return elementOrThrow(scheduler.await(receiving, timeout));
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

  /// Takes what is there; null if nothing is.
  @Nullable T take() {
    T element = buffer.poll();
    if (element == null) {
      return takeFromFirstSender();
    }
    source.serveSenders();
    return element;
  }

  @Override
  public Waitable<T> receiving() {
    return elements;
  }

  @Override
  public Waitable<Optional<T>> receivingOrEnd() {
    return elementsOrEnd;
  }

  /// [#receiving()] that comes with a [Closing] instead of failing.
  Waitable<Object> rawReceiving() {
    return receiving;
  }

  private T elementOrThrow(Object outcome) {
    if (outcome instanceof Closing closed) {
      throw closed.toReceiver(this);
    }
    return element(outcome);
  }

  /// Whatever came and is no [Closing] was sent, or the task was scheduled with it meanwhile.
  @SuppressWarnings("unchecked")
  T element(Object outcome) {
    return (T) outcome;
  }

  private Optional<T> elementOrEnd(Object outcome) {
    return outcome instanceof Closing closed && closed.isEnd()
        ? Optional.empty()
        : Optional.of(elementOrThrow(outcome));
  }

  /// A wait to receive. It has no state of its own, so one will do.
  private final class Receiving implements Waitable<Object> {

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
      Waiter<? super Object> sender = senders.peek();
      if (sender != null && sender.task() != waiter.task()) {
        if (!waiter.fire(elementOf(sender))) {
          return false;
        }
        tellSent(sender);
        return true;
      }
      Closing closed = closing;
      return closed != null && waiter.fire(closed);
    }

    @Override
    public void arm(Waiter<? super Object> waiter) {
      if (!poll(waiter)) { // another part of a select may have sent something meanwhile
        receivers.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super Object> waiter) {
      var _ = receivers.remove(waiter);
    }

    @Override
    public boolean mayStayMounted() {
      return true;
    }

    @Override
    public String toString() {
      return "receive from " + Channel.this;
    }
  }

  /// Receives ahead, one element, because `hasNext` has to know.
  private final class Elements implements Iterator<T> {

    private @Nullable Object ahead;

    @Override
    public boolean hasNext() {
      Object outcome = ahead;
      if (outcome == null) {
        scheduler.checkpoint();
        outcome = take();
        while (outcome == null) { // after a wait: somebody scheduled the task meanwhile
          outcome = scheduler.await(receiving);
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
      var _ = hasNext();
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
    var _ = receivers.fireAll(reason); // if anybody waits, there is nothing left to receive
    tellEnd(reason);
  }

  /// If it has come: nothing more is taken, and nothing is left.
  private void tellEnd(Closing reason) {
    if (end != null && buffer.isEmpty()) {
      end.tell(reason);
    }
  }

  /// {@return waiting for the end without receiving}
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

  /// Nobody wants what comes out any more.
  List<T> giveUp(@Nullable Throwable cause) {
    scheduler.host().checkThread();
    List<T> left = List.copyOf(buffer);
    buffer.clear();
    Closing before = closing;
    if (before == null) {
      stop(new Closing(Closing.Side.RECEIVER, cause));
    } else {
      tellEnd(before);
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

  @Override
  public int receiversWaiting() {
    scheduler.host().checkThread();
    return receivers.size();
  }
}
