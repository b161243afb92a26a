package dev.rondo.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;

/// Encodes a response without its body if the request was a HEAD request. It copies the usual
/// headers from bytes that are made once.
final class ResponseEncoder extends HttpResponseEncoder {

  private boolean headOnly;

  /// The client wants only the head of the next response.
  void headOnly() {
    headOnly = true;
  }

  @Override
  protected boolean isContentAlwaysEmpty(HttpResponse response) {
    boolean isEmpty = headOnly || super.isContentAlwaysEmpty(response);
    headOnly = false;
    return isEmpty;
  }

  @Override
  protected void encodeHeaders(HttpHeaders headers, ByteBuf out) {
    if (headers instanceof UsualHeaders usual) {
      usual.write(out);
    } else {
      super.encodeHeaders(headers, out);
    }
  }
}
