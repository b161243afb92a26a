package dev.rondo.netty;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.List;

/// A wait until a channel has a message that no task has received, or its messages have ended.
///
/// Confined to the scheduler's thread.
final class Receivable implements Waitable<NettyChannel> {

  private final NettyChannel channel;
  private final NettyEvents events;
  private final WaitQueue<NettyChannel> waiting = new WaitQueue<>();

  Receivable(NettyChannel channel, NettyEvents events) {
    this.channel = channel;
    this.events = events;
  }

  boolean isAwaited() {
    return !waiting.isEmpty();
  }

  /// {@return which tasks wait for it, for people}
  List<String> waits() {
    return OpenNettyChannel.waits(waiting, this);
  }

  /// It is so now.
  void fire() {
    for (Waiter<? super NettyChannel> each; (each = waiting.poll()) != null; ) {
      events.waitEnded();
      boolean _ = each.fire(channel);
    }
  }

  @Override
  public boolean poll(Waiter<? super NettyChannel> waiter) {
    return channel.isReceivable() && waiter.fire(channel);
  }

  @Override
  public void arm(Waiter<? super NettyChannel> waiter) {
    waiting.add(waiter);
    events.waitBegun();
    channel.readSoon();
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
    return "messages from " + channel;
  }
}
