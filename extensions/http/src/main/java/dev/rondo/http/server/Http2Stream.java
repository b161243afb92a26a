package dev.rondo.http.server;

import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.netty.internal.LingeringClose;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2ResetFrame;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An HTTP/2 stream with a channel of its own, as a handler behind the codec. It passes on the head
/// of the request, and cancels the task that answers the request if the client goes.
///
/// Confined to the scheduler's thread.
final class Http2Stream extends ChannelInboundHandlerAdapter {

  /// The first part of a body may be here when its task begins.
  private static final int MESSAGES_AHEAD = 1;

  private final Http2Streams streams;
  private final Call call = new Call();
  private @Nullable ChannelControl channel;

  /// Whether the head was passed on.
  private boolean handed;

  Http2Stream(Http2Streams streams) {
    this.streams = streams;
  }

  void channel(ChannelControl made) {
    channel = made;
  }

  private ChannelControl channel() {
    return Objects.requireNonNull(channel);
  }

  private final class Call extends Http2Call {

    @Override
    HttpWire newWire(HttpServer server, ChannelControl connection, LastWrites lastWrites) {
      return new HttpWire(server, channel(), lastWrites, null);
    }

    @Override
    void close() {
      channel().close();
    }
  }

  /// Netty reads up to the head of the request.
  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.read();
    context.fireChannelActive();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (handed || !(message instanceof HttpRequest head)) {
      context.fireChannelRead(message);
      return;
    }
    handed = true;
    if (!(head instanceof FullHttpRequest)) {
      channel().readAhead(MESSAGES_AHEAD);
    }
    streams.begun(call, head);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof Http2ResetFrame reset) {
      ConnectionResetException broken = broken(reset);
      context.fireExceptionCaught(broken);
      call.gone(String.valueOf(broken.getMessage()), broken);
    }
    context.fireUserEventTriggered(event);
  }

  /// {@return the failure for a stream that the client has reset}
  static ConnectionResetException broken(Http2ResetFrame reset) {
    Http2Error error = Http2Error.valueOf(reset.errorCode());
    return new ConnectionResetException(
        "the client has reset the stream: " + (error == null ? reset.errorCode() : error),
        new IOException("RST_STREAM"));
  }

  /// {@return the failure for a connection that the client has closed}
  static ConnectionResetException closed() {
    return new ConnectionResetException(
        "the client has closed the connection", new IOException("closed"));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    boolean malformed = cause instanceof Http2Exception || cause instanceof DecoderException;
    Throwable why = cause instanceof DecoderException ? cause.getCause() : cause;
    if (why instanceof Http2Exception broken) {
      // The reset comes before the close, which sends no reset or one with another code.
      context.writeAndFlush(new DefaultHttp2ResetFrame(broken.error()));
    }
    context.fireExceptionCaught(
        malformed
            ? new ConnectionResetException("the client has broken the protocol", cause)
            : cause);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    boolean broken = !LingeringClose.isActive(context.channel().parent());
    if (broken) {
      context.fireExceptionCaught(closed());
    }
    context.fireChannelInactive();
    if (broken || !call.hasBegun()) {
      call.gone(
          "the client has gone", broken ? closed() : new IOException("the stream was closed"));
    }
  }
}
