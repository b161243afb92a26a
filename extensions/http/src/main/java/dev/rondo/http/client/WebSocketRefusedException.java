package dev.rondo.http.client;

import dev.rondo.scheduler.internal.ReportText;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.URI;

/// The server did not open the WebSocket that a client has requested. It responded with another
/// status, because the page does not exist or has moved, for instance, or the user is not known.
public final class WebSocketRefusedException extends IOException {

  private static final long serialVersionUID = 1L;

  /// The status, which is not serializable.
  private final int code;

  WebSocketRefusedException(URI uri, HttpResponse response) {
    super(message(uri, response));
    this.code = response.status().code();
  }

  private static String message(URI uri, HttpResponse response) {
    String location = response.headers().get(HttpHeaderNames.LOCATION);
    String found = response.status() + (location == null ? "" : " to " + location);
    return "no web socket at %s: the server responds %s; required: %s"
        .formatted(uri, ReportText.escaped(found), HttpResponseStatus.SWITCHING_PROTOCOLS);
  }

  /// {@return the status of the response} Never a suspension point.
  public HttpResponseStatus status() {
    return HttpResponseStatus.valueOf(code);
  }
}
