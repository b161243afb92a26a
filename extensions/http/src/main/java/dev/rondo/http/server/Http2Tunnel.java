package dev.rondo.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Stream.State;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// An HTTP/2 stream that an extended CONNECT turns into a connection (RFC 8441). It keeps the
/// client's bytes until the connection is made. Then it carries bytes. Each direction of the
/// connection ends with the same direction of the stream.
///
/// Confined to the scheduler's thread.
final class Http2Tunnel extends ChannelDuplexHandler {

  /// Messages that have arrived before the connection was made.
  private final ArrayDeque<Object> kept = new ArrayDeque<>();

  private @Nullable ChannelHandlerContext context;
  private boolean open;

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /// Passes on the head of the stream as a GET request, with which an HTTP/1.1 client asks for a
  /// WebSocket. The frames that follow are not its body.
  void asked(Http2HeadersFrame head) {
    ChannelHandlerContext own = context;
    if (own == null) {
      return; // the client has gone
    }
    if (head.isEndStream()) {
      kept.add(new DefaultHttp2DataFrame(true));
    }
    Http2Headers headers = head.headers().method(HttpMethod.GET.asciiName());
    boolean _ = headers.remove(PseudoHeaderName.PROTOCOL.value());
    own.fireChannelRead(new DefaultHttp2HeadersFrame(headers, true).stream(head.stream()));
  }

  /// The handlers of the connection are in place.
  void open() {
    ChannelHandlerContext own = context;
    if (own == null) {
      return; // the client has gone
    }
    open = true;
    for (Object each; (each = kept.poll()) != null; ) {
      pass(own, each);
    }
    own.fireChannelReadComplete();
  }

  @Override
  public void channelRead(ChannelHandlerContext own, Object frame) {
    if (open) {
      pass(own, frame);
    } else {
      kept.add(frame);
    }
  }

  private static void pass(ChannelHandlerContext own, Object frame) {
    if (frame instanceof Http2DataFrame data) {
      boolean last = data.isEndStream();
      own.fireChannelRead(data.content());
      if (last) {
        own.fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
      }
      return;
    }
    ReferenceCountUtil.release(frame);
    if (frame instanceof Http2HeadersFrame) {
      own.fireExceptionCaught(
          Http2Exception.streamError(
              stream(own).id(), Http2Error.PROTOCOL_ERROR, "a tunnel has no trailers"));
    }
  }

  private static Http2FrameStream stream(ChannelHandlerContext own) {
    return ((Http2StreamChannel) own.channel()).stream();
  }

  @Override
  public void write(ChannelHandlerContext own, Object message, ChannelPromise promise) {
    own.write(
        message instanceof ByteBuf bytes ? new DefaultHttp2DataFrame(bytes) : message, promise);
  }

  /// Ends both directions of the stream. Otherwise the stream would be reset as cancelled.
  @Override
  public void close(ChannelHandlerContext own, ChannelPromise promise) {
    Http2FrameStream stream = stream(own);
    if (open && stream.state().localSideOpen()) {
      own.write(new DefaultHttp2DataFrame(true));
      own.channel().parent().flush(); // a stream does not flush while its connection reads
    }
    if (stream.state() == State.HALF_CLOSED_LOCAL) {
      own.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
    }
    own.close(promise);
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext own) {
    context = null;
    for (Object each; (each = kept.poll()) != null; ) {
      ReferenceCountUtil.release(each);
    }
  }
}
