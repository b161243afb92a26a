package dev.rondo.http.server;

import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.netty.internal.LingeringClose;
import dev.rondo.scheduler.TimedOutException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.DefaultByteBufHolder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameStreamEvent;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Stream.State;
import io.netty.handler.codec.http2.HttpConversionUtil;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// An HTTP/2 stream whose request has no body, like most requests. It has no channel of its own,
/// which would cost more than the request. Its response is written to the connection's channel.
///
/// Confined to the scheduler's thread.
final class Http2PlainStream extends Http2Call {

  /// The event for a change of the stream's state. Netty reuses this object.
  private final Http2FrameStreamEvent change;

  private final Http2FrameStream stream;
  private final ChannelHandlerContext context;

  /// Whether the multiplexer has made a channel for this stream nevertheless.
  private boolean hasPlaceholder;

  /// Whether this side has ended the stream, or is about to.
  private boolean ended;

  /// Runs when the stream is closed; null for no action.
  private @Nullable Runnable onClosed;

  /// @param context of the connection's handler of streams
  Http2PlainStream(Http2FrameStreamEvent change, ChannelHandlerContext context) {
    this.change = change;
    this.stream = change.stream();
    this.context = context;
  }

  Http2FrameStreamEvent change() {
    return change;
  }

  boolean hasPlaceholder() {
    return hasPlaceholder;
  }

  void placeholderMade() {
    hasPlaceholder = true;
  }

  @Override
  HttpWire newWire(HttpServer server, ChannelControl connection, LastWrites lastWrites) {
    return new HttpWire(server, connection, lastWrites, this);
  }

  boolean isClosed() {
    return stream.state() == State.CLOSED;
  }

  @Override
  void close() {
    if (!ended && !isClosed()) {
      reset(Http2Error.CANCEL);
    }
  }

  void reset(Http2Error error) {
    ended = true;
    context.channel().writeAndFlush(new DefaultHttp2ResetFrame(error).stream(stream));
  }

  // Incoming.

  void clientResets(Http2ResetFrame frame) {
    ConnectionResetException broken = Http2Stream.broken(frame);
    gone(String.valueOf(broken.getMessage()), broken);
  }

  /// The client, or this side, has ended the stream.
  void closed() {
    if (!LingeringClose.isActive(context.channel())) {
      gone("the client has gone", Http2Stream.closed());
    } else if (!hasBegun()) {
      gone("the client has gone", new IOException("the stream was closed"));
    }
    Runnable action = onClosed;
    onClosed = null;
    if (action != null) {
      action.run();
    }
  }

  /// Runs an action when the stream is closed, or at once if it is closed.
  void whenClosed(Runnable action) {
    if (isClosed()) {
      action.run();
    } else {
      onClosed = action;
    }
  }

  // Outgoing.

  /// The head and the whole body of a response in one message, so that no other message comes
  /// between them.
  static final class Response extends DefaultByteBufHolder {

    private final Http2HeadersFrame head;

    Response(Http2HeadersFrame head, ByteBuf body) {
      super(body);
      this.head = head;
    }

    Http2HeadersFrame head() {
      return head;
    }

    /// {@return the frame of the body, which has the content of this message}
    Http2DataFrame body() {
      return new DefaultHttp2DataFrame(content(), /* endStream= */ true).stream(head.stream());
    }
  }

  /// {@return the frame for a part of a response; the frame takes the content of the part}
  ///
  /// @throws ConnectionResetException if the stream is closed; the part is released
  Object frame(Object part) throws ConnectionResetException {
    if (isClosed()) {
      ReferenceCountUtil.release(part);
      throw new ConnectionResetException(
          "send a response: the client has taken the request back", new IOException("closed"));
    }
    boolean interim =
        part instanceof HttpResponse response
            && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    ended = (part instanceof LastHttpContent && !interim) || part instanceof Http2ResetFrame;
    return switch (part) {
      case FullHttpResponse whole when whole.content().isReadable() ->
          new Response(head(whole, false), whole.content());
      case FullHttpResponse whole -> {
        Http2HeadersFrame head = head(whole, !interim);
        whole.release();
        yield head;
      }
      case HttpResponse head -> head(head, false);
      case HttpContent content ->
          new DefaultHttp2DataFrame(content.content(), content instanceof LastHttpContent)
              .stream(stream);
      case Http2ResetFrame reset -> reset.stream(stream);
      default -> throw new IllegalArgumentException("part=" + part);
    };
  }

  private Http2HeadersFrame head(HttpResponse response, boolean last) {
    Http2Headers head =
        response.headers() instanceof UsualHeaders usual
            ? usual.toHttp2(response.status())
            : HttpConversionUtil.toHttp2Headers(response, /* validateHeaders= */ false);
    return new DefaultHttp2HeadersFrame(head, last).stream(stream);
  }

  /// A part was not sent, and it may be the last one. So the stream is reset when it is closed.
  ///
  /// @return the failure of the task
  Throwable notSent(Throwable found) {
    ended = false;
    boolean itself =
        found instanceof IOException
            || found instanceof CancellationException
            || found instanceof TimedOutException
            || found instanceof Error;
    return itself || !isClosed()
        ? found
        : new ConnectionResetException("send a response: the client has gone", found);
  }
}
