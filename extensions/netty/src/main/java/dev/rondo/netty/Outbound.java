package dev.rondo.netty;

import dev.rondo.netty.internal.SocketSender;
import dev.rondo.scheduler.addon.AddOnHost;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import org.jspecify.annotations.Nullable;

/// Writes messages to a channel and flushes them: each at once, or, if that is wanted, together
/// with those of other tasks, by [GatheredFlush]. Bytes that no handler changes go to the socket
/// straight where that is possible.
///
/// Confined to the scheduler's thread.
final class Outbound {

  private final NettyEvents events;
  private final Channel channel;

  /// Null if all messages go through the pipeline.
  private final @Nullable SocketSender socket;

  /// Null if each message is flushed at once.
  private @Nullable GatheredFlush gathered;

  Outbound(NettyEvents events, Channel channel) {
    this.events = events;
    this.channel = channel;
    this.socket = events.sharesThread() ? SocketSender.of(channel) : null;
  }

  /// Flushes together from now on. Where tasks have threads of their own Netty writes later than
  /// they do, so a flush of ours would come too early.
  void gather() {
    AddOnHost host = events.scheduler().host();
    host.checkThread();
    if (host.loop().backend().sharesThread()) {
      gathered = GatheredFlush.of(events, channel);
    }
  }

  /// {@return the future of the write}
  ChannelFuture send(Object message) {
    GatheredFlush later = gathered;
    if (later == null) {
      if (message instanceof ByteBuf bytes && sendStraight(bytes)) {
        return channel.newSucceededFuture();
      }
      return events.outsideOfTasks(() -> channel.writeAndFlush(message));
    }
    ChannelFuture done = events.outsideOfTasks(() -> channel.write(message));
    later.soon();
    return done;
  }

  /// Sends bytes past the pipeline, as far as the system takes them.
  ///
  /// @return whether all were sent, and released; the others are left in the buffer
  private boolean sendStraight(ByteBuf bytes) {
    SocketSender straight = socket;
    if (straight == null || !SocketSender.passesUnchanged(channel)) {
      return false;
    }
    int sent = straight.send(bytes);
    if (sent == 0 || bytes.skipBytes(sent).isReadable()) {
      return false;
    }
    boolean _ = bytes.release();
    return true;
  }
}
