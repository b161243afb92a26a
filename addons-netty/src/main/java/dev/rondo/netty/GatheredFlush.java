package dev.rondo.netty;

import io.netty.channel.Channel;
import java.util.concurrent.RejectedExecutionException;

/// Flushes what several tasks have written to a channel: behind all tasks that are ready when the
/// first of them writes, so that those of one round are flushed together.
///
/// Confined to the scheduler's thread.
final class GatheredFlush {

  private final NettyEvents events;
  private final Channel channel;

  /// Whether a flush is about to come.
  private boolean coming;

  GatheredFlush(NettyEvents events, Channel channel) {
    this.events = events;
    this.channel = channel;
  }

  /// Something was written.
  void soon() {
    if (coming) {
      return;
    }
    coming = true;
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
