package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.application.Application;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientResponse;
import dev.rondo.http.client.WebSocketRefusedException;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpStatusException;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketMessage;
import dev.rondo.scheduler.TimedOutException;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Programs with HTTP that the documentation shows and no example has.
final class DocsHttpTest {

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static URI root(HttpServer server) {
    return URI.create("http:/" + server.localAddress());
  }

  /// Passes requests on to another server.
  private record Relay(Application app, HttpClient client, URI upstream, Duration patience) {

    private void relay(HttpExchange exchange) throws Exception {
      exchange.endWithClient();
      try (HttpClientResponse response = ask(exchange);
          OutputStream out = exchange.stream(response.status(), "text/plain")) {
        response.body().transferTo(out);
      }
    }

    private HttpClientResponse ask(HttpExchange exchange) throws Exception {
      try {
        return app.within(patience, () -> client.get(URI.create(upstream + exchange.path())));
      } catch (TimedOutException | SocketTimeoutException e) {
        throw new HttpStatusException(HttpResponseStatus.GATEWAY_TIMEOUT, "no answer in time");
      } catch (IOException e) { // it is not there, resets the connection, breaks the protocol
        throw new HttpStatusException(HttpResponseStatus.BAD_GATEWAY, "no answer");
      }
    }
  }

  private static int statusOf(Application app, HttpClient client, URI upstream, Duration patience)
      throws IOException {
    return statusOf(new Relay(app, client, upstream, patience), "/hello");
  }

  private static int statusOf(Relay relay, String path) throws IOException {
    try (HttpServer server =
            HttpServer.builder(relay.app().scheduler())
                .get("/{any...}", relay::relay)
                .listen(anyPort());
        HttpClientResponse response = relay.client().get(URI.create(root(server) + path))) {
      return response.status().code();
    }
  }

  @Test
  void relay_failuresOfTheOtherServer_areStatuses() {
    Application.run(app -> {
      try (HttpClient client = HttpClient.builder(app.scheduler()).build()) {
        URI upstream;
        try (HttpServer server =
            HttpServer.builder(app.scheduler())
                .get("/hello", exchange -> exchange.respondText("hello"))
                .listen(anyPort())) {
          upstream = root(server);
          assertEquals(200, statusOf(app, client, upstream, Duration.ofMinutes(1)));
          assertEquals(504, statusOf(app, client, upstream, Duration.ZERO));
          var relay = new Relay(app, client, upstream, Duration.ofMinutes(1));
          assertEquals(404, statusOf(relay, "//localhost:1/hello")); // not another server's
        }
        assertEquals(502, statusOf(app, client, upstream, Duration.ofMinutes(1)));
      }
    });
  }

  private static List<String> follow(HttpClient client, URI uri) throws IOException {
    var news = new ArrayList<String>();
    try (WebSocket socket = client.webSocket(uri)) {
      socket.send("subscribe");
      while (socket.receive() instanceof WebSocketMessage.Text(String text)) {
        news.add(text);
      }
    }
    return news;
  }

  private static void publish(HttpExchange exchange) throws IOException {
    try (WebSocket socket = exchange.webSocket()) {
      if (socket.receive() instanceof WebSocketMessage.Text(String text)) {
        socket.send("you said: " + text);
      }
    }
  }

  @Test
  void webSocket_ofTheClient_followsAServer() {
    Application.run(app -> {
      try (HttpServer server =
              HttpServer.builder(app.scheduler())
                  .get("/news", DocsHttpTest::publish)
                  .get("/page", exchange -> exchange.respondText("a page"))
                  .listen(anyPort());
          HttpClient client = HttpClient.builder(app.scheduler()).build()) {
        assertEquals(List.of("you said: subscribe"), follow(client, root(server).resolve("/news")));
        URI page = root(server).resolve("/page");
        assertThrows(WebSocketRefusedException.class, () -> follow(client, page));
      }
    });
  }
}
