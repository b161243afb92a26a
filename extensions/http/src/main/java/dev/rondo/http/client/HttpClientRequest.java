package dev.rondo.http.client;

import dev.rondo.http.internal.HeadRules;
import dev.rondo.http.internal.Limits;
import dev.rondo.http.internal.SentBody;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketSettings;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A client request, which can be sent several times. Made by [HttpClient#request].
///
/// Confined to the scheduler's thread.
public final class HttpClientRequest {

  /// The client itself sets them.
  private static final List<CharSequence> RESERVED =
      List.of(
          HttpHeaderNames.CONNECTION,
          HttpHeaderNames.CONTENT_LENGTH,
          HttpHeaderNames.EXPECT,
          HttpHeaderNames.TRANSFER_ENCODING,
          HttpHeaderNames.TE,
          HttpHeaderNames.UPGRADE);

  private final HttpClient client;
  private final HttpMethod method;
  private final URI uri;

  /// The same URI with the HTTP scheme.
  private final URI ofHttp;

  private final HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
  private ClientBody body = ClientBody.NONE;

  private boolean repeatable;

  /// Null if the body does not wait.
  private @Nullable Duration patience;

  /// @param ofHttp the same URI with the HTTP scheme
  HttpClientRequest(HttpClient client, HttpMethod method, URI uri, URI ofHttp) {
    this.client = client;
    this.method = method;
    this.uri = uri;
    this.ofHttp = ofHttp;
  }

  /// Adds a header. The client itself sets `Content-Length`, `Transfer-Encoding` and, unless they
  /// are set, `Host`, `Content-Type` and `Accept-Encoding`. Never a suspension point.
  ///
  /// @param name of the header
  /// @param value of the header
  /// @return this
  /// @throws IllegalArgumentException if the name or the value has a character that is not allowed
  public HttpClientRequest header(CharSequence name, String value) {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(value, "value is null");
    var _ = headers.add(name, value);
    return this;
  }

  /// Sets the body. Never a suspension point.
  ///
  /// @param contentType of the body
  /// @param bytes must not be changed
  /// @return this
  /// @throws IllegalArgumentException if the type has control characters
  public HttpClientRequest body(String contentType, byte[] bytes) {
    requireType(contentType);
    Objects.requireNonNull(bytes, "bytes is null");
    body = ClientBody.of(contentType, bytes);
    return this;
  }

  /// Sets a body that is written while it is sent. Unless [#repeatableBody()] allows more, the
  /// writer runs once for each call of [#send()]. After it has begun, the request is not sent
  /// again: neither on another connection, nor after a redirect with status 307 or 308. The
  /// redirect is then the response. With [#expectContinue] a server can redirect before the writer
  /// runs. Never a suspension point.
  ///
  /// @param contentType of the body
  /// @param writer runs in a task of its own
  /// @return this
  /// @throws IllegalArgumentException if the type has control characters
  public HttpClientRequest body(String contentType, HttpBodyWriter writer) {
    requireType(contentType);
    Objects.requireNonNull(writer, "writer is null");
    body = ClientBody.of(contentType, SentBody.OPEN_END, writer);
    return this;
  }

  /// [#body(String, HttpBodyWriter)] of a known length. Never a suspension point.
  ///
  /// @param contentType of the body
  /// @param lengthBytes at least 0; if the writer writes more or less the request fails with an
  ///   [IllegalStateException]
  /// @param writer runs in a task of its own
  /// @return this
  /// @throws IllegalArgumentException if the length is negative, or the type has control characters
  public HttpClientRequest body(String contentType, long lengthBytes, HttpBodyWriter writer) {
    requireType(contentType);
    Objects.requireNonNull(writer, "writer is null");
    Limits.requireAtLeast("lengthBytes", lengthBytes, 0);
    body = ClientBody.of(contentType, lengthBytes, writer);
    return this;
  }

  /// Allows the writer of the body to run several times for one call of [#send()], each time from
  /// the beginning. Then the body is sent again as a body of bytes is: after a redirect with status
  /// 307 or 308, and on another connection if the first one was found closed. Before the writer
  /// runs again, its last run is cancelled and its end is awaited. Never a suspension point.
  ///
  /// @return this
  public HttpClientRequest repeatableBody() {
    repeatable = true;
    return this;
  }

  /// Makes the body wait until the server asks for it (`Expect: 100-continue`, RFC 9110, 10.1.1). A
  /// server that does not want the body responds at once. Then the body is not sent, and its writer
  /// does not run. After a redirect the body goes to the new location. If the server does not know
  /// the expectation and says so (417), the request is sent once more without it. A request without
  /// a body is sent as usual. Never a suspension point.
  ///
  /// @param wait more than zero; after this time the body is sent without an answer of the server,
  ///   because old servers do not answer
  /// @return this
  /// @throws IllegalArgumentException if the time is not positive
  public HttpClientRequest expectContinue(Duration wait) {
    patience = Limits.some("wait", wait);
    return this;
  }

  /// Sends the request, and waits for the head of the response. A *possible* suspension point. On
  /// any failure, a cancellation included, nothing is left: a connection of HTTP/1.1 is closed, a
  /// stream of HTTP/2 is reset.
  ///
  /// @return the response, whatever its status is; the caller reads its body or closes it
  /// @throws java.net.UnknownHostException if there is no such host
  /// @throws java.net.ConnectException if no server listens there
  /// @throws java.net.SocketTimeoutException if the server exceeds a limit of time
  /// @throws java.net.ProtocolException if the response is malformed, ambiguous or too large, if
  ///   there are too many redirects, or if a redirect is not allowed
  /// @throws javax.net.ssl.SSLException if the server's certificate is not trusted or not for this
  ///   host, or TLS fails otherwise
  /// @throws dev.rondo.io.ConnectionResetException if the server closes the connection without a
  ///   response
  /// @throws dev.rondo.io.ChannelClosedException if the client is closed
  /// @throws IOException if the connection fails otherwise; or the failure of the writer of the
  ///   body
  /// @throws IllegalStateException if a header is set that the client itself sets, or the scheme of
  ///   the URI is `ws` or `wss`
  public HttpClientResponse send() throws IOException {
    requireFree(RESERVED);
    if (!uri.equals(ofHttp)) {
      throw new IllegalStateException(
          "send to uri=%s; required: http or https, or webSocket() in place of send()"
              .formatted(uri));
    }
    ClientBody sent = repeatable ? body.repeatable() : body;
    return client.send(Hop.of(ofHttp, method, headers.copy(), sent, patience));
  }

  /// Opens a WebSocket (RFC 6455), with the headers of this request. A *possible* suspension point.
  /// On any failure, a cancellation included, the connection is closed. Redirects are not followed.
  ///
  /// The socket has its own HTTP/1.1 connection, which no limit counts.
  /// [HttpClientLimits#connect()] limits the time to open it, and [HttpClientLimits#response()] the
  /// time for the answer of the server.
  ///
  /// @param settings of the socket; the subprotocols are offered in this order
  /// @return the socket, which the caller closes
  /// @throws WebSocketRefusedException if the server responds with anything but a WebSocket
  /// @throws java.net.ProtocolException if the server's answer is malformed, is for another
  ///   request, or has a subprotocol or an extension that was not offered
  /// @throws dev.rondo.io.ChannelClosedException if the client is closed
  /// @throws IOException as [#send()] does
  /// @throws IllegalStateException if the method is not GET, there is a body, or a header is set
  ///   that the client itself sets
  public WebSocket webSocket(WebSocketSettings settings) throws IOException {
    Objects.requireNonNull(settings, "settings is null");
    requireFree(RESERVED);
    requireFree(ClientHandshake.RESERVED);
    if (!method.equals(HttpMethod.GET) || body != ClientBody.NONE) {
      throw new IllegalStateException(
          "%s, %s; required for a WebSocket: GET without a body"
              .formatted(this, body == ClientBody.NONE ? "no body" : "with a body"));
    }
    return client.webSocket(uri, Hop.of(ofHttp, method, headers.copy(), body, null), settings);
  }

  private static void requireType(String contentType) {
    Objects.requireNonNull(contentType, "contentType is null");
    var _ = HeadRules.value("contentType", contentType);
  }

  private void requireFree(List<CharSequence> reserved) {
    for (CharSequence each : reserved) {
      if (headers.contains(each)) {
        throw new IllegalStateException("the header '%s' is set by the client".formatted(each));
      }
    }
  }

  @Override
  public String toString() {
    return method + " " + uri;
  }
}
