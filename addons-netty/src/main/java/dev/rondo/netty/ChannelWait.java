package dev.rondo.netty;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.WaitQueue;
import java.util.List;

/// A wait until something can be done with a channel, which does not do it.
///
/// Confined to the scheduler's thread.
abstract sealed class ChannelWait implements Waitable<NettyChannel> permits Receivable, Sendable {

  final NettyChannel channel;
  private final NettyEvents events;
  private final WaitQueue<NettyChannel> waiting = new WaitQueue<>();

  ChannelWait(NettyChannel channel, NettyEvents events) {
    this.channel = channel;
    this.events = events;
  }

  /// Ends a wait.
  ///
  /// @return whether the waiter took it
  abstract boolean settle(Waiter<? super NettyChannel> waiter);

  final boolean isAwaited() {
    return !waiting.isEmpty();
  }

  /// {@return which tasks wait for it, for people}
  final List<String> waits() {
    return OpenNettyChannel.waits(waiting, this);
  }

  /// It is so now, or will never be.
  final void fire() {
    for (Waiter<? super NettyChannel> each; (each = waiting.poll()) != null; ) {
      events.waitEnded();
      boolean _ = settle(each);
    }
  }

  @Override
  public void arm(Waiter<? super NettyChannel> waiter) {
    waiting.add(waiter);
    events.waitBegun();
  }

  @Override
  public final void disarm(Waiter<? super NettyChannel> waiter) {
    if (waiting.remove(waiter)) {
      events.waitEnded();
    }
  }

  @Override
  public final Scheduler scheduler() {
    return events.scheduler();
  }
}
