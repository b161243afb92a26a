package dev.rondo.http.server;

import dev.rondo.http.files.StaticFiles;
import dev.rondo.http.internal.ContentCoding;
import dev.rondo.http.internal.DecodedBody;
import dev.rondo.http.internal.Limits;
import dev.rondo.http.internal.MessageWire;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.scheduler.Task;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request and its response, valid during [HttpHandler#handle].
///
/// Confined to the scheduler's thread, and to the task of the request.
public final class HttpExchange {

  static final String PLAIN_TEXT = "text/plain; charset=utf-8";

  private final HttpWire wire;
  private final HttpRequest request;
  private final RequestTarget target;

  /// The route of the request; null if the request is refused.
  private final Routes.@Nullable Match match;

  private final RequestBody body;

  /// Null if the body is not compressed.
  private final @Nullable DecodedBody decoded;

  /// Null until the body is read as a whole.
  private @Nullable WholeBody whole;

  private final HttpServer server;
  final HttpResponder responder;

  private @Nullable Map<String, List<String>> queryParameters;

  /// @param keptAlive whether another request may follow
  HttpExchange(
      HttpServer server,
      HttpWire wire,
      HttpRequest request,
      RequestTarget target,
      Routes.@Nullable Match match,
      RequestBody body,
      boolean keptAlive) {
    this.server = server;
    this.wire = wire;
    this.request = request;
    this.target = target;
    this.match = match;
    this.body = body;
    ContentCoding coding =
        request.headers().contains(HttpHeaderNames.CONTENT_ENCODING)
            ? ContentCoding.of(request.headers())
            : null;
    this.decoded = coding == null ? null : new DecodedBody(body, coding);
    this.responder = new HttpResponder(server, wire, request, body, keptAlive);
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

  /// {@return the value of a path parameter, decoded} The value may be empty, and may contain `/`
  /// and `..`. Never a suspension point.
  ///
  /// @param name of the parameter in the route: `/a/{name}`
  /// @throws IllegalArgumentException if the route has no such parameter
  public String pathParameter(String name) {
    Map<String, String> pathParameters = match == null ? Map.of() : match.parameters();
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
    return wire.connection().remoteAddress();
  }

  /// {@return `HTTP/2`, `HTTP/1.1` or `HTTP/1.0`} Never a suspension point.
  public String protocol() {
    return wire.isStream() ? MessageWire.HTTP_2 : request.protocolVersion().text();
  }

  /// {@return whether the connection is encrypted by this server} Never a suspension point.
  public boolean isSecure() {
    return wire.isSecure();
  }

  /// {@return the certificates of the client, its own first; empty if it has shown none} The TLS
  /// context decides whether the server asks for them: see [HttpServerBuilder#tls(SslContext)]. The
  /// handshake has checked them. Never a suspension point.
  public List<X509Certificate> clientCertificates() {
    return ServerTls.clientCertificates(wire.connection());
  }

  /// Makes an HTTP/1.1 client that ends its direction before it has the response count as gone: the
  /// calling task is cancelled, at once if the client has ended its direction already. Call this
  /// for requests that wait for long. Most such clients have gone. A client that still waits for
  /// the response does not receive it. Never a suspension point.
  ///
  /// @throws IllegalStateException outside of a task
  public void endWithClient() {
    Task<?> own = server.scheduler.currentTask();
    if (own == null) {
      throw new IllegalStateException("no task is running; required: the task of the request");
    }
    wire.onClientEnd(() -> {
      boolean _ = own.cancel("the client has ended the connection");
    });
  }

  /// {@return the body of the request, which is received as it is read} Reading is a *possible*
  /// suspension point, and fails with an [HttpStatusException] if the body is too large, malformed
  /// or late, and with an [IOException] if the connection ends. A client that expects `100
  /// Continue` receives it when reading begins. A body that the client has compressed with `gzip`
  /// or `deflate` is read decompressed. The limit holds for both forms. The headers describe the
  /// compressed form. Requests with other codings are refused with status 415 before the handler
  /// runs.
  public InputStream body() {
    DecodedBody content = decoded;
    return content == null ? body : content;
  }

  /// Reads the whole body of the request. A *possible* suspension point: reading waits while other
  /// requests have all memory for bodies, see [HttpLimits#allBodiesBytes()].
  ///
  /// @return the bytes, at most [HttpLimits#bodyBytes()]
  /// @throws HttpStatusException if the body is too large, malformed or late; with status 503 if
  ///   there was no memory for it within [HttpLimits#progress()]
  /// @throws IOException if the connection ends
  public byte[] bodyBytes() throws IOException {
    WholeBody own = whole;
    if (own == null) {
      own = new WholeBody(server, body, wire);
      whole = own;
    }
    return own.read(body());
  }

  /// Reads the whole body of the request as UTF-8, as [#bodyBytes()]. A *possible* suspension
  /// point.
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
    return responder.headers();
  }

  /// {@return whether the response has begun} Never a suspension point.
  boolean hasResponded() {
    return responder.hasResponded();
  }

  /// Responds with a body. A *possible* suspension point: waits until the connection takes the
  /// body. The last part, or a short body as a whole, may be sent a moment later, after the ready
  /// tasks have run. A client that does not make room within [HttpLimits#progress()] receives no
  /// more.
  ///
  /// @param code not informational
  /// @param contentType of the body
  /// @param bytes must not be changed; empty if the status allows no body
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public void respond(HttpResponseStatus code, String contentType, byte[] bytes)
      throws IOException {
    Objects.requireNonNull(code, "code is null");
    Objects.requireNonNull(contentType, "contentType is null");
    Objects.requireNonNull(bytes, "bytes is null");
    responder.respond(code, contentType, bytes);
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
    Objects.requireNonNull(text, "text is null");
    responder.respond(HttpResponseStatus.OK, PLAIN_TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /// Begins a response whose body is sent while it is written, in parts of 8 KiB and at each flush.
  /// The response ends when the handler returns. If the handler fails, the connection ends within
  /// the body, so that the client notices. This holds also after the handler has closed the stream:
  /// a close only ends the writing. If `Content-Length` is set, the body must have that length. A
  /// *possible* suspension point, as are the methods of the stream.
  ///
  /// @param code a status whose response has a body
  /// @param contentType of the body
  /// @return the body of the response
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public OutputStream stream(HttpResponseStatus code, String contentType) throws IOException {
    Objects.requireNonNull(code, "code is null");
    Objects.requireNonNull(contentType, "contentType is null");
    return responder.stream(code, contentType);
  }

  /// Responds with a file, or with the part that the request's `Range` names. *Always* a suspension
  /// point: the file is opened and read on the threads of [dev.rondo.io.file.WaitForFile]. The
  /// method returns when the system has the bytes.
  ///
  /// The response has `Last-Modified` and an `ETag`. A condition of a GET or HEAD is answered with
  /// status 304 or 412, a range with 206 or 416. `Content-Type` follows from the name, unless it is
  /// set. If the file becomes shorter while it is sent, the connection ends within the body. If the
  /// file is replaced or deleted, the opened file is sent.
  ///
  /// @param path chosen by the program; for a path from a client use [#respondFile(StaticFiles,
  ///   String)]. Symbolic links are followed
  /// @throws HttpStatusException with status 404, if it is not a readable regular file
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the file cannot be read, or the connection is broken
  public void respondFile(Path path) throws IOException {
    responder.respondFile(Objects.requireNonNull(path, "path is null"));
  }

  /// Responds with a file of a folder, as [#respondFile(Path)]. *Always* a suspension point. If a
  /// folder has an index file and its name lacks the slash at the end, the answer is status 301.
  ///
  /// @param files that may be sent
  /// @param name of the file, decoded, such as a path parameter; any string
  /// @throws HttpStatusException with status 404, if there is no such file, or it may not be sent
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the file cannot be read, or the connection is broken
  public void respondFile(StaticFiles files, String name) throws IOException {
    Objects.requireNonNull(files, "files is null");
    Objects.requireNonNull(name, "name is null");
    responder.respondFile(files, name);
  }

  /// Begins a response that is a sequence of events, for `EventSource` in a browser. The response
  /// ends when the sequence is closed, or when the handler returns. A *possible* suspension point.
  ///
  /// @param heartbeat the time without an event after which the server sends a comment, more than
  ///   zero; centuries mean no comments
  /// @return the sequence
  /// @throws IllegalArgumentException if the heartbeat is not positive; there is no response yet
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public ServerSentEvents events(Duration heartbeat) throws IOException {
    return responder.events(Limits.some("heartbeat", heartbeat));
  }

  /// Makes a WebSocket, with [WebSocketSettings#USUAL]; see [#webSocket(WebSocketSettings)]. A
  /// *possible* suspension point.
  ///
  /// @return the socket, which is closed when the handler returns
  /// @throws HttpStatusException with status 426 if the request does not ask for a WebSocket, 400
  ///   if it is malformed
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public WebSocket webSocket() throws IOException {
    return webSocket(WebSocketSettings.USUAL);
  }

  /// Responds with a WebSocket: the HTTP/1.1 connection, or the HTTP/2 stream, becomes the socket.
  /// A *possible* suspension point. Headers of the response are sent with the handshake.
  ///
  /// @param settings of the socket
  /// @return the socket, which is closed when the handler returns
  /// @throws HttpStatusException with status 426 if the request does not ask for a WebSocket, 400
  ///   if it is malformed
  /// @throws IllegalStateException if there is a response already
  /// @throws IOException if the connection is broken
  public WebSocket webSocket(WebSocketSettings settings) throws IOException {
    return responder.webSocket(Objects.requireNonNull(settings, "settings is null"));
  }

  // For the connection.

  /// Releases the memory of the exchange.
  void end() {
    DecodedBody content = decoded;
    if (content != null) {
      content.end();
    }
    body.end();
    WholeBody own = whole;
    if (own != null) {
      own.end();
    }
    responder.end();
  }
}
