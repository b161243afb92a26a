package dev.rondo.http.client;

import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.netty.WaitForNetty;
import dev.rondo.scheduler.Scheduler;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.util.Objects;

/// A client for HTTP/2 and HTTP/1.1. Its calls look like blocking code, and suspend only their
/// task.
///
/// ```java
/// try (HttpClient client = HttpClient.builder(scheduler).build()) {
///   String text = client.get(URI.create("https://example.org/")).bodyText();
/// }
/// ```
///
/// **Connections** are kept for further requests. At the limit for an origin, or the limit for all
/// origins, requests wait, first come, first served. With HTTP/2 the requests to one origin share a
/// connection, as many at once as the server allows. A request that finds its kept connection
/// closed is sent once more, if its method is idempotent and its body was not written by code. A
/// request that an HTTP/2 server has refused is sent once more, whatever its method is.
///
/// **Protocols.** Servers of `https` choose by ALPN. Requests to servers of `http` use HTTP/1.1,
/// unless [HttpClientBuilder#http2PriorKnowledge()] says otherwise.
///
/// **Strictness.** A response whose end is not certain by RFC 9112, or that is malformed otherwise,
/// fails, and its connection is closed.
///
/// **WebSockets** have their own connections, which no limit counts.
///
/// A client does not keep the scheduler running. Confined to the scheduler's thread; any number of
/// tasks.
public final class HttpClient implements AutoCloseable {

  private final Scheduler scheduler;
  private final ClientSetup setup;
  private final ClientPool pool;
  private final ClientSockets sockets;

  HttpClient(Scheduler scheduler, ClientSetup setup) {
    this.scheduler = scheduler;
    this.setup = setup;
    WaitForNetty netty = WaitForNetty.on(scheduler);
    this.pool = new ClientPool(scheduler, new ClientConnector(scheduler, netty, setup), setup);
    var connector = new ClientConnector(scheduler, netty, setup.forSockets());
    this.sockets = new ClientSockets(scheduler, connector, setup.limits());
  }

  /// {@return a builder of a client} Never a suspension point.
  ///
  /// @param scheduler whose tasks send the requests
  public static HttpClientBuilder builder(Scheduler scheduler) {
    return new HttpClientBuilder(Objects.requireNonNull(scheduler, "scheduler is null"));
  }

  /// Sends a GET request. A *possible* suspension point.
  ///
  /// @param uri of `http` or `https`
  /// @return the response; the caller reads its body or closes it
  /// @throws IOException as [HttpClientRequest#send()] does
  public HttpClientResponse get(URI uri) throws IOException {
    return request(HttpMethod.GET, uri).send();
  }

  /// {@return a request, which is not sent yet} Never a suspension point.
  ///
  /// @param method any but CONNECT
  /// @param uri of `http` or `https`, with a host, and without a user; of `ws` or `wss` as well, if
  ///   the request is for a WebSocket
  /// @throws IllegalArgumentException if the method or the URI is not one of these
  public HttpClientRequest request(HttpMethod method, URI uri) {
    Objects.requireNonNull(method, "method is null");
    Objects.requireNonNull(uri, "uri is null");
    if (method.equals(HttpMethod.CONNECT)) {
      throw new IllegalArgumentException("method=CONNECT; required: another one");
    }
    URI ofHttp = ClientSockets.ofHttp(uri);
    Origin _ = Origin.of(ofHttp);
    return new HttpClientRequest(this, method, uri, ofHttp);
  }

  /// Opens a WebSocket, with [WebSocketSettings#USUAL]. A *possible* suspension point. To send
  /// headers, to offer subprotocols or to take longer messages, see
  /// [HttpClientRequest#webSocket(WebSocketSettings)].
  ///
  /// @param uri of `ws`, `wss`, `http` or `https`
  /// @return the socket, which the caller closes
  /// @throws WebSocketRefusedException if the server responds with anything but a WebSocket
  /// @throws IOException as [HttpClientRequest#webSocket(WebSocketSettings)] does
  public WebSocket webSocket(URI uri) throws IOException {
    return request(HttpMethod.GET, uri).webSocket(WebSocketSettings.USUAL);
  }

  /// Opens a WebSocket.
  ///
  /// @param asked its URI, for messages
  WebSocket webSocket(URI asked, Hop hop, WebSocketSettings settings) throws IOException {
    scheduler.host().checkThread();
    return sockets.open(asked, hop, settings);
  }

  /// Sends a request, and follows redirects.
  HttpClientResponse send(Hop first) throws IOException {
    scheduler.host().checkThread();
    Hop hop = first;
    for (int hops = 0; ; hops++) {
      Answer answer = sendOnce(hop);
      HttpClientResponse response = answer.response;
      boolean followed = false;
      try {
        Hop next =
            hop.next(
                response.status().code(),
                response.headers(),
                setup.redirects(),
                answer.exchange.isBodyLeftOut());
        if (next == null) {
          followed = true;
          return response;
        }
        if (hops == setup.limits().redirects()) {
          throw new ProtocolException(
              "%s redirects too often; required: at most %d times"
                  .formatted(first.uri(), setup.limits().redirects()));
        }
        response.skip();
        followed = true;
        answer.exchange.awaitUploaded();
        hop = next;
      } finally {
        if (!followed) {
          response.close();
        }
      }
    }
  }

  /// @param exchange of the response
  private record Answer(HttpClientResponse response, ClientExchange exchange) {}

  /// Sends a request. Repeats it once if the failure is not about the request, or if the server
  /// does not know the expectation.
  private Answer sendOnce(Hop wanted) throws IOException {
    Hop hop = wanted;
    IOException first = null;
    while (true) {
      var exchange = new ClientExchange(scheduler, pool.acquire(hop.origin()), setup, hop);
      try {
        HttpClientResponse response = exchange.run();
        if (!exchange.knowsNoExpectation(response.status())) {
          return new Answer(response, exchange);
        }
        response.close();
        hop = hop.withoutPatience();
      } catch (IOException e) {
        if (first != null) {
          e.addSuppressed(first);
        }
        if (first != null || !exchange.mayRepeat(e)) {
          throw e;
        }
        first = e;
        exchange.awaitUploaded();
        pool.closeIdle(hop.origin());
      }
    }
  }

  /// {@return the number of connections, including connections that are being opened, without
  /// WebSockets} Never a suspension point.
  public int connectionCount() {
    return pool.connectionCount();
  }

  /// {@return the number of requests that wait for a connection} Never a suspension point.
  int waiterCount() {
    return pool.waiterCount();
  }

  /// Closes all connections and WebSockets. Open requests, open sockets, and reads of response
  /// bodies fail with a [dev.rondo.io.ChannelClosedException]. Their connections are reset, so that
  /// the servers learn that the responses are not wanted. Nothing happens if it is closed already.
  /// Never a suspension point.
  @Override
  public void close() {
    scheduler.host().checkThread();
    pool.close();
    sockets.close();
  }

  @Override
  public String toString() {
    return "http client with %d connections".formatted(pool.connectionCount());
  }
}
