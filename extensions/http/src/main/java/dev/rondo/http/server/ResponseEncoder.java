package dev.rondo.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;

/// Encodes a response without a body if its request was one for the head, and the headers that each
/// response has from bytes that are made once.
final class ResponseEncoder extends HttpResponseEncoder {

  private boolean headOnly;

  /// Of the next response only the head is wanted.
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
