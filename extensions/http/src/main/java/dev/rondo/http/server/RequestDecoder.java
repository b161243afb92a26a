package dev.rondo.http.server;

import dev.rondo.http.internal.StrictLines;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Netty's decoder of requests, with a difference: a request without a body is one message, and so
/// is a request whose body has arrived with its head. Bytes behind a request that asks for a
/// WebSocket are kept, and reading stops, until that request is answered. These bytes may be
/// frames, or another request.
///
/// Confined to the event loop.
final class RequestDecoder extends HttpRequestDecoder {

  private @Nullable ChannelHandlerContext context;

  /// The headers of an unanswered request for a WebSocket; null for none. A request that was made
  /// whole keeps this object.
  private @Nullable HttpHeaders asking;

  /// Whether the body of that request is here, too.
  private boolean isWhole;

  /// The bytes behind that request; null for none.
  private @Nullable ByteBuf kept;

  private final StrictLines chunks;

  /// The most bytes of a body that becomes one message with its head.
  private final long mostWholeBytes;

  /// @param mostBodyBytes that are allowed
  RequestDecoder(HttpDecoderConfig config, long mostBodyBytes) {
    super(config);
    this.mostWholeBytes = Math.min(config.getMaxChunkSize(), mostBodyBytes);
    this.chunks = new StrictLines(config.getMaxHeaderSize());
  }

  @Override
  protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
    StrictLines.requireOneBlank(line, start, start + length);
    return super.splitFirstWordInitialLine(line, start, length);
  }

  @Override
  protected String splitSecondWordInitialLine(byte[] line, int start, int length) {
    StrictLines.requireOneBlank(line, 0, start + length);
    return super.splitSecondWordInitialLine(line, start, length);
  }

  @Override
  protected HttpMessage createMessage(String[] initialLine) throws Exception {
    StrictLines.requireProtocol(initialLine[2]);
    return super.createMessage(initialLine);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /// Whether a request asks for a WebSocket in the way of HTTP/1.1.
  static boolean asksForWebSocket(HttpRequest request) {
    HttpHeaders headers = request.headers();
    return headers.contains(HttpHeaderNames.UPGRADE) // the usual request has none
        && request.method().equals(HttpMethod.GET)
        && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
        && headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE, true)
        && headers.containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true);
  }

  @Override
  protected void decode(ChannelHandlerContext own, ByteBuf in, List<Object> out) throws Exception {
    if (isWhole) {
      keep(own, in);
      return;
    }
    int before = out.size();
    int start = in.readerIndex();
    if (!chunks.mayDecode(in, out)) {
      return;
    }
    super.decode(own, in, out);
    if (out.size() == before + 1
        && out.get(before) instanceof HttpRequest head
        && isBodyHere(head, in)) {
      super.decode(own, in, out);
    }
    chunks.decoded(in.readerIndex() - start, out, before);
    int last = out.size() - 1;
    if (last < before) {
      return;
    }
    if (out.get(before) instanceof HttpRequest head) {
      boolean asks = head.decoderResult().isSuccess() && asksForWebSocket(head);
      asking = asks ? head.headers() : null;
      if (last > before && out.get(last) instanceof LastHttpContent body) {
        out.set(before, whole(head, body));
        out.remove(last--);
      }
    }
    isWhole = asking != null && out.get(last) instanceof LastHttpContent;
  }

  /// Whether all of a request's body has arrived, and becomes one message with the head.
  private boolean isBodyHere(HttpRequest head, ByteBuf in) {
    if (!head.headers().contains(HttpHeaderNames.CONTENT_LENGTH)
        || !head.decoderResult().isSuccess()
        || HttpUtil.isTransferEncodingChunked(head)) {
      return false;
    }
    long bodyBytes = HttpUtil.getContentLength(head);
    return bodyBytes > 0 && bodyBytes <= Math.min(mostWholeBytes, in.readableBytes());
  }

  /// {@return one message for a request, for which Netty makes two}
  private static HttpRequest whole(HttpRequest head, LastHttpContent body) {
    return new DefaultFullHttpRequest(
        head.protocolVersion(),
        head.method(),
        head.uri(),
        body.content(),
        head.headers(),
        EmptyHttpHeaders.INSTANCE);
  }

  @Override
  protected void decodeLast(ChannelHandlerContext own, ByteBuf in, List<Object> out)
      throws Exception {
    if (isWhole) {
      keep(own, in);
    } else {
      super.decodeLast(own, in, out);
    }
  }

  private void keep(ChannelHandlerContext own, ByteBuf in) {
    if (in.isReadable()) {
      ByteBuf before = kept;
      ByteBuf more = in.readBytes(in.readableBytes());
      kept = before == null ? more : MERGE_CUMULATOR.cumulate(own.alloc(), before, more);
    }
  }

  /// The reading handler then regards this read as unfinished.
  @Override
  public void channelReadComplete(ChannelHandlerContext own) throws Exception {
    if (kept == null) {
      super.channelReadComplete(own);
    }
  }

  /// {@return the bytes behind the request for a WebSocket, which the caller releases; null for
  /// none} If there are bytes, the caller tells the pipeline when the read is over.
  @Nullable ByteBuf take() {
    ByteBuf all = kept;
    kept = null;
    asking = null;
    isWhole = false;
    return all;
  }

  /// A request was answered, and not by a WebSocket. Decodes the bytes behind it.
  void answered(HttpRequest request) {
    ChannelHandlerContext own = context;
    if (own != null && request.headers() == asking) {
      own.executor().execute(() -> decodeKept(own));
    }
  }

  private void decodeKept(ChannelHandlerContext own) {
    ByteBuf all = own.isRemoved() ? null : take();
    if (all == null) {
      return;
    }
    try {
      channelRead(own, all);
      channelReadComplete(own);
    } catch (Exception e) {
      own.fireExceptionCaught(e);
    }
  }

  /// A WebSocket decoder takes the place of this decoder, or the channel is closed.
  @Override
  protected void handlerRemoved0(ChannelHandlerContext own) throws Exception {
    super.handlerRemoved0(own);
    if (!own.channel().isActive()) {
      ByteBuf all = take();
      if (all != null) {
        boolean _ = all.release();
      }
    }
  }
}
