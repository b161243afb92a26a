package dev.rondo.http.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.AsciiString;

/// Refuses streams whose head lacks what RFC 9113, 8.3.1 and 8.5, and RFC 8441 require. This
/// handler comes before the codec, which does not check all of these rules. If the client asks for
/// a WebSocket, the handler adds an [Http2Tunnel] behind itself.
final class Http2Heads extends ChannelInboundHandlerAdapter {

  private static final AsciiString WEB_SOCKET = AsciiString.cached("websocket");
  private static final CharSequence PROTOCOL = PseudoHeaderName.PROTOCOL.value();

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof Http2HeadersFrame head)) {
      context.fireChannelRead(message);
      return;
    }
    boolean complete = isComplete(head.headers());
    if (complete && isWebSocket(head.headers())) {
      var tunnel = new Http2Tunnel();
      context.pipeline().replace(this, null, tunnel);
      tunnel.asked(head);
      return;
    }
    context.pipeline().remove(this); // later heads are trailers
    if (complete) {
      context.fireChannelRead(message);
    } else {
      context.fireExceptionCaught(
          Http2Exception.streamError(
              head.stream().id(),
              Http2Error.PROTOCOL_ERROR,
              "a request has a method, a scheme and a path; CONNECT has only an authority"));
    }
  }

  static boolean isComplete(Http2Headers head) {
    CharSequence method = head.method();
    if (method == null) {
      return false;
    }
    CharSequence protocol = head.get(PROTOCOL);
    if (!HttpMethod.CONNECT.asciiName().contentEquals(method)) {
      return protocol == null && namesResource(head);
    }
    return protocol == null
        ? head.authority() != null && head.scheme() == null && head.path() == null
        : namesResource(head) && (isWebSocket(head) || head.authority() != null);
  }

  private static boolean namesResource(Http2Headers head) {
    return head.scheme() != null && head.path() != null && !head.path().isEmpty();
  }

  static boolean isWebSocket(Http2Headers head) {
    CharSequence protocol = head.get(PROTOCOL);
    return protocol != null && WEB_SOCKET.contentEquals(protocol);
  }
}
