package dev.rondo.netty;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.List;

/// A wait until a channel takes another message without exceeding its high-water mark.
///
/// Confined to the scheduler's thread.
final class Sendable implements Waitable<NettyChannel> {

  private final NettyChannel channel;
  private final NettyEvents events;
  private final WaitQueue<NettyChannel> waiting = new WaitQueue<>();

  Sendable(NettyChannel channel, NettyEvents events) {
    this.channel = channel;
    this.events = events;
  }

  /// It is so now, or no message can be sent any more.
  void fire() {
    for (Waiter<? super NettyChannel> each; (each = waiting.poll()) != null; ) {
      events.waitEnded();
      boolean _ = settle(each);
    }
  }

  private boolean settle(Waiter<? super NettyChannel> waiter) {
    return channel.isClosedHere() ? waiter.fail(channel.closed("send to")) : waiter.fire(channel);
  }

  /// {@return which tasks wait for it, for people}
  List<String> waits() {
    return OpenNettyChannel.waits(waiting, this);
  }

  @Override
  public boolean poll(Waiter<? super NettyChannel> waiter) {
    return (channel.isClosedHere() || channel.isReadyToSend()) && settle(waiter);
  }

  @Override
  public void arm(Waiter<? super NettyChannel> waiter) {
    waiting.add(waiter);
    events.waitBegun();
  }

  @Override
  public void disarm(Waiter<? super NettyChannel> waiter) {
    if (waiting.remove(waiter)) {
      events.waitEnded();
    }
  }

  @Override
  public Scheduler scheduler() {
    return events.scheduler();
  }

  @Override
  public String toString() {
    return "send to " + channel;
  }
}
