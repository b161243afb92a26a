package dev.rondo.netty.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The response to one request.
///
/// Confined to the scheduler's thread, and to the task of the request.
final class HttpResponder {

  private static final int MOST_BYTES_AT_ONCE = 64 << 10;

  private final HttpServer server;
  private final HttpWire wire;
  private final HttpRequest request;
  private final RequestBody body;
  private final HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();

  /// Null until the handler has responded.
  private @Nullable HttpResponseStatus status;

  private @Nullable ResponseBody stream;
  private @Nullable WebSocket socket;
  private @Nullable ServerSentEvents events;
  private long sentBytes;
  private boolean sent;
  private boolean keptAlive;

  /// @param keptAlive whether another request may follow
  HttpResponder(
      HttpServer server, HttpWire wire, HttpRequest request, RequestBody body, boolean keptAlive) {
    this.server = server;
    this.wire = wire;
    this.request = request;
    this.body = body;
    this.keptAlive = keptAlive;
  }

  HttpHeaders headers() {
    return headers;
  }

  boolean hasResponded() {
    return status != null;
  }

  /// Responds with a body.
  void respond(HttpResponseStatus code, String contentType, byte[] bytes) throws IOException {
    requireFinal(code);
    if (hasNoBody(code)) {
      if (bytes.length > 0) {
        throw new IllegalArgumentException("a response with status %s has no body".formatted(code));
      }
    } else {
      headers.set(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
      if (!contentType.isEmpty()) {
        headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
      }
    }
    begin(code);
    boolean headOnly = isHead();
    if (headOnly || bytes.length <= MOST_BYTES_AT_ONCE) {
      var response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              code,
              headOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(bytes),
              headers,
              EmptyHttpHeaders.INSTANCE);
      wire.beginAndEnd(response, headOnly);
      sentBytes = headOnly ? 0 : bytes.length;
    } else {
      wire.begin(new DefaultHttpResponse(HttpVersion.HTTP_1_1, code, headers), false);
      sendInParts(bytes);
    }
    sent = true;
  }

  /// The client has some time for each part.
  private void sendInParts(byte[] bytes) throws IOException {
    for (int from = 0; from < bytes.length; ) {
      int count = Math.min(bytes.length - from, MOST_BYTES_AT_ONCE);
      wire.send(new DefaultHttpContent(Unpooled.wrappedBuffer(bytes, from, count)));
      from += count;
      sentBytes = from;
    }
    wire.end(LastHttpContent.EMPTY_LAST_CONTENT);
  }

  /// Begins a response whose body is sent while it is written.
  OutputStream stream(HttpResponseStatus code, String contentType) throws IOException {
    requireFinal(code);
    if (hasNoBody(code)) {
      throw new IllegalArgumentException("a response with status %s has no body".formatted(code));
    }
    headers.set(HttpHeaderNames.CONTENT_TYPE, contentType);
    String announced = headers.get(HttpHeaderNames.CONTENT_LENGTH);
    long length = announced == null ? ResponseBody.OPEN_END : Long.parseLong(announced);
    if (length == ResponseBody.OPEN_END && !isVersion11()) {
      keptAlive = false; // the end of the connection is the end of the body
    }
    begin(code);
    var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, code, headers);
    HttpUtil.setTransferEncodingChunked(response, length == ResponseBody.OPEN_END && isVersion11());
    var begun = new ResponseBody(wire, length, isHead());
    stream = begun;
    wire.begin(response, isHead());
    return begun;
  }

  /// Begins a sequence of events.
  ServerSentEvents events(Duration heartbeat) throws IOException {
    headers.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    OutputStream out = stream(HttpResponseStatus.OK, HttpHeaderValues.TEXT_EVENT_STREAM.toString());
    var begun = new ServerSentEvents(wire, out, heartbeat, !isHead());
    events = begun;
    return begun;
  }

  /// Makes a WebSocket of the connection.
  WebSocket webSocket(WebSocketSettings settings) throws IOException {
    var handshake = new WebSocketHandshake(server.scheduler(), wire, request, settings);
    handshake.check();
    if (!body.skipRest()) {
      throw new HttpStatusException(HttpResponseStatus.BAD_REQUEST, "the handshake has a body");
    }
    requireNone(HttpResponseStatus.SWITCHING_PROTOCOLS);
    WebSocket made = handshake.run(headers);
    status = HttpResponseStatus.SWITCHING_PROTOCOLS;
    keptAlive = false;
    socket = made;
    return made;
  }

  private boolean isHead() {
    return request.method().equals(HttpMethod.HEAD);
  }

  private boolean isVersion11() {
    return request.protocolVersion().equals(HttpVersion.HTTP_1_1);
  }

  private static void requireFinal(HttpResponseStatus code) {
    if (code.codeClass() == HttpStatusClass.INFORMATIONAL) {
      throw new IllegalArgumentException("code=%s; required: not informational".formatted(code));
    }
  }

  private static boolean hasNoBody(HttpResponseStatus code) {
    return code.equals(HttpResponseStatus.NO_CONTENT)
        || code.equals(HttpResponseStatus.RESET_CONTENT)
        || code.equals(HttpResponseStatus.NOT_MODIFIED);
  }

  private void requireNone(HttpResponseStatus code) {
    HttpResponseStatus earlier = status;
    if (earlier != null) {
      throw new IllegalStateException(
          "there is a response already; status=%s, refused=%s".formatted(earlier, code));
    }
  }

  private void begin(HttpResponseStatus code) {
    requireNone(code);
    status = code;
    headers.remove(HttpHeaderNames.TRANSFER_ENCODING);
    headers.set(HttpHeaderNames.DATE, server.date());
    if (wire.isStream()) {
      return;
    }
    if (server.isDraining()
        || body.isUncertain()
        || headers.containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
      keptAlive = false;
    }
    if (!keptAlive) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    } else if (!isVersion11()) {
      headers.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
  }

  // For the connection.

  boolean isKeptAlive() {
    return keptAlive;
  }

  /// The handler has returned: ends a response that it has left open.
  void finish() throws IOException {
    stopEvents();
    ResponseBody open = stream;
    if (open != null) {
      open.close();
      sent = open.isComplete();
    }
    WebSocket left = socket;
    if (left != null) {
      left.close();
      sent = true;
    }
  }

  private void stopEvents() {
    ServerSentEvents begun = events;
    if (begun != null) {
      begun.stop();
    }
  }

  /// The server ends: a WebSocket is asked to close.
  void drain() {
    WebSocket left = socket;
    if (left != null) {
      left.drain();
    }
  }

  /// Whether the response was sent to its end.
  boolean isSent() {
    return sent;
  }

  int statusCode() {
    HttpResponseStatus code = status;
    return code == null ? 0 : code.code();
  }

  long sentBytes() {
    ResponseBody open = stream;
    return open == null ? sentBytes : open.writtenBytes();
  }

  /// Gives back what is left.
  void end() {
    stopEvents();
    ResponseBody open = stream;
    if (open != null) {
      open.abort();
    }
  }
}
