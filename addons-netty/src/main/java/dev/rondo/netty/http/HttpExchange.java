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
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request and its response, for the time of [HttpHandler#handle].
///
/// Confined to the scheduler's thread, and to the task of the request.
public final class HttpExchange {

  private static final int MOST_BYTES_AT_ONCE = 64 << 10;
  private static final String PLAIN_TEXT = "text/plain; charset=utf-8";

  private final HttpWire wire;
  private final HttpRequest request;
  private final RequestTarget target;
  private final Map<String, String> pathParameters;
  private final RequestBody body;
  private final HttpServer server;
  private final HttpHeaders responseHeaders =
      DefaultHttpHeadersFactory.headersFactory().newHeaders();

  private @Nullable Map<String, List<String>> queryParameters;

  /// Null until the handler has responded.
  private @Nullable HttpResponseStatus status;

  private @Nullable ResponseBody stream;
  private long responseBytes;
  private boolean sent;
  private boolean keptAlive;

  /// @param keptAlive whether another request may follow
  HttpExchange(
      HttpServer server,
      HttpWire wire,
      HttpRequest request,
      RequestTarget target,
      Map<String, String> pathParameters,
      RequestBody body,
      boolean keptAlive) {
    this.server = server;
    this.wire = wire;
    this.request = request;
    this.target = target;
    this.pathParameters = pathParameters;
    this.body = body;
    this.keptAlive = keptAlive;
  }

  // The request.

  /// {@return the method of the request} Never a suspension point.
  public HttpMethod method() {
    return request.method();
  }

  /// {@return the path of the request's target, as it was sent, still encoded} Never a suspension
  /// point.
  public String path() {
    return target.path();
  }

  /// {@return the part of the path that a parameter of the route stands for, decoded} It may be
  /// empty, and may contain `/` and `..`. Never a suspension point.
  ///
  /// @param name as in the route: `/a/{name}`
  /// @throws IllegalArgumentException if the route has no such parameter
  public String pathParameter(String name) {
    String value = pathParameters.get(Objects.requireNonNull(name, "name is null"));
    if (value == null) {
      throw new IllegalArgumentException(
          "the route has no parameter '%s'; there are %s".formatted(name, pathParameters.keySet()));
    }
    return value;
  }

  /// {@return the first value of a parameter of the query, decoded; null if there is none} Never a
  /// suspension point.
  ///
  /// @param name decoded
  /// @throws HttpStatusException with status 400, if the query cannot be decoded
  public @Nullable String query(String name) {
    List<String> values = queryAll().get(Objects.requireNonNull(name, "name is null"));
    return values == null ? null : values.getFirst();
  }

  /// {@return all parameters of the query, decoded} Never a suspension point.
  ///
  /// @throws HttpStatusException with status 400, if the query cannot be decoded
  public Map<String, List<String>> queryAll() {
    Map<String, List<String>> all = queryParameters;
    if (all == null) {
      try {
        all = target.parameters();
      } catch (IllegalArgumentException e) {
        throw new HttpStatusException(HttpResponseStatus.BAD_REQUEST, "the query is malformed");
      }
      queryParameters = all;
    }
    return all;
  }

  /// {@return the headers of the request} Never a suspension point.
  public HttpHeaders headers() {
    return request.headers();
  }

  /// {@return the client's address; null if it is not known} Never a suspension point.
  public @Nullable SocketAddress remoteAddress() {
    return wire.channel().remoteAddress();
  }

  /// {@return the body of the request, read from the connection as it is read here} Reading is a
  /// *possible* suspension point, and fails with an [HttpStatusException] if the body is too large,
  /// malformed or late, and with an [IOException] if the connection ends. A client that expects
  /// `100 Continue` receives it when reading begins.
  public InputStream body() {
    return body;
  }

  /// Reads the whole body of the request. A *possible* suspension point.
  ///
  /// @return at most [HttpLimits#bodyBytes()]
  /// @throws HttpStatusException if the body is too large, malformed or late
  /// @throws IOException if the connection ends
  public byte[] bodyBytes() throws IOException {
    return body.readAllBytes();
  }

  /// Reads the whole body of the request as UTF-8. A *possible* suspension point.
  ///
  /// @return the text
  /// @throws HttpStatusException if the body is too large, malformed or late
  /// @throws IOException if the connection ends
  public String bodyText() throws IOException {
    return new String(bodyBytes(), StandardCharsets.UTF_8);
  }

  // The response.

  /// {@return the headers of the response, to be set before it begins} The server itself sets
  /// `Date`, `Connection`, `Transfer-Encoding` and, where the whole body is given, `Content-Length`
  /// and `Content-Type`. With `Connection: close` the connection ends after the response. Never a
  /// suspension point.
  public HttpHeaders responseHeaders() {
    return responseHeaders;
  }

  /// {@return whether the response has begun} Never a suspension point.
  public boolean hasResponded() {
    return status != null;
  }

  /// Responds with a body. A *possible* suspension point: returns when the system has the bytes.
  ///
  /// @param code not informational
  /// @param contentType of the body
  /// @param bytes must not be changed; empty if the status allows no body
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public void respond(HttpResponseStatus code, String contentType, byte[] bytes)
      throws IOException {
    Objects.requireNonNull(contentType, "contentType is null");
    Objects.requireNonNull(bytes, "bytes is null");
    requireFinal(code);
    if (hasNoBody(code)) {
      if (bytes.length > 0) {
        throw new IllegalArgumentException("a response with status %s has no body".formatted(code));
      }
    } else {
      responseHeaders.set(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
      if (!contentType.isEmpty()) {
        responseHeaders.set(HttpHeaderNames.CONTENT_TYPE, contentType);
      }
    }
    begin(code);
    boolean headOnly = method().equals(HttpMethod.HEAD);
    if (headOnly || bytes.length <= MOST_BYTES_AT_ONCE) {
      wire.begin(
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              code,
              headOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(bytes),
              responseHeaders,
              EmptyHttpHeaders.INSTANCE),
          headOnly);
      responseBytes = headOnly ? 0 : bytes.length;
    } else {
      wire.begin(new DefaultHttpResponse(HttpVersion.HTTP_1_1, code, responseHeaders), false);
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
      responseBytes = from;
    }
    wire.send(LastHttpContent.EMPTY_LAST_CONTENT);
  }

  /// Responds without a body. A *possible* suspension point.
  ///
  /// @param code not informational
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public void respond(HttpResponseStatus code) throws IOException {
    respond(code, "", new byte[0]);
  }

  /// Responds with a text and status 200. A *possible* suspension point.
  ///
  /// @param text sent as UTF-8
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public void respondText(String text) throws IOException {
    respondText(HttpResponseStatus.OK, text);
  }

  /// Responds with a text. A *possible* suspension point.
  ///
  /// @param code not informational
  /// @param text sent as UTF-8
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public void respondText(HttpResponseStatus code, String text) throws IOException {
    Objects.requireNonNull(text, "text is null");
    respond(code, PLAIN_TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /// Begins a response whose body is sent while it is written: in parts of 8 KiB, and when it is
  /// flushed. It ends when the stream is closed, or when the handler returns; if the handler fails,
  /// the connection ends in the middle, so that the client notices. If `Content-Length` is set the
  /// body must have that length. A *possible* suspension point, as are the methods of the stream.
  ///
  /// @param code a status whose response has a body
  /// @param contentType of the body
  /// @return the body of the response
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public OutputStream stream(HttpResponseStatus code, String contentType) throws IOException {
    Objects.requireNonNull(contentType, "contentType is null");
    requireFinal(code);
    if (hasNoBody(code)) {
      throw new IllegalArgumentException("a response with status %s has no body".formatted(code));
    }
    responseHeaders.set(HttpHeaderNames.CONTENT_TYPE, contentType);
    String announced = responseHeaders.get(HttpHeaderNames.CONTENT_LENGTH);
    long length = announced == null ? ResponseBody.OPEN_END : Long.parseLong(announced);
    if (length == ResponseBody.OPEN_END && !isVersion11()) {
      keptAlive = false; // the end of the connection is the end of the body
    }
    begin(code);
    var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, code, responseHeaders);
    HttpUtil.setTransferEncodingChunked(response, length == ResponseBody.OPEN_END && isVersion11());
    boolean headOnly = method().equals(HttpMethod.HEAD);
    var begun = new ResponseBody(wire, length, headOnly);
    stream = begun;
    wire.begin(response, headOnly);
    return begun;
  }

  private boolean isVersion11() {
    return request.protocolVersion().equals(HttpVersion.HTTP_1_1);
  }

  private static void requireFinal(HttpResponseStatus code) {
    Objects.requireNonNull(code, "code is null");
    if (code.codeClass() == HttpStatusClass.INFORMATIONAL) {
      throw new IllegalArgumentException("code=%s; required: not informational".formatted(code));
    }
  }

  private static boolean hasNoBody(HttpResponseStatus code) {
    return code.equals(HttpResponseStatus.NO_CONTENT)
        || code.equals(HttpResponseStatus.RESET_CONTENT)
        || code.equals(HttpResponseStatus.NOT_MODIFIED);
  }

  private void begin(HttpResponseStatus code) {
    HttpResponseStatus earlier = status;
    if (earlier != null) {
      throw new IllegalStateException(
          "there is a response already; status=%s, refused=%s".formatted(earlier, code));
    }
    status = code;
    if (server.isDraining()
        || body.isUncertain()
        || responseHeaders.containsValue(
            HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true)) {
      keptAlive = false;
    }
    responseHeaders.remove(HttpHeaderNames.TRANSFER_ENCODING);
    responseHeaders.set(HttpHeaderNames.DATE, server.date());
    if (!keptAlive) {
      responseHeaders.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    } else if (!isVersion11()) {
      responseHeaders.set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
  }

  // For the connection.

  boolean isKeptAlive() {
    return keptAlive;
  }

  /// The handler has returned: ends a response that it has left open.
  void finish() throws IOException {
    ResponseBody open = stream;
    if (open != null) {
      open.close();
      sent = open.isComplete();
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

  long responseBytes() {
    ResponseBody open = stream;
    return open == null ? responseBytes : open.writtenBytes();
  }

  /// Gives back what is left.
  void end() {
    body.end();
    ResponseBody open = stream;
    if (open != null) {
      open.abort();
    }
  }
}
