package dev.rondo.netty;

import dev.rondo.scheduler.addon.AddOnHost;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.concurrent.RejectedExecutionException;

/// Writes messages to a channel and flushes them: each at once, or, if that is wanted, what several
/// tasks have written behind all tasks that were ready when the first of them wrote.
///
/// Confined to the scheduler's thread.
final class Outbound {

  private final NettyEvents events;
  private final Channel channel;
  private boolean gathering;

  /// Whether a flush of what was gathered is about to come.
  private boolean coming;

  Outbound(NettyEvents events, Channel channel) {
    this.events = events;
    this.channel = channel;
  }

  /// Flushes together from now on. Where tasks have threads of their own Netty writes later than
  /// they do, so a flush of ours would come too early.
  void gather() {
    AddOnHost host = events.scheduler().host();
    host.checkThread();
    gathering = host.backend().sharesThread();
  }

  /// {@return the future of the write}
  ChannelFuture send(Object message) {
    if (!gathering) {
      return events.outsideOfTasks(() -> channel.writeAndFlush(message));
    }
    ChannelFuture done = events.outsideOfTasks(() -> channel.write(message));
    if (!coming) {
      coming = true;
      flushLater();
    }
    return done;
  }

  private void flushLater() {
    try {
      events.scheduler().execute(this::flush);
    } catch (RejectedExecutionException e) {
      flush(); // the scheduler is stopping, and this is none of its tasks
    }
  }

  private void flush() {
    coming = false;
    events.outsideOfTasks(channel::flush);
  }
}
