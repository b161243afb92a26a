package dev.rondo.netty;

import io.netty.channel.Channel;
import io.netty.channel.ServerChannel;
import io.netty.util.AttributeKey;

/// One flush for the writes of several tasks, before Netty polls the next time. A channel within
/// another channel, such as an HTTP/2 stream, shares the flush of that channel.
///
/// Confined to the scheduler's thread.
final class GatheredFlush {

  private static final AttributeKey<GatheredFlush> KEY =
      AttributeKey.valueOf(GatheredFlush.class, "flush");

  private final NettyEvents events;
  private final Channel channel;
  private final Runnable flush = this::flush;

  /// Whether a flush is about to come.
  private boolean coming;

  private GatheredFlush(NettyEvents events, Channel channel) {
    this.events = events;
    this.channel = channel;
  }

  /// {@return the gathered flush of a channel}
  static GatheredFlush of(NettyEvents events, Channel channel) {
    Channel parent = channel.parent();
    Channel flushed = parent == null || parent instanceof ServerChannel ? channel : parent;
    var attribute = flushed.attr(KEY);
    GatheredFlush known = attribute.get();
    if (known == null) {
      known = new GatheredFlush(events, flushed);
      attribute.set(known);
    }
    return known;
  }

  /// Something was written.
  void soon() {
    if (!coming) {
      coming = true;
      events.flushSoon(flush);
    }
  }

  /// A channel is about to be closed. If it is the flushed one, its bytes would be lost.
  void closing(Channel closed) {
    if (closed == channel) {
      flush();
    }
  }

  private void flush() {
    if (coming) {
      coming = false;
      channel.flush();
    }
  }
}
