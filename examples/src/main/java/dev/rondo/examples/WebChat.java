package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.application.LoopGroup;
import dev.rondo.condition.channel.Broadcast;
import dev.rondo.condition.channel.Overflow;
import dev.rondo.condition.channel.Subscription;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.websocket.WebSocket;
import dev.rondo.http.websocket.WebSocketMessage;
import dev.rondo.scheduler.Task;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/// A chat room for browsers, on all cores. Each core has a loop with its own server, and all
/// servers listen on one port. A guest stays on the loop that has accepted it. Its messages are
/// posted to all loops, and each loop passes them to its own guests. No lock is needed.
///
/// By default three built-in guests talk and leave, and the program ends. With `-Dport=8080
/// -Dseconds=600` the room stays open: enter it at `http://localhost:8080` from several windows.
final class WebChat {

  private static final int BUFFERED_MESSAGES = 64;
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final List<String> GUESTS = List.of("Ann", "Bob", "Cid");

  /// The messages of one loop.
  private record Room(Application app, Broadcast<String> messages) {}

  private final byte[] page;

  /// One room for each loop. All loops read and write this list.
  private final List<Room> rooms = new CopyOnWriteArrayList<>();

  private final CompletableFuture<Integer> port = new CompletableFuture<>();

  private WebChat(byte[] page) {
    this.page = page;
  }

  static void main() throws Exception {
    try (InputStream file = WebChat.class.getResourceAsStream("web-chat.html")) {
      new WebChat(Objects.requireNonNull(file).readAllBytes()).run();
    }
  }

  private void run() throws Exception {
    int cores = Runtime.getRuntime().availableProcessors();
    try (LoopGroup group = Application.builder().loops("chat", cores)) {
      var end = group.start(this::serve);
      int known = port.join();
      IO.println("chat at http://localhost:" + known);
      IO.println("%d guests, %d lines read".formatted(GUESTS.size(), converse(known)));
      Thread.sleep(Duration.ofSeconds(Integer.getInteger("seconds", 0)));
      group.shutdown(GRACE, GRACE).join();
      end.join(); // a failure of a loop is thrown here
    }
  }

  // On each loop.

  private void serve(LoopGroup.Member loop) throws IOException {
    Application app = loop.app();
    int wanted =
        loop.index() == 0
            ? Integer.getInteger("port", 0)
            : app.await(app.scheduler().completion(port));
    var room =
        new Room(app, new Broadcast<>(app.scheduler(), BUFFERED_MESSAGES, Overflow.DROP_OLDEST));
    rooms.add(room);
    try (HttpServer server =
        HttpServer.builder(app.scheduler())
            .reusePort()
            .webSocketOrigins("*") // what is said here is no secret
            .get("/", exchange -> exchange.respond(HttpResponseStatus.OK, "text/html", page))
            .get("/chat/{name}", exchange -> entertain(loop, room, exchange))
            .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted))) {
      port.complete(((InetSocketAddress) server.localAddress()).getPort());
      app.await(app.shutdownRequested());
      server.shutdown(GRACE);
    }
  }

  /// Serves one guest with two tasks: this one receives, another one sends.
  private void entertain(LoopGroup.Member loop, Room room, HttpExchange exchange)
      throws IOException {
    String name = exchange.pathParameter("name");
    try (Subscription<String> messages = room.messages().subscribe();
        WebSocket socket = exchange.webSocket()) {
      Task<Void> telling = room.app().spawn("tell " + name, () -> tell(socket, messages));
      say(name + " has come to " + loop.name());
      try {
        while (socket.receive() instanceof WebSocketMessage.Text(String text)) {
          say(name + ": " + text);
        }
      } finally {
        telling.cancel("the guest leaves");
        say(name + " has left");
      }
    }
  }

  private static void tell(WebSocket socket, Subscription<String> messages) {
    try {
      for (String message : messages) {
        socket.send(message);
      }
    } catch (IOException e) {
      // the guest left
    }
  }

  /// Sends a message to the guests of all loops.
  private void say(String message) {
    for (Room each : rooms) {
      each.app().post(() -> each.messages().trySend(message));
    }
  }

  // The built-in guests, on the JDK's client.

  /// The lines that a built-in guest reads.
  private static final class Guest implements java.net.http.WebSocket.Listener {

    private final CountDownLatch missing = new CountDownLatch(GUESTS.size());
    private final StringBuilder line = new StringBuilder();

    @Override
    public CompletionStage<?> onText(
        java.net.http.WebSocket socket, CharSequence data, boolean last) {
      line.append(data);
      if (last) {
        if (line.toString().endsWith(": hello")) {
          missing.countDown();
        }
        line.setLength(0);
      }
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }

  /// {@return the number of lines that the guests have read}
  private static int converse(int known) throws InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      var guests = new ArrayList<Guest>();
      var sockets = new ArrayList<java.net.http.WebSocket>();
      for (String name : GUESTS) {
        var guest = new Guest();
        URI uri = URI.create("ws://localhost:%d/chat/%s".formatted(known, name));
        sockets.add(client.newWebSocketBuilder().buildAsync(uri, guest).join());
        guests.add(guest);
      }
      sockets.forEach(each -> each.sendText("hello", true).join());
      for (Guest each : guests) {
        each.missing.await();
      }
      sockets.forEach(each -> each.sendClose(java.net.http.WebSocket.NORMAL_CLOSURE, "").join());
      return guests.size() * GUESTS.size();
    }
  }
}
