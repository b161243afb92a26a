package dev.rondo.http.client;

import dev.rondo.http.internal.ReceivedBody;
import dev.rondo.netty.internal.BodyPace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import org.jspecify.annotations.Nullable;

/// The body of a response. When the whole body has been received, the connection is free for
/// another request.
///
/// Confined to the scheduler's thread.
final class ResponseContent extends ReceivedBody {

  private static final long UNKNOWN = -1;

  private final ClientExchange exchange;
  private final boolean bare;
  private final boolean untilClose;
  private final long announcedBytes;

  /// @param bare whether the response has no body, whatever the head says
  /// @param untilClose whether the end of the connection is the end of the body
  ResponseContent(
      ClientExchange exchange,
      HttpResponse head,
      boolean bare,
      boolean untilClose,
      long mostBytes) {
    super(mostBytes);
    this.exchange = exchange;
    this.bare = bare;
    this.untilClose = untilClose;
    this.announcedBytes = bare ? 0 : HttpUtil.getContentLength(head, UNKNOWN);
  }

  /// Takes the part that came with the head. An empty body ends here.
  void begin(HttpResponse head) throws IOException {
    if (head instanceof FullHttpResponse full) {
      arrived(full.content()); // a stream that has ended
      completed();
    } else if (bare || announcedBytes == 0) {
      receive();
      if (!isComplete()) {
        throw failed(ResponseRules.refused("it has a body", null));
      }
    }
  }

  @Override
  public void arrived(ByteBuf whole) {
    if (whole.isReadable()) {
      super.arrived(whole);
    } else {
      var _ = whole.release();
      super.arrived(Unpooled.EMPTY_BUFFER);
    }
  }

  @Override
  protected HttpContent nextPart() throws IOException {
    if (announcedBytes > mostBytes()) {
      throw failed(tooLarge());
    }
    return part(exchange.receivePart());
  }

  private HttpContent part(@Nullable Object message) {
    if (message instanceof HttpContent content) {
      if (untilClose && message instanceof LastHttpContent && !exchange.isClosedInOrder()) {
        ReferenceCountUtil.release(message);
        throw failed(new EOFException("the server has cut off the body"));
      }
      return content;
    }
    ReferenceCountUtil.release(message);
    throw failed(
        message == null
            ? new EOFException("the server has closed the connection within the body")
            : ResponseRules.refused("a head is within the body", null));
  }

  @Override
  protected ProtocolException tooLarge() {
    return ResponseRules.refused("its body is longer than %,d bytes".formatted(mostBytes()), null);
  }

  @Override
  public SocketTimeoutException tooSlow() {
    return new SocketTimeoutException(
        "the body of %s arrives too slowly; required: %,d bytes a second"
            .formatted(exchange, BodyPace.BYTES_PER_SECOND));
  }

  /// The whole body is about to be read.
  void keepPace() {
    keepPace(exchange.newPace());
  }

  @Override
  protected ProtocolException malformed(String why, @Nullable Throwable cause) {
    return ResponseRules.refused(why, cause);
  }

  @Override
  protected void completed() {
    exchange.completed();
  }

  @Override
  protected void broken() {
    exchange.abort();
  }

  /// Bytes behind a compressed body are ignored.
  @Override
  protected void decoded() throws IOException {
    if (!isComplete() && !skipRest()) {
      throw failed(malformed("bytes follow the compressed body", null));
    }
  }

  /// The rest is not wanted. Takes the arrived parts, because they may complete the body.
  @Override
  public void end() {
    try {
      Object message;
      while (!isComplete() && !hasFailed() && (message = exchange.tryReceivePart()) != null) {
        took(part(message));
      }
    } catch (Exception e) {
      // the connection is closed below
    }
    exchange.abort();
    super.end();
  }
}
