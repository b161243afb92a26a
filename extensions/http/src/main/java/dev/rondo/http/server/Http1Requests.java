package dev.rondo.http.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/// Makes one message of a request of HTTP/1.1 without a body, of which the decoder makes two, and
/// hands it to the connection at once if that waits for one. So the head is looked at while it is
/// in the processor's caches, and no task is woken to take it.
///
/// It comes behind the decoder. Confined to the scheduler's thread.
final class Http1Requests extends ChannelInboundHandlerAdapter {

  /// Null until the connection is served.
  private @Nullable HttpConnection connection;

  /// Whether the client has ended its direction.
  private boolean ended;

  /// One without a body, until its end is here, which follows at once.
  private @Nullable HttpRequest head;

  /// Hands requests to this from now on.
  void servedBy(HttpConnection serving) {
    connection = serving;
    if (ended) {
      serving.clientEnded();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    HttpRequest begun = head;
    if (begun != null && message instanceof LastHttpContent end) {
      head = null;
      boolean _ = end.release(); // it is empty
      take(context, whole(begun));
    } else if (message instanceof HttpRequest request && hasNoBody(request)) {
      head = request;
    } else {
      context.fireChannelRead(message);
    }
  }

  /// Of a request with neither length nor chunks; one that is malformed is whole already.
  private static boolean hasNoBody(HttpRequest request) {
    return request.decoderResult().isSuccess()
        && !request.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
        && !request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
  }

  private static HttpRequest whole(HttpRequest head) {
    return new DefaultFullHttpRequest(
        head.protocolVersion(),
        head.method(),
        head.uri(),
        Unpooled.EMPTY_BUFFER,
        head.headers(),
        EmptyHttpHeaders.INSTANCE);
  }

  private void take(ChannelHandlerContext context, HttpRequest whole) {
    HttpConnection serving = connection;
    if (serving == null || !serving.accept(whole)) {
      context.fireChannelRead(whole);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    HttpConnection serving = connection;
    if (event instanceof ChannelInputShutdownEvent) {
      ended = true;
      if (serving != null) {
        serving.clientEnded();
      }
    }
    context.fireUserEventTriggered(event);
  }

  /// No client can receive the response of a request that is being answered.
  @Override
  public void channelInactive(ChannelHandlerContext context) {
    HttpConnection serving = connection;
    if (serving != null) {
      serving.closed();
    }
    context.fireChannelInactive();
  }
}
