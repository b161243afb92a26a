package dev.rondo.http.client;

import dev.rondo.io.ConnectionResetException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The server's settings for an HTTP/2 connection. It comes behind the multiplexer in the pipeline,
/// and keeps the connection reading: each stream has its own flow control.
///
/// Confined to the scheduler's thread.
final class Http2Peer extends ChannelInboundHandlerAdapter {

  /// Fulfilled by the server's first settings.
  private final Promise<@Nullable Http2Peer> ready;

  private Runnable changed = () -> {};
  private long mostStreams;
  private boolean settled;
  private boolean leaving;

  Http2Peer(Promise<@Nullable Http2Peer> ready) {
    this.ready = ready;
  }

  /// Sets an action for changes of the following answers.
  void onChange(Runnable action) {
    changed = action;
  }

  /// {@return the number of streams that may be open at once}
  long mostStreams() {
    return mostStreams;
  }

  /// Whether the server takes no further streams.
  boolean isLeaving() {
    return leaving;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (context.channel().isActive()) {
      var _ = context.read();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    var _ = context.read();
    var _ = context.fireChannelActive();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    var _ = context.read();
    var _ = context.fireChannelReadComplete();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof Http2SettingsFrame frame) {
      Long most = frame.settings().maxConcurrentStreams();
      if (most != null || !settled) {
        mostStreams = most == null ? Long.MAX_VALUE : most;
      }
      settled = true;
      var _ = ready.trySuccess(this);
      changed.run();
    } else if (message instanceof Http2GoAwayFrame) {
      leaving = true;
      changed.run();
    }
    ReferenceCountUtil.release(message);
  }

  /// The codec closes a connection that breaks the protocol, and tells the server why.
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    leaving = true;
    if (cause instanceof Http2Exception) {
      var _ = ready.tryFailure(ResponseRules.refused("the server breaks HTTP/2", cause));
    } else {
      var _ = ready.tryFailure(cause);
      var _ = context.fireExceptionCaught(cause);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    leaving = true;
    var _ =
        ready.tryFailure(
            new ConnectionResetException(
                "the server has closed the connection", new IOException("closed")));
    var _ = context.fireChannelInactive();
  }
}
