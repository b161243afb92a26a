package dev.rondo.netty.http;

import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;

/// Encodes a response without a body if its request was one for the head.
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
}
