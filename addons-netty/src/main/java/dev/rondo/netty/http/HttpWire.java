package dev.rondo.netty.http;

import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A server's end of a connection of HTTP/1.1, or of a stream of HTTP/2.
///
/// Confined to the scheduler's thread.
final class HttpWire extends MessageWire {

  /// How long a client may go on sending after the last response, until the connection is closed:
  /// closed at once, the system would take the response back.
  private static final Duration LINGER = Duration.ofSeconds(1);

  /// Null for a stream, whose codec knows when there is no body.
  private final @Nullable ResponseEncoder encoder;

  HttpWire(Scheduler scheduler, NettyChannel channel, Duration progress) {
    super(scheduler, channel, progress);
    this.encoder = channel.channel().pipeline().get(ResponseEncoder.class);
  }

  /// Whether the system can send files here by itself.
  boolean sendsFiles() {
    return !isStream() && !isSecure();
  }

  /// {@return what an extended CONNECT has asked for; null if this is another request}
  @Nullable Http2Tunnel tunnel() {
    return channel().channel().pipeline().get(Http2Tunnel.class);
  }

  /// Receives the next part of a body.
  ///
  /// @throws HttpStatusException if the client takes too long
  @Nullable Object receivePart() throws IOException {
    return receive(
        progress(),
        () ->
            new HttpStatusException(
                HttpResponseStatus.REQUEST_TIMEOUT, "the body did not arrive in time"));
  }

  /// Sends a response, or its head.
  ///
  /// @param headOnly whether the client wants no body
  void begin(HttpResponse response, boolean headOnly) throws IOException {
    ResponseEncoder own = encoder;
    if (own != null) {
      own.headOnly(headOnly);
    }
    beginning();
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

  /// Ends this direction, and waits a moment for the client to end its own.
  void linger() throws IOException {
    NettyChannel channel = channel();
    SslHandler secure = channel.channel().pipeline().get(SslHandler.class);
    if (secure != null) {
      var _ = secure.closeOutbound();
    } else if (channel.channel() instanceof DuplexChannel duplex) {
      var _ = duplex.shutdownOutput();
    }
    try {
      scheduler()
          .within(
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
