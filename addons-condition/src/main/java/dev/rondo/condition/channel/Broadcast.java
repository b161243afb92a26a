package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/// A channel whose every element goes to everybody who has subscribed, in the same order. Each
/// subscription has a buffer of its own; what happens when one of them is full is the broadcast's
/// [Overflow]:
///
/// - `SUSPEND`: a sender waits until every subscription has room, so all go at the pace of the
///   slowest, and an element goes to all of them at the same time;
/// - `DROP_OLDEST`, `DROP_LATEST`: senders never wait, and a slow subscription alone misses
///   elements; [Subscription#dropped()] tells how many.
///
/// Who subscribes later gets what is sent later; what is sent while nobody has subscribed is lost.
///
/// Confined to the scheduler's thread.
///
/// @param <T> what it carries; never null
public final class Broadcast<T> extends Sender<T> {

  private final int capacity;
  private final Overflow overflow;
  private final List<Channel<T>> subscribed = new ArrayList<>();

  private Broadcast(Scheduler scheduler, int capacity, Overflow overflow) {
    super(scheduler, "broadcast");
    this.capacity = Channel.requireCapacity(capacity);
    this.overflow = requireNonNull(overflow, "overflow is null");
  }

  /// {@return a broadcast that nobody has subscribed to}
  ///
  /// @param <T> what it carries
  /// @param scheduler whose tasks use it
  /// @param capacity how many elements each subscription's buffer holds, at least 1
  /// @param overflow what happens when one is full
  /// @throws IllegalArgumentException if the capacity is below 1
  public static <T> Broadcast<T> create(Scheduler scheduler, int capacity, Overflow overflow) {
    return new Broadcast<>(scheduler, capacity, overflow);
  }

  /// Gives it a name, for reports. Never a suspension point.
  ///
  /// @param name anything
  /// @return this broadcast
  public Broadcast<T> named(String name) {
    rename(name);
    return this;
  }

  /// Subscribes: receives all that is sent from now on. To a broadcast that was closed this is no
  /// mistake, there is just nothing to receive. Never a suspension point.
  ///
  /// @return to receive from, and to be closed when it is not wanted any more
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

  /// A publisher of what is sent from now on, to any number of subscribers, each with a buffer of
  /// its own. What a slow one means for the others is this broadcast's [Overflow]: with `SUSPEND`
  /// senders go at its pace, else it misses elements. Threads and endings are as in
  /// [Receiver#asPublisher()], but who cancels just leaves. Never a suspension point.
  ///
  /// @return the publisher
  public Flow.Publisher<T> asPublisher() {
    return ChannelSubscription.multiple(this);
  }

  /// Forgets a subscription: senders need not wait for it any more.
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

  /// {@return how many have subscribed and not left}
  public int subscriptions() {
    scheduler.host().checkThread();
    return subscribed.size();
  }
}
