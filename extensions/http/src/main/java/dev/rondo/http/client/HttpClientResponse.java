package dev.rondo.http.client;

import dev.rondo.http.internal.DecodedBody;
import dev.rondo.scheduler.internal.ReportText;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The response to a client request. It keeps its connection until the body was read to its end, or
/// until the response is closed.
///
/// Confined to the scheduler's thread.
public final class HttpClientResponse implements AutoCloseable {

  private final URI uri;
  private final String protocol;
  private final HttpResponseStatus status;
  private final HttpHeaders headers;
  private final ResponseContent content;

  /// Null if the body is not compressed.
  private final @Nullable DecodedBody decoded;

  private final InputStream body;
  private boolean closed;

  HttpClientResponse(
      URI uri,
      String protocol,
      HttpResponseStatus status,
      HttpHeaders headers,
      ResponseContent content,
      @Nullable DecodedBody decoded) {
    this.uri = uri;
    this.protocol = protocol;
    this.status = status;
    this.headers = headers;
    this.content = content;
    this.decoded = decoded;
    this.body = new Body(decoded == null ? content : decoded);
  }

  private final class Body extends FilterInputStream {

    Body(InputStream in) {
      super(in);
    }

    @Override
    public void close() {
      HttpClientResponse.this.close();
    }
  }

  /// {@return the URI of the last request, after redirects} Never a suspension point.
  public URI uri() {
    return uri;
  }

  /// {@return `HTTP/2`, `HTTP/1.1` or `HTTP/1.0`} Never a suspension point.
  public String protocol() {
    return protocol;
  }

  /// {@return the status} Never a suspension point.
  public HttpResponseStatus status() {
    return status;
  }

  /// {@return the headers; if the body was compressed they describe the compressed form} Never a
  /// suspension point.
  public HttpHeaders headers() {
    return headers;
  }

  /// {@return the body, which is received as it is read} Reading is a *possible* suspension point.
  /// While no task reads, the server waits. A body that the server has compressed, with `gzip` or
  /// `deflate`, is read decompressed, unless the caller has set `Accept-Encoding`. Closing it
  /// closes the response.
  ///
  /// Reading fails with a [java.net.ProtocolException] if the body is malformed or longer than
  /// [HttpClientLimits#bodyBytes()], with a [java.net.SocketTimeoutException] if it is late, with
  /// an [java.io.EOFException] or another [IOException] if the connection ends, and with the
  /// failure of the writer of the request's body. The connection is closed then.
  public InputStream body() {
    return body;
  }

  /// Reads the whole body, and closes the response. A *possible* suspension point.
  ///
  /// @return the bytes, at most [HttpClientLimits#bodyBytes()]
  /// @throws IOException as reading [#body()] does
  public byte[] bodyBytes() throws IOException {
    try (this) {
      content.keepPace();
      return body.readAllBytes();
    }
  }

  /// Reads the whole body as text, in the character set that `Content-Type` names, or in UTF-8, and
  /// closes the response. A *possible* suspension point.
  ///
  /// @return the text
  /// @throws IOException as reading [#body()] does
  public String bodyText() throws IOException {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    Charset charset =
        type == null ? StandardCharsets.UTF_8 : HttpUtil.getCharset(type, StandardCharsets.UTF_8);
    return new String(bodyBytes(), charset);
  }

  /// Reads the rest of a small body, so that the connection can be used again; closes the response.
  void skip() throws IOException {
    try (this) {
      boolean _ = content.skipRest();
    }
  }

  /// Gives the connection back. It takes another request if the whole body was read or has arrived.
  /// Otherwise an HTTP/1.1 connection is closed, and an HTTP/2 stream is reset. Nothing happens if
  /// it is closed already. Never a suspension point.
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    DecodedBody own = decoded;
    if (own != null) {
      own.end();
    }
    content.end();
  }

  @Override
  public String toString() {
    return "%s %s of %s".formatted(protocol, ReportText.escaped(status.toString()), uri);
  }
}
