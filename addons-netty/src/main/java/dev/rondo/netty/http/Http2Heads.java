package dev.rondo.netty.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;

/// Refuses streams whose head lacks what RFC 9113, 8.3.1, requires. It comes before the codec,
/// which does without some of it.
final class Http2Heads extends ChannelInboundHandlerAdapter {

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof Http2HeadersFrame head) {
      context.pipeline().remove(this); // what follows are trailers
      if (!isComplete(head.headers())) {
        context.fireExceptionCaught(
            Http2Exception.streamError(
                head.stream().id(),
                Http2Error.PROTOCOL_ERROR,
                "a request has a method, a scheme and a path"));
        return;
      }
    }
    context.fireChannelRead(message);
  }

  private static boolean isComplete(Http2Headers head) {
    CharSequence method = head.method();
    return method != null
        && (HttpMethod.CONNECT.asciiName().contentEquals(method)
            || (head.scheme() != null && head.path() != null && !head.path().isEmpty()));
  }
}
