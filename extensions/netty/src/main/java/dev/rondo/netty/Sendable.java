package dev.rondo.netty;

import dev.rondo.scheduler.Waiter;

/// A wait until a channel takes another message without exceeding its high-water mark.
///
/// Confined to the scheduler's thread.
final class Sendable extends EventWait<NettyChannel> {

  private final LoopChannel channel;

  Sendable(LoopChannel channel, NettyEvents events) {
    super(events);
    this.channel = channel;
  }

  @Override
  boolean settle(Waiter<? super NettyChannel> waiter) {
    return channel.isClosedHere() ? waiter.fail(channel.closed("send to")) : waiter.fire(channel);
  }

  @Override
  public boolean poll(Waiter<? super NettyChannel> waiter) {
    return (channel.isClosedHere() || channel.isReadyToSend()) && settle(waiter);
  }

  @Override
  public String toString() {
    return "send to " + channel;
  }
}
