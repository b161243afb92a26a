package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SendChannel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.internal.rooms.Attachment;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The sending side of a channel or a broadcast.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the elements; never null
abstract sealed class Sender<T> implements SendChannel<T> permits Channel, Broadcast {

  /// The result of a wait to send whose element was taken.
  private enum Sent {
    SENT
  }

  final Scheduler scheduler;
  private final String kind;
  private @Nullable String name;

  /// The waits to send; the attachment is the element.
  final WaitQueue<Object> senders = new WaitQueue<>();

  /// Set once, when no more elements are taken.
  @Nullable Closing closing;

  /// The object for the next send; null during a send. With one sender, as in most channels,
  /// sending allocates nothing.
  private @Nullable Sending spare;

  /// One object for all sends that are awaited, made for the first of them.
  private @Nullable Function<Object, @Nullable Void> whenSent;

  Sender(Scheduler scheduler, String kind) {
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    this.kind = kind;
  }

  /// Whether an element can be taken now.
  ///
  /// @param sender the sending task, which does not receive its own element in a select
  abstract boolean hasRoom(@Nullable Task<?> sender);

  /// Takes an element if that is possible now.
  ///
  /// @return whether it was taken
  abstract boolean offer(T element);

  /// Takes an element, whether there is room or not.
  abstract void deliver(T element);

  // Sending.

  @Override
  public final void send(T element) {
    requireElement(element);
    scheduler.checkpoint();
    if (trySend(element)) {
      return;
    }
    Sending sending = prepare(element);
    Object outcome;
    try {
      outcome = scheduler.host().awaitEvent(sending);
    } finally {
      putAway(sending);
    }
    requireSent(outcome);
  }

  @Override
  public final void send(T element, Duration timeout) {
    Sending sending = prepare(element);
    Object outcome;
    try {
      outcome = scheduler.host().awaitEvent(sending, timeout);
    } finally {
      putAway(sending);
    }
    requireSent(outcome);
  }

  @Override
  public final boolean trySend(T element) {
    scheduler.host().checkThread();
    requireElement(element);
    Closing closed = closing;
    if (closed != null) {
      throw closed.toSender(this);
    }
    return offer(element);
  }

  @Override
  public final Waitable<@Nullable Void> sending(T element) {
    Function<Object, @Nullable Void> known = whenSent;
    if (known == null) {
      whenSent = known = this::sent;
    }
    return rawSending(element).map(known);
  }

  /// [#sending(Object)], but results in a [Closing] instead of failing.
  final Waitable<Object> rawSending(T element) {
    return new Sending(requireElement(element));
  }

  private @Nullable Void sent(Object outcome) {
    requireSent(outcome);
    return null;
  }

  private void requireSent(Object outcome) {
    if (outcome instanceof Closing closed) {
      throw closed.toSender(this);
    }
  }

  private static <E> E requireElement(E element) {
    return requireNonNull(element, "element is null: send an Optional where there may be nothing");
  }

  private Sending prepare(T element) {
    requireElement(element);
    Sending sending = spare;
    if (sending == null) {
      return new Sending(element);
    }
    spare = null;
    sending.element = element;
    return sending;
  }

  private void putAway(Sending sending) {
    sending.element = null;
    spare = sending;
  }

  /// A wait to send one element.
  private final class Sending implements Waitable<Object> {

    /// Null while this is spare.
    private @Nullable T element;

    Sending(T element) {
      this.element = element;
    }

    private T element() {
      return requireNonNull(element);
    }

    @Override
    public boolean poll(Waiter<? super Object> waiter) {
      Closing closed = closing;
      if (closed != null) {
        return waiter.fire(closed);
      }
      if (hasRoom(waiter.task()) && waiter.fire(Sent.SENT)) {
        deliver(element());
        return true;
      }
      return false;
    }

    @Override
    public void arm(Waiter<? super Object> waiter) {
      if (!poll(waiter)) { // another branch of a select may have made room meanwhile
        Attachment.set(waiter, element());
        senders.add(waiter);
      }
    }

    @Override
    public void disarm(Waiter<? super Object> waiter) {
      var _ = senders.remove(waiter);
    }

    @Override
    public Scheduler scheduler() {
      return scheduler;
    }

    @Override
    public String toString() {
      return "send to " + Sender.this;
    }
  }

  /// Takes the elements of waiting senders, as long as there is room.
  final void serveSenders() {
    for (Waiter<? super Object> first;
        (first = senders.peek()) != null && hasRoom(first.task()); ) {
      T element = elementOf(first);
      var _ = senders.remove(first);
      if (first.fire(Sent.SENT)) {
        deliver(element);
      }
    }
  }

  /// Takes the element of the sender that has waited longest, and wakes it; null if none waits.
  ///
  /// @param receiver the receiving task, which does not receive its own element in a select
  final @Nullable T takeFromFirstSender(@Nullable Task<?> receiver) {
    for (Waiter<? super Object> first;
        (first = senders.peek()) != null && first.task() != receiver; ) {
      T element = elementOf(first);
      var _ = senders.remove(first);
      if (first.fire(Sent.SENT)) {
        return element;
      }
    }
    return null;
  }

  /// The element of a waiting sender.
  @SuppressWarnings("unchecked") // see Sending
  final T elementOf(Waiter<? super Object> sender) {
    return (T) requireNonNull(Attachment.of(sender));
  }

  // Closing.

  @Override
  public final void close() {
    end(null);
  }

  @Override
  public final void close(Throwable cause) {
    end(requireNonNull(cause, "cause is null: use close()"));
  }

  final void end(@Nullable Throwable cause) {
    scheduler.host().checkThread();
    if (closing == null) {
      stop(new Closing(Closing.Side.SENDER, cause));
    }
  }

  /// Takes no more elements, and ends all waits.
  void stop(Closing reason) {
    closing = reason;
    var _ = senders.fireAll(reason);
  }

  @Override
  public final boolean isClosedForSend() {
    scheduler.host().checkThread();
    return closing != null;
  }

  // Looking.

  /// {@return the number of tasks that wait to send}
  final int waitingSenderCount() {
    scheduler.host().checkThread();
    return senders.size();
  }

  void rename(String name) {
    this.name = requireNonNull(name, "name is null");
  }

  /// Its kind and name.
  @Override
  public final String toString() {
    return name == null ? kind : kind + " '" + name + "'";
  }
}
