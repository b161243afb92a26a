package dev.rondo.http.client;

import dev.rondo.http.internal.StrictLines;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.util.List;

/// Decodes one response for each request. Bytes that come without a request close the connection,
/// because they would look like the next response.
///
/// Confined to the scheduler's thread.
final class ResponseDecoder extends HttpResponseDecoder {

  private final StrictLines chunks;
  private boolean headOnly;

  /// Whether there is a request whose response has not ended.
  private boolean expecting;

  /// Whether the message that is being decoded comes before the response.
  private boolean informational;

  private boolean inHeaders;
  private boolean closedInOrder;

  ResponseDecoder(HttpClientLimits limits) {
    super(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(limits.statusLineBytes())
            .setMaxHeaderSize(limits.headerBytes())
            .setAllowDuplicateContentLengths(false)
            .setStrictLineParsing(true)
            .setUseRfc9112TransferEncoding(true)
            .setValidateHeaders(true));
    this.chunks = new StrictLines(limits.headerBytes());
  }

  @Override
  protected String splitFirstWordInitialLine(byte[] line, int start, int length) {
    StrictLines.requireOneBlank(line, start, start + length);
    return super.splitFirstWordInitialLine(line, start, length);
  }

  /// A request is being sent.
  ///
  /// @param wantsHead whether its response has no body
  void expect(boolean wantsHead) {
    headOnly = wantsHead;
    expecting = true;
  }

  /// Whether the server has closed TLS in order, so that no bytes are missing.
  boolean isClosedInOrder() {
    return closedInOrder;
  }

  @Override
  protected HttpMessage createMessage(String[] initialLine) {
    inHeaders = true;
    StrictLines.requireProtocol(initialLine[0]);
    return super.createMessage(initialLine);
  }

  /// Netty ignores blanks between a header's name and its colon, except in requests.
  @Override
  protected boolean isDecodingRequest() {
    return inHeaders;
  }

  /// Called when the headers are complete, before the codec removes a coding from those of a
  /// response without a body.
  @Override
  protected boolean isContentAlwaysEmpty(HttpMessage message) {
    inHeaders = false;
    if (message instanceof HttpResponse response
        && ResponseRules.allowsNoCoding(response.status())
        && message.headers().contains(HttpHeaderNames.TRANSFER_ENCODING)) {
      throw new IllegalArgumentException("its status allows no body");
    }
    return headOnly || super.isContentAlwaysEmpty(message);
  }

  @Override
  protected void handleTransferEncodingChunkedWithContentLength(HttpMessage message) {
    throw new IllegalArgumentException("both Content-Length and Transfer-Encoding were found");
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws Exception {
    if (!expecting) {
      var _ = in.skipBytes(in.readableBytes());
      var _ = context.close();
      return;
    }
    int before = out.size();
    int start = in.readerIndex();
    if (!chunks.mayDecode(in, out)) {
      return;
    }
    super.decode(context, in, out);
    chunks.decoded(in.readerIndex() - start, out, before);
    for (int i = before; i < out.size(); i++) {
      note(out.get(i));
    }
  }

  private void note(Object message) {
    if (message instanceof HttpResponse response) {
      informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    }
    if (message instanceof LastHttpContent && !informational) {
      expecting = false;
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    if (event instanceof SslCloseCompletionEvent closing && closing.isSuccess()) {
      closedInOrder = true;
    }
    super.userEventTriggered(context, event);
  }
}
