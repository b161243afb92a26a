package dev.rondo.netty.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The body of a request, read from the connection as the handler reads it.
///
/// Confined to the scheduler's thread.
final class RequestBody extends InputStream {

  /// How much of a body that the handler has left is read for the sake of the next request.
  private static final long MOST_SKIPPED_BYTES = 64 << 10;

  private final HttpWire wire;
  private final long mostBytes;
  private final long announcedBytes;

  /// The part that is being read.
  private ByteBuf part = Unpooled.EMPTY_BUFFER;

  private long receivedBytes;
  private boolean complete;
  private boolean closed;

  /// Whether the client waits to be asked for the body.
  private boolean continueIsExpected;

  /// Why there is no more of it.
  private @Nullable HttpStatusException failure;

  RequestBody(HttpWire wire, HttpRequest request, long mostBytes) {
    this.wire = wire;
    this.mostBytes = mostBytes;
    this.announcedBytes =
        request.decoderResult().isSuccess() ? HttpUtil.getContentLength(request, -1L) : -1;
    this.continueIsExpected = HttpUtil.is100ContinueExpected(request);
    if (request instanceof FullHttpRequest full) {
      part = full.content(); // a stream that has ended
      complete = true;
    }
  }

  long receivedBytes() {
    return receivedBytes;
  }

  /// Whether all of it has been received.
  boolean isComplete() {
    return complete;
  }

  /// Whether nothing can be said of the bytes that follow: the client may send the body or leave
  /// it, or its end was not found.
  boolean isUncertain() {
    return failure != null || (continueIsExpected && !complete);
  }

  @Override
  public int read() throws IOException {
    return hasMore() ? part.readUnsignedByte() : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int count = Math.min(length, part.readableBytes());
    part.readBytes(bytes, offset, count);
    return count;
  }

  @Override
  public int available() {
    return part.readableBytes();
  }

  private boolean hasMore() throws IOException {
    if (closed) {
      throw new IOException("the exchange is over");
    }
    while (!part.isReadable()) {
      if (complete) {
        return false;
      }
      receive();
    }
    return true;
  }

  private void receive() throws IOException {
    if (failure != null) {
      throw failure;
    }
    if (announcedBytes > mostBytes) {
      throw failed(tooLarge(mostBytes));
    }
    if (continueIsExpected) {
      continueIsExpected = false;
      wire.begin(
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER),
          false);
    }
    Object message;
    try {
      message = wire.receivePart();
    } catch (HttpStatusException e) {
      throw failed(e);
    }
    if (!(message instanceof HttpContent content)) {
      throw new EOFException("the client has closed the connection within the body");
    }
    releasePart();
    part = content.content();
    if (content.decoderResult().isFailure()) {
      throw failed(RequestRules.malformed(content.decoderResult().cause()));
    }
    receivedBytes += part.readableBytes();
    complete = content instanceof LastHttpContent;
    if (receivedBytes > mostBytes) {
      complete = false;
      throw failed(tooLarge(mostBytes));
    }
  }

  /// Nothing is read from now on.
  HttpStatusException failed(HttpStatusException why) {
    failure = why;
    releasePart();
    return why;
  }

  static HttpStatusException tooLarge(long mostBytes) {
    return new HttpStatusException(
        HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
        "the body is longer than %,d bytes".formatted(mostBytes));
  }

  private void releasePart() {
    ByteBuf old = part;
    part = Unpooled.EMPTY_BUFFER;
    old.release();
  }

  /// Reads what the handler has left, unless that is much.
  ///
  /// @return whether the next request follows
  boolean skipRest() throws IOException {
    if (isUncertain()) {
      return false;
    }
    long limit = receivedBytes + MOST_SKIPPED_BYTES;
    while (!complete && receivedBytes < limit) {
      receive();
    }
    return complete;
  }

  /// The exchange is over.
  void end() {
    closed = true;
    releasePart();
  }
}
