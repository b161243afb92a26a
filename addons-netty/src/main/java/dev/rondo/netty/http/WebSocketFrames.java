package dev.rondo.netty.http;

import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import java.net.ProtocolException;

/// Answers pings, sends its own, and passes messages on. It reads ahead until there is a message
/// that no task has received, so that pings and the end are noticed while the handler does not
/// receive.
final class WebSocketFrames extends ChannelInboundHandlerAdapter {

  private static final int MESSAGES_AHEAD = 1;

  private final NettyChannel channel;
  private final WebSocketEnd end;

  /// @param channel the one of the socket
  /// @param end learns that the client has gone
  WebSocketFrames(NettyChannel channel, WebSocketEnd end) {
    this.channel = channel;
    this.end = end;
  }

  /// It is in the pipeline.
  void begin() {
    channel.readAhead(MESSAGES_AHEAD);
  }

  @Override
  public void channelRead(ChannelHandlerContext own, Object frame) {
    switch (frame) {
      case PingWebSocketFrame ping -> answer(own, ping);
      case PongWebSocketFrame pong -> pong.release();
      case CloseWebSocketFrame close -> {
        end.clientCloses();
        own.fireChannelRead(close);
      }
      default -> own.fireChannelRead(frame);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext own) {
    end.clientHasGone();
    own.fireChannelInactive();
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
  public void userEventTriggered(ChannelHandlerContext own, Object event) {
    if (!(event instanceof IdleStateEvent idle)) {
      if (event instanceof ChannelInputShutdownEvent) {
        end.clientHasGone();
      }
      own.fireUserEventTriggered(event);
    } else if (channel.messageCount() == 0) { // otherwise it is the handler that does not receive
      if (idle.isFirst()) {
        own.writeAndFlush(new PingWebSocketFrame());
      } else {
        end.clientHasGone();
        own.fireExceptionCaught(
            new ConnectionResetException(
                "the client has not answered a ping", new IOException("idle")));
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext own, Throwable cause) {
    switch (cause) {
      case CorruptedWebSocketFrameException corrupted -> close(own, corrupted.closeStatus());
      default -> {
        // The connection has failed.
      }
    }
    end.clientHasGone();
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
}
