package dev.rondo.condition.channel;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One receiver of a [Broadcast], with a buffer of its own. Close a subscription that is no longer
/// needed, because senders may wait for it.
///
/// Confined to the scheduler's thread.
///
/// @param <T> the elements; never null
public final class Subscription<T> implements Receiver<T>, AutoCloseable {

  private final Broadcast<T> hub;
  private final Channel<T> channel;

  Subscription(Broadcast<T> hub, Channel<T> channel) {
    this.hub = hub;
    this.channel = channel;
  }

  Channel<T> channel() {
    return channel;
  }

  @Override
  public T receive() {
    return channel.receive();
  }

  @Override
  public T receive(Duration timeout) {
    return channel.receive(timeout);
  }

  @Override
  public @Nullable T tryReceive() {
    return channel.tryReceive();
  }

  @Override
  public Waitable<T> receiving() {
    return channel.receiving();
  }

  @Override
  public Waitable<Optional<T>> receivingOrEnd() {
    return channel.receivingOrEnd();
  }

  @Override
  public Iterator<T> iterator() {
    return channel.iterator();
  }

  /// Leaves the broadcast; the other subscriptions go on. Never a suspension point.
  ///
  /// @return the elements that were sent and not received; empty on a second call
  @Override
  public List<T> cancel() {
    return giveUp(null);
  }

  @Override
  public List<T> cancel(Throwable cause) {
    return giveUp(requireNonNull(cause, "cause is null: use cancel()"));
  }

  private List<T> giveUp(@Nullable Throwable cause) {
    List<T> left = channel.giveUp(cause);
    hub.leave(channel);
    return left;
  }

  /// Calls [#cancel()].
  @Override
  public void close() {
    var _ = cancel();
  }

  @Override
  public boolean isClosedForReceive() {
    return channel.isClosedForReceive();
  }

  @Override
  public int size() {
    return channel.size();
  }

  @Override
  public long dropped() {
    return channel.dropped();
  }

  /// Names the broadcast.
  @Override
  public String toString() {
    return channel.toString();
  }
}
