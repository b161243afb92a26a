package dev.rondo.http.server;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpRequest;
import org.jspecify.annotations.Nullable;

/// Passes the head of an HTTP/1.1 request to the connection at once if the connection is waiting.
/// The head is then read while it is in the processor's caches, and no task is woken to take it.
///
/// This handler comes behind the decoder. Confined to the scheduler's thread.
final class Http1Requests extends ChannelInboundHandlerAdapter {

  /// Null until the connection is served.
  private @Nullable HttpConnection connection;

  /// Whether the client has ended its direction.
  private boolean ended;

  /// Passes requests to a connection from now on.
  void servedBy(HttpConnection serving) {
    connection = serving;
    if (ended) {
      serving.clientEnded();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    HttpConnection serving = connection;
    if (serving == null || !(message instanceof HttpRequest head)) {
      context.fireChannelRead(message);
    } else if (!serving.accept(head)) {
      context.fireChannelRead(message);
      serving.requestWaits();
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

  /// The client can no longer receive a response.
  @Override
  public void channelInactive(ChannelHandlerContext context) {
    HttpConnection serving = connection;
    if (serving != null) {
      serving.closed();
    }
    context.fireChannelInactive();
  }
}
