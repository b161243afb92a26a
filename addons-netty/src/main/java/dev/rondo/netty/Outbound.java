package dev.rondo.netty;

import dev.rondo.scheduler.addon.AddOnHost;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import org.jspecify.annotations.Nullable;

/// Writes messages to a channel and flushes them: each at once, or, if that is wanted, together
/// with those of other tasks, by [GatheredFlush].
///
/// Confined to the scheduler's thread.
final class Outbound {

  private final NettyEvents events;
  private final Channel channel;

  /// Null if each message is flushed at once.
  private @Nullable GatheredFlush gathered;

  Outbound(NettyEvents events, Channel channel) {
    this.events = events;
    this.channel = channel;
  }

  /// Flushes together from now on. Where tasks have threads of their own Netty writes later than
  /// they do, so a flush of ours would come too early.
  void gather() {
    AddOnHost host = events.scheduler().host();
    host.checkThread();
    if (host.backend().sharesThread()) {
      gathered = GatheredFlush.of(events, channel);
    }
  }

  /// {@return the future of the write}
  ChannelFuture send(Object message) {
    GatheredFlush later = gathered;
    if (later == null) {
      return events.outsideOfTasks(() -> channel.writeAndFlush(message));
    }
    ChannelFuture done = events.outsideOfTasks(() -> channel.write(message));
    later.soon();
    return done;
  }
}
