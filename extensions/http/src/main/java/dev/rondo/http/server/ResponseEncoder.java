package dev.rondo.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;

/// Encodes a response without a body if its request was one for the head, and the headers that each
/// response has from bytes that are made once.
final class ResponseEncoder extends HttpResponseEncoder {

  private boolean headOnly;

  /// Says which request the next response is for.
  void headOnly(boolean wanted) {
    headOnly = wanted;
  }

  @Override
  protected boolean isContentAlwaysEmpty(HttpResponse response) {
    return headOnly || super.isContentAlwaysEmpty(response);
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
