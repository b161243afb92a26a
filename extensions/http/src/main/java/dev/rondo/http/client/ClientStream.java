package dev.rondo.http.client;

import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.internal.LingeringClose;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2PriorityFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2UnknownFrame;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/// A handler in a stream's pipeline that learns how the server ends the stream.
///
/// Confined to the scheduler's thread.
final class ClientStream extends ChannelInboundHandlerAdapter {

  private boolean refused;

  /// Whether the server has done nothing for the request, which may be sent again.
  boolean isRefused() {
    return refused;
  }

  /// RFC 9113, 5.5: unknown frames are not part of a response.
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof Http2UnknownFrame || message instanceof Http2PriorityFrame) {
      var _ = ReferenceCountUtil.release(message);
    } else {
      var _ = context.fireChannelRead(message);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof Http2ResetFrame reset) {
      Http2Error error = Http2Error.valueOf(reset.errorCode());
      refused = error == Http2Error.REFUSED_STREAM;
      if (error
          != Http2Error.NO_ERROR) { // otherwise the server refuses only the rest of the request
        fail(
            context,
            "the server has reset the stream: " + (error == null ? reset.errorCode() : error),
            new IOException("RST_STREAM"));
      }
    } else if (event instanceof Http2GoAwayFrame) {
      refused = true;
      fail(context, "the server leaves without a response", new IOException("GOAWAY"));
    }
    var _ = context.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    boolean malformed = cause instanceof Http2Exception || cause instanceof DecoderException;
    var _ =
        context.fireExceptionCaught(
            malformed ? ResponseRules.refused("the server breaks HTTP/2", cause) : cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (!LingeringClose.isActive(context.channel().parent())) {
      fail(context, "the server has closed the connection", new IOException("closed"));
    }
    var _ = context.fireChannelInactive();
  }

  private static void fail(ChannelHandlerContext context, String why, IOException cause) {
    var _ = context.fireExceptionCaught(new ConnectionResetException(why, cause));
  }
}
