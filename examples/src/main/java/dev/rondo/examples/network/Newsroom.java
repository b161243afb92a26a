package dev.rondo.examples.network;

import dev.rondo.application.Application;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.WebSocketRefusedException;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.ServerSentEvents;
import dev.rondo.http.websocket.PreparedMessage;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketMessage;
import dev.rondo.http.websocket.WebSocketSettings;
import dev.rondo.scheduler.Selection;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// News for browsers, by server-sent events and by WebSockets. A message is encoded once for all
/// WebSockets. Pages of one other site may open WebSockets.
final class Newsroom {

  private static final Duration HEARTBEAT = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final WebSocketSettings NEWS =
      new WebSocketSettings(1 << 10, HEARTBEAT, List.of("news.v1"));

  private final Application app;
  private final List<String> story = new ArrayList<>();

  private Newsroom(Application app) {
    this.app = app;
  }

  static void main() {
    Application.run(app -> report(app).forEach(IO::println));
  }

  /// {@return the news that the readers have received}
  static List<String> report(Application app) throws IOException {
    var room = new Newsroom(app);
    try (HttpServer server =
            HttpServer.builder(app.scheduler())
                .get("/events", Newsroom::events)
                .get("/news", room::news)
                .webSocketOrigins("https://example.com")
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        HttpClient client = HttpClient.builder(app.scheduler()).build()) {
      URI root = URI.create("http:/" + server.localAddress());
      client
          .get(root.resolve("/events"))
          .bodyText()
          .lines()
          .filter(line -> !line.isBlank())
          .forEach(room.story::add);
      room.read(client, root.resolve("/news"));
      room.refused(client, root.resolve("/events"));
    }
    return room.story;
  }

  private static void events(HttpExchange exchange) throws IOException {
    try (ServerSentEvents events = exchange.events(HEARTBEAT)) {
      events.send("rain");
      events.send("weather", "2", "sun");
    }
  }

  private void news(HttpExchange exchange) throws IOException {
    try (WebSocket socket = exchange.webSocket(NEWS);
        PreparedMessage picture = PreparedMessage.binary(new byte[] {1, 2, 3})) {
      socket.send(picture);
      socket.send(new byte[] {4});
      boolean sent = socket.trySend("last words");
      story.add("taken at once: " + sent);
      while (socket.receive() != null) {
        // until the reader leaves
      }
      story.add(
          "the reader left: %d %s".formatted(socket.closeCode().orElse(0), socket.closeReason()));
    }
  }

  private void read(HttpClient client, URI uri) throws IOException {
    try (WebSocket socket = client.request(HttpMethod.GET, uri).webSocket(NEWS)) {
      story.add("protocol " + socket.subprotocol());
      var over = app.time().after(PATIENCE);
      for (int i = 0; i < 3; i++) {
        Selection<?> event = app.select(socket.receiving(), over);
        story.add(
            switch (event.value()) {
              case WebSocketMessage.Text(String text) -> text;
              case WebSocketMessage.Binary(byte[] bytes) -> bytes.length + " bytes";
              case null, default -> "nothing";
            });
      }
      socket.close(4_000, "enough");
    }
  }

  private void refused(HttpClient client, URI uri) throws IOException {
    try (WebSocket socket = client.webSocket(uri)) {
      story.add("open: " + socket.subprotocol());
    } catch (WebSocketRefusedException e) {
      story.add("refused: " + e.status().code());
    }
  }
}
