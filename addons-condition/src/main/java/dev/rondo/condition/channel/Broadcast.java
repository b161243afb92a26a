package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// A channel that passes every element to all its subscriptions, in the same order. Each
/// subscription has a buffer of its own. The broadcast's [Overflow] determines what happens when a
/// buffer is full:
///
/// - `SUSPEND`: a sender waits until every subscription has room. All subscriptions receive at the
///   pace of the slowest, and an element goes to all of them at the same time;
/// - `DROP_OLDEST`, `DROP_LATEST`: senders never wait, and only a slow subscription misses
///   elements, which [Subscription#dropped()] counts.
///
/// A subscription receives the elements that are sent after its creation. Elements sent while there
/// is no subscription are lost.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the elements; never null
public final class Broadcast<T> extends Sender<T> {

  private final int capacity;
  private final Overflow overflow;
  private final List<Channel<T>> subscribed = new ArrayList<>();

  /// Makes a broadcast without subscriptions.
  ///
  /// @param scheduler whose tasks use it
  /// @param capacity the number of elements that each subscription's buffer holds, at least 1
  /// @param overflow what happens when a buffer is full
  /// @throws IllegalArgumentException if the capacity is below 1
  public Broadcast(Scheduler scheduler, int capacity, Overflow overflow) {
    super(scheduler, "broadcast");
    this.capacity = Channel.requireCapacity(capacity);
    this.overflow = requireNonNull(overflow, "overflow is null");
  }

  /// Sets the name shown in reports. Never a suspension point.
  ///
  /// @param name any
  /// @return this broadcast
  public Broadcast<T> named(String name) {
    rename(name);
    return this;
  }

  /// Adds a subscription, which receives all elements that are sent from now on. If the broadcast
  /// is closed, it receives none. Never a suspension point.
  ///
  /// @return the subscription, to be closed when it is no longer needed
  public Subscription<T> subscribe() {
    scheduler.host().checkThread();
    var channel = new Channel<>(this, capacity, overflow);
    Closing closed = closing;
    if (closed == null) {
      subscribed.add(channel);
    } else {
      channel.stop(closed);
    }
    return new Subscription<>(this, channel);
  }

  /// {@return a publisher of the elements sent from now on, for any number of subscribers, each
  /// with a buffer of its own} If the broadcast's [Overflow] is `SUSPEND`, senders run at the pace
  /// of the slowest subscriber; otherwise a slow subscriber misses elements. Threads and endings
  /// are as in [Receiver#asPublisher()], except that a cancelling subscriber leaves the broadcast
  /// open. Never a suspension point.
  public Flow.Publisher<T> asPublisher() {
    return ChannelSubscription.multiple(this);
  }

  /// Removes a subscription; senders no longer wait for it.
  void leave(Channel<T> channel) {
    subscribed.remove(channel);
    serveSenders();
  }

  @Override
  boolean hasRoom(@Nullable Task<?> sender) {
    for (int i = 0; i < subscribed.size(); i++) {
      if (!subscribed.get(i).hasRoom(sender)) {
        return false;
      }
    }
    return true;
  }

  @Override
  boolean offer(T element) {
    boolean room = hasRoom(null);
    if (room) {
      deliver(element);
    }
    return room;
  }

  @Override
  void deliver(T element) {
    for (int i = 0; i < subscribed.size(); i++) {
      subscribed.get(i).deliver(element);
    }
  }

  @Override
  void stop(Closing reason) {
    super.stop(reason);
    for (Channel<T> each : List.copyOf(subscribed)) {
      each.stop(reason);
    }
    subscribed.clear();
  }

  /// {@return the number of subscriptions that are open}
  public int subscriptions() {
    scheduler.host().checkThread();
    return subscribed.size();
  }
}
