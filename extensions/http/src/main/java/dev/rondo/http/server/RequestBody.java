package dev.rondo.http.server;

import dev.rondo.http.internal.ReceivedBody;
import dev.rondo.netty.internal.BodyPace;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.io.EOFException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The body of a request, read from the connection as the handler reads it.
///
/// Confined to the scheduler's thread.
final class RequestBody extends ReceivedBody {

  /// The client does not say how long the body is.
  static final long NOT_ANNOUNCED = -1;

  private final HttpWire wire;
  private final long announcedBytes;

  /// Whether the client waits to be asked for the body.
  private boolean continueIsExpected;

  private boolean responding;

  RequestBody(HttpWire wire, HttpRequest request, long mostBytes) {
    super(mostBytes);
    this.wire = wire;
    if (request instanceof FullHttpRequest full) {
      this.announcedBytes = full.content().readableBytes();
      arrived(full.content());
    } else {
      this.announcedBytes =
          request.decoderResult().isSuccess() ? announced(wire, request) : NOT_ANNOUNCED;
      this.continueIsExpected = HttpUtil.is100ContinueExpected(request);
    }
  }

  private static long announced(HttpWire wire, HttpRequest request) {
    if (request.headers().contains(HttpHeaderNames.CONTENT_LENGTH)) {
      return HttpUtil.getContentLength(request, NOT_ANNOUNCED);
    }
    return wire.isStream() || request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)
        ? NOT_ANNOUNCED
        : 0;
  }

  /// {@return the length of the body; NOT_ANNOUNCED if it is not known}
  long announcedBytes() {
    return announcedBytes;
  }

  /// Whether the bytes that follow are ambiguous: the client may send the body or leave it out, or
  /// the end of the body was not found.
  boolean isUncertain() {
    return hasFailed() || (continueIsExpected && !isComplete());
  }

  /// Asks for the body, if the client waits for that and the body is not late or too long. A
  /// *possible* suspension point.
  void ask() throws IOException {
    if (continueIsExpected && !responding && announcedBytes <= mostBytes()) {
      continueIsExpected = false;
      wire.begin(
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER),
          false);
    }
  }

  /// The response begins. The client is no longer asked for the body, and may send it or leave it
  /// out.
  void responding() {
    responding = true;
  }

  @Override
  protected HttpContent nextPart() throws IOException {
    if (announcedBytes > mostBytes()) {
      throw failed(tooLarge());
    }
    ask();
    Object message;
    try {
      message = wire.receivePart();
    } catch (HttpStatusException e) {
      throw failed(e);
    }
    if (message instanceof HttpContent content) {
      return content;
    }
    wire.cutOff();
    throw new EOFException("the client has closed the connection within the body");
  }

  @Override
  protected HttpStatusException tooLarge() {
    return tooLarge(mostBytes());
  }

  static HttpStatusException tooLarge(long mostBytes) {
    return new HttpStatusException(
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "the body is longer than %,d bytes".formatted(mostBytes));
  }

  @Override
  protected HttpStatusException tooSlow() {
    return new HttpStatusException(
        HttpResponseStatus.REQUEST_TIMEOUT,
        "the body arrives too slowly; required: %,d bytes a second"
            .formatted(BodyPace.BYTES_PER_SECOND));
  }

  @Override
  protected HttpStatusException malformed(String why, @Nullable Throwable cause) {
    return cause == null
        ? new HttpStatusException(HttpResponseStatus.BAD_REQUEST, why)
        : RequestRules.malformed(cause);
  }

  @Override
  public boolean skipRest() throws IOException {
    return (!continueIsExpected || isComplete()) && super.skipRest();
  }
}
