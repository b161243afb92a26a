package dev.rondo.netty.http;

import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The messages of a connection of HTTP/1.1, or of a stream of HTTP/2, with the limits of time.
///
/// Confined to the scheduler's thread.
final class HttpWire {

  /// How long a client may go on sending after the last response, until the connection is closed:
  /// closed at once, the system would take the response back.
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final Scheduler scheduler;
  private final NettyChannel channel;
  private final Duration progress;

  /// Null for a stream, whose codec knows when there is no body.
  private final @Nullable ResponseEncoder encoder;

  private boolean broken;
  private boolean ending;

  HttpWire(Scheduler scheduler, NettyChannel channel, Duration progress) {
    this.scheduler = scheduler;
    this.channel = channel;
    this.progress = progress;
    this.encoder = channel.channel().pipeline().get(ResponseEncoder.class);
  }

  NettyChannel channel() {
    return channel;
  }

  /// Whether this is a stream of HTTP/2.
  boolean isStream() {
    return encoder == null;
  }

  /// {@return the channel of the connection}
  Channel connection() {
    Channel own = channel.channel();
    return own instanceof Http2StreamChannel stream ? stream.parent() : own;
  }

  boolean isSecure() {
    return connection().pipeline().get(SslHandler.class) != null;
  }

  ByteBuf newBuffer(int bytes) {
    return channel.channel().alloc().buffer(bytes);
  }

  /// Whether a message could not be sent or received.
  boolean isBroken() {
    return broken;
  }

  /// Whether the last part of a response is being sent, or was. The client may go then.
  boolean isEnding() {
    return ending;
  }

  /// Receives the next part of a body.
  ///
  /// @throws HttpStatusException if the client takes too long
  @Nullable Object receivePart() throws IOException {
    long deadlineNanos = scheduler.host().deadlineAfter(progress);
    try {
      return channel.receive(progress);
    } catch (TimedOutException e) {
      if (scheduler.host().nowNanos() - deadlineNanos < 0) {
        throw e; // a limit of the handler's own
      }
      throw new HttpStatusException(
          HttpResponseStatus.REQUEST_TIMEOUT, "the body did not arrive in time");
    } catch (IOException e) {
      broken = true;
      throw e;
    }
  }

  /// Sends a message, and waits until the client makes room for it.
  ///
  /// @throws TimedOutException if the client takes too long
  void send(Object message) throws IOException {
    try {
      scheduler.within(progress, () -> channel.send(message));
    } catch (Throwable e) {
      broken = true;
      throw e;
    }
  }

  /// Sends a response, or its head.
  ///
  /// @param headOnly whether the client wants no body
  void begin(HttpResponse response, boolean headOnly) throws IOException {
    ResponseEncoder own = encoder;
    if (own != null) {
      own.headOnly(headOnly);
    }
    ending = false;
    send(response);
  }

  /// Sends a whole response.
  ///
  /// @param headOnly whether the client wants no body
  void beginAndEnd(FullHttpResponse response, boolean headOnly) throws IOException {
    ResponseEncoder own = encoder;
    if (own != null) {
      own.headOnly(headOnly);
    }
    end(response);
  }

  /// Sends the last part of a response.
  void end(LastHttpContent last) throws IOException {
    ending = true;
    send(last);
  }

  /// Never returns; `throw thrown(e)` tells the compiler so.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <X extends Throwable> RuntimeException thrown(Throwable failure) throws X {
    throw (X) failure;
  }

  /// Ends a stream: the client need not send the rest, or does not receive it.
  void reset(Http2Error error) {
    try {
      send(new DefaultHttp2ResetFrame(error));
    } catch (IOException | RuntimeException e) {
      // the client has gone, too
    }
  }

  /// Ends this direction, and waits a moment for the client to end its own.
  void linger() throws IOException {
    SslHandler secure = channel.channel().pipeline().get(SslHandler.class);
    if (secure != null) {
      var _ = secure.closeOutbound();
    } else if (channel.channel() instanceof DuplexChannel duplex) {
      var _ = duplex.shutdownOutput();
    }
    try {
      scheduler.within(
          LINGER,
          () -> {
            for (Object each; (each = channel.receive()) != null; ) {
              ReferenceCountUtil.release(each);
            }
          });
    } catch (TimedOutException e) {
      // the connection is closed now
    }
  }
}
