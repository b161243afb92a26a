package dev.rondo.netty.http;

import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The messages of one connection, with the limits of time.
///
/// Confined to the scheduler's thread.
final class HttpWire {

  /// How long a client may go on sending after the last response, until the connection is closed:
  /// closed at once, the system would take the response back.
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final Scheduler scheduler;
  private final NettyChannel channel;
  private final Duration progress;
  private final ResponseEncoder encoder;
  private boolean broken;

  HttpWire(Scheduler scheduler, NettyChannel channel, Duration progress) {
    this.scheduler = scheduler;
    this.channel = channel;
    this.progress = progress;
    this.encoder = channel.channel().pipeline().get(ResponseEncoder.class);
  }

  /// Encodes a response without a body if its request was one for the head.
  private static final class ResponseEncoder extends HttpResponseEncoder {

    private boolean headOnly;

    @Override
    protected boolean isContentAlwaysEmpty(HttpResponse response) {
      return headOnly || super.isContentAlwaysEmpty(response);
    }
  }

  /// {@return the handlers of a connection} The decoder refuses what is ambiguous.
  static ChannelInitializer<Channel> handlers(HttpLimits limits) {
    HttpDecoderConfig strict =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.requestLineBytes())
            .setMaxHeaderSize(limits.headerBytes())
            .setAllowDuplicateContentLengths(false)
            .setStrictLineParsing(true)
            .setUseRfc9112TransferEncoding(true)
            .setValidateHeaders(true);
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel made) {
        made.pipeline().addLast(new HttpRequestDecoder(strict), new ResponseEncoder());
      }
    };
  }

  NettyChannel channel() {
    return channel;
  }

  ByteBuf newBuffer(int bytes) {
    return channel.channel().alloc().buffer(bytes);
  }

  /// Whether a message could not be sent or received.
  boolean isBroken() {
    return broken;
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
    encoder.headOnly = headOnly;
    send(response);
  }

  /// Ends this direction, and waits a moment for the client to end its own.
  void linger() throws IOException {
    if (channel.channel() instanceof DuplexChannel duplex) {
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
