package dev.rondo.http.websocket.internal;

import dev.rondo.http.internal.MessageWire;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.netty.internal.LingeringClose;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.io.IOException;
import java.net.ProtocolException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Answers pings, sends its own pings, and passes messages on. It reads ahead up to one message
/// that no task has received, so that pings and the end are noticed while the program does not
/// receive.
public final class WebSocketFrames extends ChannelInboundHandlerAdapter {

  private static final int MESSAGES_AHEAD = 1;

  private final ChannelControl channel;
  private final WebSocketEnd end;
  private final WebSocketArrival arrival;

  private final WebSocketSilence silence;

  /// The content of a ping that came while the peer did not read; null if there is none.
  private byte @Nullable [] unanswered;

  /// @param channel of the socket
  /// @param ping the time that the peer may be silent
  /// @param end learns that the peer has gone
  /// @param arrival of the peer's messages
  public WebSocketFrames(
      ChannelControl channel, Duration ping, WebSocketEnd end, WebSocketArrival arrival) {
    this.channel = channel;
    this.end = end;
    this.arrival = arrival;
    this.silence =
        new WebSocketSilence(channel.channel().eventLoop(), ping.toNanos(), this::isSilent);
  }

  /// The handler is in the pipeline.
  public void begin() {
    arrival.begin(failure -> exceptionCaught(channel.channel().pipeline().context(this), failure));
    silence.begin();
    channel.readAhead(MESSAGES_AHEAD);
  }

  /// The peer has sent something, see [WebSocketArrival#heard].
  public void heard(boolean complete, int held) {
    silence.heard();
    arrival.heard(complete, held);
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
    silence.end();
    arrival.end();
    end.clientHasGone();
    own.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext own) {
    silence.end();
    arrival.end();
  }

  /// A peer that does not read receives the answer to its last ping when it reads again.
  private void answer(ChannelHandlerContext own, PingWebSocketFrame ping) {
    if (own.channel().isWritable()) {
      unanswered = null; // the answer to the last ping also answers the earlier ones
      send(own.channel(), new PongWebSocketFrame(ping.content()));
    } else {
      unanswered = ByteBufUtil.getBytes(ping.content());
      ping.release();
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext own) {
    byte[] last = unanswered;
    if (last != null && own.channel().isWritable()) {
      unanswered = null;
      send(own.channel(), new PongWebSocketFrame(Unpooled.wrappedBuffer(last)));
    }
    own.fireChannelWritabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext own, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      end.clientHasGone();
    }
    own.fireUserEventTriggered(event);
  }

  /// @param first whether this is the first silence
  /// @return whether a ping was sent
  private boolean isSilent(boolean first) {
    if (channel.messageCount() > 0) {
      return false; // the program is not receiving
    }
    if (first) {
      send(channel.channel(), new PingWebSocketFrame());
      return true;
    }
    end.clientHasGone();
    channel
        .channel()
        .pipeline()
        .context(this)
        .fireExceptionCaught(
            new ConnectionResetException(
                "the peer has not answered a ping", new IOException("idle")));
    return false;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext own, Throwable cause) {
    switch (cause) {
      case CorruptedWebSocketFrameException corrupted -> {
        WebSocketDecoder decoder = own.pipeline().get(WebSocketDecoder.class);
        if (decoder != null) {
          decoder.end();
        }
        close(own, corrupted.closeStatus());
      }
      default -> {
        // The connection has failed.
      }
    }
    arrival.end();
    end.clientHasGone();
    own.fireExceptionCaught(cause instanceof DecoderException ? broken(cause) : cause);
  }

  private static void close(ChannelHandlerContext own, WebSocketCloseStatus status) {
    send(own.channel(), new CloseWebSocketFrame(status));
    LingeringClose.install(own.channel(), MessageWire.LINGER);
  }

  private static void send(Channel to, WebSocketFrame frame) {
    to.writeAndFlush(WebSocketBytes.control(to.alloc(), frame));
  }

  private static IOException broken(Throwable cause) {
    if (cause instanceof CorruptedWebSocketFrameException corrupted
        && corrupted.closeStatus().equals(WebSocketCloseStatus.TRY_AGAIN_LATER)) {
      return new IOException(cause.getMessage(), cause);
    }
    var broken = new ProtocolException("the peer has broken the protocol: " + cause.getMessage());
    broken.initCause(cause);
    return broken;
  }
}
