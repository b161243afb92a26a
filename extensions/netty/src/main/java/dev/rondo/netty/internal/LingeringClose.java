package dev.rondo.netty.internal;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Closes a connection so that the peer receives the last bytes: an error response, a WebSocket
/// close, a `GOAWAY`, a TLS alert or `close_notify`. A system that closes a socket with unread
/// bytes, or receives bytes after the close, resets the connection, and the peer may lose bytes
/// that it has not read. So this handler first ends its own direction. Then it reads and drops
/// bytes until the peer ends the other direction, for a limited time (RFC 9112, 9.6).
///
/// For the handlers above, the connection ends at once: they learn that it is inactive, receive
/// nothing more, and cannot write. The channel's close future completes when the socket is closed.
///
/// A connection that is to be reset, by an `SO_LINGER` of zero, is closed at once. So is a
/// connection that the peer has broken, or whose peer has ended its direction. Bytes beyond the
/// high-water mark that the system has not taken are dropped: the peer does not read.
///
/// It is the first handler, below that of TLS. Confined to the event loop.
public final class LingeringClose extends ChannelOutboundHandlerAdapter {

  private final long mostNanos;
  private boolean closing;

  /// @param most how long the peer may take to end its direction
  public LingeringClose(Duration most) {
    this.mostNanos = most.toNanos();
  }

  /// Has a channel linger when it is closed, from now on. If no handler changes the bytes of a
  /// connection, this handler is added only for the last bytes, because bytes must pass through the
  /// pipeline while the handler is there.
  ///
  /// @param most how long the peer may take to end its direction
  public static void install(Channel channel, Duration most) {
    if (channel.pipeline().get(LingeringClose.class) == null) {
      channel.pipeline().addFirst(new LingeringClose(most));
    }
  }

  /// Whether a channel carries bytes both ways: it is active, and this side does not close it.
  public static boolean isActive(Channel channel) {
    return channel.isActive() && channel.pipeline().get(Rest.class) == null;
  }

  @Override
  public void close(ChannelHandlerContext own, ChannelPromise promise) {
    if (!mayLinger(own.channel())) {
      own.close(promise);
      return;
    }
    own.channel().closeFuture().addListener(done -> promise.trySuccess());
    if (!closing) {
      closing = true;
      own.pipeline().addAfter(own.name(), null, new Rest(own, mostNanos));
    }
  }

  private static boolean mayLinger(Channel channel) {
    return channel instanceof DuplexChannel duplex
        && duplex.isActive()
        && !duplex.isInputShutdown()
        && !Integer.valueOf(0).equals(channel.config().getOption(ChannelOption.SO_LINGER));
  }

  /// Reads the rest, and keeps all events from the handlers above.
  private static final class Rest extends ChannelDuplexHandler {

    /// Of the handler below.
    private final ChannelHandlerContext below;

    private final long mostNanos;
    private @Nullable Future<?> timer;

    Rest(ChannelHandlerContext below, long mostNanos) {
      this.below = below;
      this.mostNanos = mostNanos;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext own) {
      own.executor().execute(own::fireChannelInactive); // later, as when a channel closes
      timer = own.executor().schedule(() -> close(), mostNanos, TimeUnit.NANOSECONDS);
      ChannelOutboundBuffer waiting = own.channel().unsafe().outboundBuffer();
      if (waiting == null || waiting.totalPendingWriteBytes() == 0 || !waiting.isWritable()) {
        endOutput();
      } else {
        below.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> endOutput());
      }
      below.read();
    }

    private void endOutput() {
      if (below.channel() instanceof DuplexChannel duplex && duplex.isActive()) {
        duplex
            .shutdownOutput()
            .addListener(done -> {
              if (!done.isSuccess()) {
                close();
              }
            });
      }
    }

    private void close() {
      below.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext own) {
      Future<?> set = timer;
      if (set != null) {
        boolean _ = set.cancel(false);
      }
    }

    // Incoming events.

    @Override
    public void channelRead(ChannelHandlerContext own, Object message) {
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext own) {
      below.read();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext own, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        close();
      }
      ReferenceCountUtil.release(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext own, Throwable cause) {
      close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext own) {
      // The handlers above have learned of it already.
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext own) {
      // Nothing can be written.
    }

    // Outgoing messages of the handlers above.

    @Override
    public void write(ChannelHandlerContext own, Object message, ChannelPromise promise) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
    }

    @Override
    public void flush(ChannelHandlerContext own) {
      // There is nothing.
    }

    @Override
    public void read(ChannelHandlerContext own) {
      // No handler receives it.
    }
  }
}
