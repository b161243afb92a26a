package dev.rondo.netty;

import dev.rondo.scheduler.Waiter;

/// A wait until a channel has a message that no task has received, or its messages have ended.
///
/// Confined to the scheduler's thread.
final class Receivable extends EventWait<NettyChannel> {

  private final LoopChannel channel;

  Receivable(LoopChannel channel, NettyEvents events) {
    super(events);
    this.channel = channel;
  }

  @Override
  boolean settle(Waiter<? super NettyChannel> waiter) {
    return waiter.fire(channel);
  }

  @Override
  public boolean poll(Waiter<? super NettyChannel> waiter) {
    return channel.isReceivable() && settle(waiter);
  }

  @Override
  public void arm(Waiter<? super NettyChannel> waiter) {
    super.arm(waiter);
    channel.readSoon();
  }

  @Override
  public String toString() {
    return "messages from " + channel;
  }
}
