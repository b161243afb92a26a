package dev.rondo.netty.http;

import dev.rondo.io.ConnectionResetException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.net.ProtocolException;
import org.jspecify.annotations.Nullable;

/// Answers pings, sends its own, and passes messages on. It reads ahead until there is a message
/// that no task has received, so that pings and the end are noticed while the handler does not
/// receive.
final class WebSocketFrames extends ChannelInboundHandlerAdapter {

  private @Nullable ChannelHandlerContext context;

  /// Messages that were passed on and not received by a task.
  private int ahead;

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    added.read();
  }

  /// A task has received a message. Any thread.
  void received() {
    ChannelHandlerContext own = context;
    if (own != null) {
      own.executor()
          .execute(() -> {
            ahead--;
            readAhead(own);
          });
    }
  }

  private void readAhead(ChannelHandlerContext own) {
    if (ahead == 0) {
      own.read();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext own, Object frame) {
    switch (frame) {
      case PingWebSocketFrame ping -> answer(own, ping);
      case PongWebSocketFrame pong -> pong.release();
      default -> {
        ahead++;
        own.fireChannelRead(frame);
      }
    }
  }

  /// A client that does not read receives no answers.
  private static void answer(ChannelHandlerContext own, PingWebSocketFrame ping) {
    if (own.channel().isWritable()) {
      own.writeAndFlush(new PongWebSocketFrame(ping.content()));
    } else {
      ping.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext own) {
    own.fireChannelReadComplete();
    readAhead(own);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext own, Object event) {
    if (!(event instanceof IdleStateEvent idle)) {
      own.fireUserEventTriggered(event);
    } else if (ahead == 0) { // otherwise it is the handler that does not receive
      if (idle.isFirst()) {
        own.writeAndFlush(new PingWebSocketFrame());
      } else {
        own.fireExceptionCaught(
            new ConnectionResetException(
                "the client has not answered a ping", new IOException("idle")));
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext own, Throwable cause) {
    switch (cause) {
      case TooLongFrameException _ -> close(own, WebSocketCloseStatus.MESSAGE_TOO_BIG);
      case CorruptedWebSocketFrameException corrupted -> close(own, corrupted.closeStatus());
      default -> {
        // The connection has failed.
      }
    }
    own.fireExceptionCaught(cause instanceof DecoderException ? broken(cause) : cause);
  }

  private static void close(ChannelHandlerContext own, WebSocketCloseStatus status) {
    own.writeAndFlush(new CloseWebSocketFrame(status));
  }

  private static IOException broken(Throwable cause) {
    var broken = new ProtocolException("the client has broken the protocol: " + cause.getMessage());
    broken.initCause(cause);
    return broken;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext own) {
    context = null;
  }
}
