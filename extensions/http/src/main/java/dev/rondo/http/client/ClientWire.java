package dev.rondo.http.client;

import dev.rondo.http.internal.HeadRules;
import dev.rondo.http.internal.MessageWire;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.internal.ChannelControl;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TimedOutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.ReferenceCountUtil;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The client's end of an HTTP/1.1 connection or an HTTP/2 stream, for one request.
///
/// Confined to the scheduler's thread.
final class ClientWire extends MessageWire {

  /// The number of informational responses that may come before the final response.
  private static final int MOST_INFORMATIONAL = 20;

  /// Null for a stream.
  private final @Nullable ResponseDecoder decoder;

  /// Null for a connection of HTTP/1.1.
  private final @Nullable ClientStream stream;

  /// Kept because a closed connection has no handlers.
  private final boolean secure;

  private boolean refused;

  /// The number of informational responses that have come.
  private int informational;

  ClientWire(Scheduler scheduler, ChannelControl channel, Duration progress) {
    super(scheduler, channel, progress, channel.channel() instanceof Http2StreamChannel);
    this.decoder = channel.channel().pipeline().get(ResponseDecoder.class);
    this.secure = isSecure();
    this.stream = channel.channel().pipeline().get(ClientStream.class);
  }

  /// Whether the server has done nothing for the request, whatever its method is.
  boolean isRefused() {
    return refused || (stream != null && stream.isRefused());
  }

  /// Another request begins.
  ///
  /// @param headOnly whether its response has no body
  void expect(boolean headOnly) {
    ending = false;
    ResponseDecoder own = decoder;
    if (own != null) {
      own.expect(headOnly);
    }
  }

  /// @throws SocketTimeoutException if the server takes too long
  @Override
  public void send(Object message) throws IOException {
    if (message instanceof HttpRequest head) {
      HeadRules.check(head.headers());
    }
    try {
      super.send(message);
    } catch (TimedOutException e) {
      throw late("the server takes no more of the request", progress());
    } catch (Exception e) {
      if (e instanceof Http2Exception) {
        refused = true; // the codec opens no further stream
      }
      throw translated(e);
    }
  }

  /// Receives the head of the response, after informational responses.
  ///
  /// @param limit for all of these responses together
  /// @return null if no head came in time
  @Nullable HttpResponse receiveHead(Duration limit) throws IOException {
    return receiveHead(limit, false);
  }

  /// Waits until the server asks for the body of the request.
  ///
  /// @param limit for its answer
  /// @return null if it asks for the body, or does not answer in time; otherwise the head of the
  ///   response, because it does not want the body
  @Nullable HttpResponse receiveGoAhead(Duration limit) throws IOException {
    return receiveHead(limit, true);
  }

  private @Nullable HttpResponse receiveHead(Duration limit, boolean orGoAhead) throws IOException {
    long deadlineNanos = scheduler().host().deadlineAfter(limit);
    while (informational < MOST_INFORMATIONAL) {
      long left = Math.max(0, deadlineNanos - scheduler().host().nowNanos());
      Object message;
      try {
        message = receiveWithin(Duration.ofNanos(left));
      } catch (SocketTimeoutException e) {
        return null;
      }
      if (!(message instanceof HttpResponse response)) {
        throw unexpected(message);
      }
      if (response.decoderResult().isFailure() || !informs(response)) {
        return response;
      }
      informational++;
      boolean goesAhead = response.status().equals(HttpResponseStatus.CONTINUE);
      skip(response);
      if (goesAhead && orGoAhead) {
        return null;
      }
    }
    throw ResponseRules.refused("too many informational responses come before it", null);
  }

  private static boolean informs(HttpResponse response) {
    return response.status().codeClass() == HttpStatusClass.INFORMATIONAL
        && !response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS);
  }

  private void skip(HttpResponse response) throws IOException {
    try {
      ResponseRules.check(response, isStream());
    } finally {
      ReferenceCountUtil.release(response);
    }
    if (!isStream() && !(response instanceof FullHttpResponse)) {
      Object end = receivePart();
      ReferenceCountUtil.release(end);
      if (!(end instanceof LastHttpContent)) {
        throw ResponseRules.refused("an informational response has a body", null);
      }
    }
  }

  /// {@return the failure of a message that is not a response}
  private static IOException unexpected(@Nullable Object message) {
    if (message == null) {
      return new ConnectionResetException(
          "the server has closed the connection without a response", new EOFException("closed"));
    }
    ReferenceCountUtil.release(message);
    return ResponseRules.refused("it does not begin with a head", null);
  }

  /// Receives the next part of a body.
  ///
  /// @return null if the server has ended
  /// @throws SocketTimeoutException if the server takes too long
  @Nullable Object receivePart() throws IOException {
    return receiveWithin(progress());
  }

  private @Nullable Object receiveWithin(Duration limit) throws IOException {
    try {
      return receive(limit, () -> late("the server sends nothing", limit));
    } catch (TimedOutException e) {
      throw e;
    } catch (Exception e) {
      throw translated(e);
    }
  }

  private static SocketTimeoutException late(String what, Duration limit) {
    return new SocketTimeoutException(new TimedOutException(limit, what).getMessage());
  }

  /// A failure of Netty's handlers is a failure of the server.
  private static IOException translated(Exception e) {
    if (e instanceof DecoderException && e.getCause() instanceof IOException inner) {
      return inner; // of TLS
    }
    if (e instanceof DecoderException || e instanceof Http2Exception) {
      return ResponseRules.refused(String.valueOf(e.getMessage()), e);
    }
    if (e instanceof IOException own) {
      return own;
    }
    throw MessageWire.<RuntimeException>thrown(e);
  }

  /// Whether the end of the connection can be the end of a body. TLS must have been closed in
  /// order: otherwise bytes may be missing.
  boolean isClosedInOrder() {
    return !secure || decoder == null || decoder.isClosedInOrder();
  }

  /// Hides the headers that the HTTP/2 codec has added.
  void tidy(HttpResponse response) {
    if (isStream()) {
      var _ = response.headers().remove(HttpHeaderNames.TRANSFER_ENCODING);
    }
  }
}
