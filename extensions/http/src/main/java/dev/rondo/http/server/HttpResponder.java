package dev.rondo.http.server;

import dev.rondo.http.files.StaticFiles;
import dev.rondo.http.files.internal.ServedFolder;
import dev.rondo.http.internal.CompressedBody;
import dev.rondo.http.internal.ContentCoding;
import dev.rondo.http.internal.HeadRules;
import dev.rondo.http.internal.SentBody;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.http.websocket.internal.WebSocketConnection;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The response to one request.
///
/// Confined to the scheduler's thread, and to the task of the request.
final class HttpResponder {

  private static final int MOST_BYTES_AT_ONCE = 64 << 10;

  private static final HttpHeadersFactory UNCHECKED =
      DefaultHttpHeadersFactory.headersFactory().withValidation(false);

  private static final List<CharSequence> OF_A_PAGE =
      List.of(
          HttpHeaderNames.ACCEPT_RANGES,
          HttpHeaderNames.CONTENT_DISPOSITION,
          HttpHeaderNames.CONTENT_ENCODING,
          HttpHeaderNames.CONTENT_LANGUAGE,
          HttpHeaderNames.CONTENT_LENGTH,
          HttpHeaderNames.CONTENT_LOCATION,
          HttpHeaderNames.CONTENT_RANGE,
          HttpHeaderNames.ETAG,
          HttpHeaderNames.EXPIRES,
          HttpHeaderNames.LAST_MODIFIED);

  private final HttpServer server;
  private final HttpWire wire;
  private final HttpRequest request;
  private final RequestBody body;

  /// Whether all of the body arrived with the head of the request.
  private final boolean hasWholeBody;

  /// Whether the client wants no body.
  private final boolean isHead;

  private final boolean isVersion11;

  /// Null while no header is set. Headers that the server itself sets are not checked again for
  /// each response.
  private @Nullable HttpHeaders headers;

  /// Whether the handler may have set headers, which must be checked.
  private boolean handedOut;

  /// The headers that were sent, if there are only the usual headers.
  private @Nullable UsualHeaders usual;

  /// Null until the handler has responded.
  private @Nullable HttpResponseStatus status;

  /// When the response began; 0 without an access log.
  private long respondedNanos;

  private @Nullable SentBody stream;

  /// Whether the end of the connection is the end of the body.
  private boolean untilClose;

  /// Between the handler and the stream; null if the body is not compressed.
  private @Nullable CompressedBody compressed;

  private @Nullable WebSocketConnection socket;
  private @Nullable ServerSentEvents events;
  private long sentBytes;

  /// Whether the response was sent to its end.
  boolean sent;

  /// Whether another request may follow.
  boolean keptAlive;

  /// @param keptAlive whether another request may follow
  HttpResponder(
      HttpServer server, HttpWire wire, HttpRequest request, RequestBody body, boolean keptAlive) {
    this.server = server;
    this.wire = wire;
    this.request = request;
    this.body = body;
    this.hasWholeBody = request instanceof FullHttpRequest;
    this.isHead = request.method().equals(HttpMethod.HEAD);
    this.isVersion11 = request.protocolVersion().equals(HttpVersion.HTTP_1_1);
    this.keptAlive = keptAlive;
  }

  // Headers. Most responses have only the usual headers, for which no object is made.

  /// {@return the headers, for the handler}
  HttpHeaders headers() {
    if (!handedOut) {
      HttpHeaders before = own();
      handedOut = true;
      headers = DefaultHttpHeadersFactory.headersFactory().newHeaders().add(before);
    }
    return own();
  }

  /// {@return the headers, for the server}
  HttpHeaders own() {
    HttpHeaders made = headers;
    if (made == null) {
      made = UNCHECKED.newHeaders();
      UsualHeaders sent = usual;
      if (sent != null) {
        sent.addTo(made);
      }
      headers = made;
    }
    return made;
  }

  /// Removes the headers that describe a page, because an error takes its place. The page's cache
  /// time does not hold for the error.
  void forgetPage() {
    HttpHeaders set = headers;
    if (set == null) {
      return;
    }
    if (set.contains(HttpHeaderNames.CACHE_CONTROL)) {
      set.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    }
    OF_A_PAGE.forEach(set::remove);
  }

  // The response.

  boolean hasResponded() {
    return status != null;
  }

  /// Responds with a body.
  void respond(HttpResponseStatus code, String contentType, byte[] bytes) throws IOException {
    if (hasNoBody(code)) {
      if (bytes.length > 0) {
        throw new IllegalArgumentException("a response with status %s has no body".formatted(code));
      }
      setLengthWithoutBody(code);
    } else {
      if (isUsual(bytes.length)) {
        UsualHeaders all = server.headerValues.usual(contentType, bytes.length);
        noteResponded(code);
        usual = all;
        sendWhole(code, bytes, all);
        return;
      }
      if (!contentType.isEmpty()) {
        contentType(contentType);
      }
      ContentCoding coding = coding(code, bytes.length);
      if (coding != null) {
        respondCompressed(code, bytes, coding);
        return;
      }
      own().setInt(HttpHeaderNames.CONTENT_LENGTH, bytes.length);
    }
    respondAsItIs(code, bytes);
  }

  /// RFC 9110, 8.6 and 15.3.6. With status 304 the length is that of the page, if the handler sets
  /// it.
  private void setLengthWithoutBody(HttpResponseStatus code) {
    if (code.equals(HttpResponseStatus.NO_CONTENT)) {
      own().remove(HttpHeaderNames.CONTENT_LENGTH);
    } else if (code.equals(HttpResponseStatus.RESET_CONTENT)) {
      own().setInt(HttpHeaderNames.CONTENT_LENGTH, 0);
    }
  }

  private void contentType(String type) {
    own().set(HttpHeaderNames.CONTENT_TYPE, server.headerValues.contentType(type));
  }

  private void respondAsItIs(HttpResponseStatus code, byte[] bytes) throws IOException {
    beginHead(code);
    if (isHead || bytes.length <= MOST_BYTES_AT_ONCE) {
      sendWhole(code, bytes, own());
    } else {
      wire.begin(new DefaultHttpResponse(HttpVersion.HTTP_1_1, code, own()), false);
      sendInParts(bytes);
      sent = true;
    }
  }

  private void sendWhole(HttpResponseStatus code, byte[] bytes, HttpHeaders all)
      throws IOException {
    var response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            code,
            isHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(bytes),
            all,
            EmptyHttpHeaders.INSTANCE);
    wire.end(response);
    sentBytes = isHead ? 0 : bytes.length;
    sent = true;
  }

  /// Whether a response has only the usual headers.
  private boolean isUsual(int lengthBytes) {
    return headers == null
        && keptAlive
        && wire.encodesUsual
        && lengthBytes <= MOST_BYTES_AT_ONCE
        && isVersion11
        && server.compression == null
        && !server.draining
        && (hasWholeBody || !body.isUncertain());
  }

  /// A large body is compressed while it is sent, and other tasks have their turns meanwhile. After
  /// a failure the response stays incomplete.
  private void respondCompressed(HttpResponseStatus code, byte[] bytes, ContentCoding coding)
      throws IOException {
    if (bytes.length <= MOST_BYTES_AT_ONCE) {
      byte[] smaller = CompressedBody.whole(bytes, coding, level());
      boolean worthIt = smaller.length < bytes.length;
      if (worthIt) {
        HttpCompression.announce(own(), coding);
      }
      byte[] sending = worthIt ? smaller : bytes;
      own().set(HttpHeaderNames.CONTENT_LENGTH, sending.length);
      respondAsItIs(code, sending);
      return;
    }
    OutputStream out = open(code, SentBody.OPEN_END, coding);
    for (int from = 0; from < bytes.length && !isHead; from += MOST_BYTES_AT_ONCE) {
      out.write(bytes, from, Math.min(bytes.length - from, MOST_BYTES_AT_ONCE));
      server.scheduler.yield();
    }
    endStream();
  }

  /// {@return the coding for a body; null for no compression}
  @Nullable ContentCoding coding(HttpResponseStatus code, long lengthBytes) {
    HttpCompression wanted = server.compression;
    if (wanted == null
        || lengthBytes < wanted.leastBytes()
        || code.equals(HttpResponseStatus.PARTIAL_CONTENT)
        || own().contains(HttpHeaderNames.CONTENT_LENGTH)
        || !wanted.covers(own())) {
      return null;
    }
    HttpCompression.vary(own());
    return ContentCoding.acceptedBy(request.headers());
  }

  private int level() {
    HttpCompression wanted = server.compression;
    return wanted == null ? HttpCompression.USUAL.level() : wanted.level();
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
    if (hasNoBody(code)) {
      throw new IllegalArgumentException("a response with status %s has no body".formatted(code));
    }
    if (code.codeClass() == HttpStatusClass.SUCCESS) {
      body.ask(); // the handler may read it while it responds
    }
    contentType(contentType);
    String announced = own().get(HttpHeaderNames.CONTENT_LENGTH);
    long length = announced == null ? SentBody.OPEN_END : Long.parseLong(announced);
    return open(code, length, coding(code, Long.MAX_VALUE));
  }

  /// Begins a response.
  ///
  /// @param coding null for none
  OutputStream open(HttpResponseStatus code, long length, @Nullable ContentCoding coding)
      throws IOException {
    if (coding == null) {
      return open(code, length);
    }
    requireNoResponse(code);
    HttpCompression.announce(own(), coding);
    SentBody plain = open(code, length);
    if (isHead) {
      return plain;
    }
    var body = new CompressedBody(plain, coding, level());
    compressed = body;
    return body;
  }

  /// Begins a response.
  SentBody open(HttpResponseStatus code, long length) throws IOException {
    if (length == SentBody.OPEN_END && !isVersion11) {
      keptAlive = false; // the end of the connection is the end of the body
      untilClose = !isHead;
    }
    beginHead(code);
    var response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, code, own());
    HttpUtil.setTransferEncodingChunked(response, length == SentBody.OPEN_END && isVersion11);
    var begun = new SentBody(wire, length, isHead);
    stream = begun;
    wire.begin(response, isHead);
    return begun;
  }

  /// Responds with a file that the program names.
  void respondFile(Path path) throws IOException {
    new FileResponse(server, wire, request, this).send(path);
  }

  /// Responds with a file that the client names.
  void respondFile(StaticFiles files, String name) throws IOException {
    new FileResponse(server, wire, request, this).send((ServedFolder) files, name);
  }

  /// Begins a sequence of events.
  ServerSentEvents events(Duration heartbeat) throws IOException {
    own().set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    OutputStream out = stream(HttpResponseStatus.OK, HttpHeaderValues.TEXT_EVENT_STREAM.toString());
    out.flush(); // the header of the compressed stream
    var begun = new ServerSentEvents(wire, out, heartbeat, !isHead);
    events = begun;
    return begun;
  }

  /// Makes a WebSocket of the connection.
  WebSocket webSocket(WebSocketSettings settings) throws IOException {
    var handshake = new WebSocketHandshake(server, wire, request, settings);
    handshake.check(headers());
    server.origins.check(request.headers(), wire.isSecure());
    if (!body.skipRest()) {
      throw new HttpStatusException(HttpResponseStatus.BAD_REQUEST, "the handshake has a body");
    }
    HttpResponseStatus code =
        wire.isStream() ? HttpResponseStatus.OK : HttpResponseStatus.SWITCHING_PROTOCOLS;
    requireNoResponse(code);
    HeadRules.check(headers());
    headers().set(HttpHeaderNames.DATE, server.headerValues.date());
    WebSocketConnection made = handshake.run(headers());
    noteResponded(code);
    keptAlive = false;
    socket = made;
    if (server.draining) {
      made.drain();
    }
    return made;
  }

  /// For a client that asks for a WebSocket, status 200 means that the socket is open.
  private void requireNoTunnel(HttpResponseStatus code) {
    if (wire.isStream() && wire.tunnel() != null && code.codeClass() == HttpStatusClass.SUCCESS) {
      own().set(HttpHeaderNames.ALLOW, "%s, %s".formatted(HttpMethod.GET, HttpMethod.HEAD));
      throw new HttpStatusException(
          HttpResponseStatus.METHOD_NOT_ALLOWED, "this page is no WebSocket");
    }
  }

  /// @throws IllegalArgumentException if the status is informational
  private static boolean hasNoBody(HttpResponseStatus code) {
    if (code.codeClass() == HttpStatusClass.INFORMATIONAL) {
      throw new IllegalArgumentException("code=%s; required: not informational".formatted(code));
    }
    return code.equals(HttpResponseStatus.NO_CONTENT)
        || code.equals(HttpResponseStatus.RESET_CONTENT)
        || code.equals(HttpResponseStatus.NOT_MODIFIED);
  }

  private void requireNoResponse(HttpResponseStatus code) {
    HttpResponseStatus earlier = status;
    if (earlier != null) {
      throw new IllegalStateException(
          "there is a response already; status=%s, refused=%s".formatted(earlier, code));
    }
  }

  private void noteResponded(HttpResponseStatus code) {
    if (status != null) {
      requireNoResponse(code);
    }
    status = code;
    if (!hasWholeBody) {
      body.responding();
    }
    if (server.accessLog != null) {
      respondedNanos = server.host.nowNanos();
    }
  }

  /// Marks the exchange as answered and sets the default headers.
  private void beginHead(HttpResponseStatus code) {
    requireNoResponse(code);
    requireNoTunnel(code);
    HeadRules.check(own());
    noteResponded(code);
    if (handedOut) {
      own().remove(HttpHeaderNames.TRANSFER_ENCODING);
    }
    own().set(HttpHeaderNames.DATE, server.headerValues.date());
    if (wire.isStream()) {
      return;
    }
    if (server.draining
        || (!hasWholeBody && body.isUncertain())
        || (handedOut
            && own().containsValue(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE, true))) {
      keptAlive = false;
    }
    if (!keptAlive) {
      own().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    } else if (!isVersion11) {
      own().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.KEEP_ALIVE);
    }
  }

  // For the connection.

  /// The handler has returned. Ends a response that is still open.
  void finish() throws IOException {
    if (status == null) {
      throw new IllegalStateException("the handler has not responded");
    }
    if (events != null) {
      events.stop();
    }
    if (stream != null) {
      endStream();
    }
    WebSocketConnection left = socket;
    if (left != null) {
      left.close();
      sent = true;
    }
  }

  private void endStream() throws IOException {
    SentBody open = stream;
    if (open != null && !wire.isBroken()) {
      CompressedBody body = compressed;
      if (body != null) {
        body.close();
      }
      open.end();
      sent = open.isComplete();
    }
  }

  /// The server ends. Asks a WebSocket to close.
  void drain() {
    WebSocketConnection left = socket;
    if (left != null) {
      left.drain();
    }
  }

  long respondedNanos() {
    return respondedNanos;
  }

  int statusCode() {
    HttpResponseStatus code = status;
    return code == null ? 0 : code.code();
  }

  long sentBytes() {
    SentBody open = stream;
    return open == null ? sentBytes : open.writtenBytes();
  }

  /// Whether the client would take the end of the connection for the end of a response that is
  /// incomplete.
  boolean isCutShort() {
    return stream != null && untilClose && !(sent && wire.isLastDone() && !wire.isBroken());
  }

  /// Releases the memory of the response.
  void end() {
    if (events != null) {
      events.stop();
    }
    WebSocketConnection left = socket;
    if (left != null) {
      left.end();
    }
    CompressedBody body = compressed;
    if (body != null) {
      body.end();
    }
    SentBody open = stream;
    if (open != null) {
      open.abort();
      wire.cutShort = isCutShort();
    }
  }
}
