package dev.rondo.netty.http;

import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// One stream of a connection of HTTP/2, as a message to the task of the connection. It is closed
/// when it is released.
///
/// Confined to the scheduler's thread.
final class Http2Stream extends AbstractReferenceCounted {

  private @Nullable NettyChannel channel;
  private @Nullable Task<?> task;

  /// Null until a task has begun to serve the stream.
  private @Nullable HttpWire wire;

  void channel(NettyChannel made) {
    channel = made;
  }

  NettyChannel channel() {
    NettyChannel own = channel;
    if (own == null) {
      throw new IllegalStateException("the stream has no channel");
    }
    return own;
  }

  /// The task that will serve it.
  void servedBy(Task<?> server) {
    task = server;
    if (!channel().isOpen()) {
      gone("the client has gone", new IOException("the stream was closed"));
    }
  }

  /// Its task has begun.
  void begun(HttpWire own) {
    wire = own;
  }

  /// {@return the handler that learns of its end}
  ChannelHandler watch() {
    return new Watch();
  }

  private final class Watch extends ChannelInboundHandlerAdapter {

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof Http2ResetFrame reset) {
        Http2Error error = Http2Error.valueOf(reset.errorCode());
        String why =
            "the client has reset the stream: " + (error == null ? reset.errorCode() : error);
        var broken = new ConnectionResetException(why, new IOException("RST_STREAM"));
        context.fireExceptionCaught(broken);
        gone(why, broken);
      }
      context.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      boolean malformed = cause instanceof Http2Exception || cause instanceof DecoderException;
      Throwable why = cause instanceof DecoderException ? cause.getCause() : cause;
      if (why instanceof Http2Exception broken) {
        // Before it is closed, which says nothing, or something else.
        context.writeAndFlush(new DefaultHttp2ResetFrame(broken.error()));
      }
      context.fireExceptionCaught(
          malformed
              ? new ConnectionResetException("the client has broken the protocol", cause)
              : cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      Throwable broken = null;
      if (!context.channel().parent().isActive()) {
        broken =
            new ConnectionResetException(
                "the client has closed the connection", new IOException("closed"));
        context.fireExceptionCaught(broken);
      }
      context.fireChannelInactive();
      if (broken != null || wire == null) {
        gone(
            "the client has gone",
            broken == null ? new IOException("the stream was closed") : broken);
      }
    }
  }

  /// There will be no more of the stream: cancels its task, unless all was said.
  private void gone(String why, Throwable cause) {
    HttpWire own = wire;
    Task<?> server = task;
    if (own == null) {
      channel().close(); // its messages are released, because its task will never run
    }
    if (server != null && (own == null || !own.isEnding())) {
      boolean _ = server.cancel(why, cause);
    }
  }

  @Override
  public ReferenceCounted touch(Object hint) {
    return this;
  }

  @Override
  protected void deallocate() {
    channel().close();
  }
}
