package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.SimulatedRig;
import dev.rondo.scheduler.Task;
import dev.rondo.time.WaitForTime;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Messages of WebSockets that arrive in parts, under virtual time.
final class WebSocketArrivalTest extends SimulatedRig {

  private static final Duration PROGRESS = Duration.ofSeconds(5);

  /// The head of a text of 60 bytes, of a client.
  private static final String SIXTY = "\u0081\u00bc\0\0\0\0";

  private static final String FRAGMENT_A = "\u0001\u0081\0\0\0\0a";
  private static final String PONG = "\u008a\u0080\0\0\0\0";
  private static final String TEXT_B = "\u0081\u0081\0\0\0\0b";
  private static final String CLOSE_1008 = "\u0003\u00f0";
  private static final String CLOSE_1013 = "\u0003\u00f5";

  private final List<String> events = new ArrayList<>();

  /// How long the handler waits before it receives.
  private int workSeconds;

  private HttpServer serve(int allBodiesBytes) throws IOException {
    return HttpServer.builder(scheduler)
        .limits(
            HttpRig.bodies(2, allBodiesBytes)
                .withTimes(Duration.ofSeconds(10), Duration.ofMinutes(1), PROGRESS))
        .get(
            "/",
            exchange -> {
              try (WebSocket socket = exchange.webSocket()) {
                sleep(workSeconds);
                for (WebSocketMessage each; (each = socket.receive()) != null; ) {
                  events.add(((WebSocketMessage.Text) each).text());
                }
              } catch (IOException e) {
                events.add(e.getClass().getSimpleName() + ": " + e.getMessage());
              }
            })
        .listen(ADDRESS);
  }

  private NettyChannel client() throws IOException {
    NettyChannel client = netty.connect(ADDRESS, NettyRig.handlers(channel -> {}));
    send(client, HttpRig.UPGRADE.replace("/socket", "/"));
    var _ = HttpRig.until(client, "\r\n\r\n");
    return client;
  }

  private static void send(NettyChannel client, String bytes) throws IOException {
    client.send(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
  }

  private void sleep(int seconds) {
    WaitForTime.on(scheduler).sleep(Duration.ofSeconds(seconds));
  }

  /// Sends the same each second until the server has closed the socket.
  ///
  /// @return what the server has sent, and after how many seconds
  private String dribble(NettyChannel client, String begin, String part) throws IOException {
    Duration before = clock.elapsed();
    Task<String> rest =
        scheduler.spawn(() -> {
          String text = HttpRig.rest(client);
          return text + " after " + clock.elapsed().minus(before).toSeconds();
        });
    send(client, begin);
    for (int i = 0; i < 10 && !rest.isDone(); i++) {
      sleep(1);
      send(client, part);
    }
    client.close();
    return rest.join();
  }

  @Test
  void frame_thatComesTooSlowly_closesWith1008() {
    run(() -> {
      try (HttpServer _ = serve(1_000);
          NettyChannel client = client()) {
        String end = dribble(client, SIXTY, "x");
        assertTrue(end.contains(CLOSE_1008), end);
        assertTrue(events.getFirst().startsWith("ProtocolException"), events::toString);
        assertTrue(events.getFirst().contains("too slowly"), events::toString);
      }
    });
  }

  /// Pings and pongs do not count.
  @Test
  void fragments_thatComeTooSlowly_closeWith1008() {
    run(() -> {
      try (HttpServer _ = serve(1_000);
          NettyChannel client = client()) {
        String end = dribble(client, FRAGMENT_A, PONG);
        assertTrue(end.contains(CLOSE_1008), end);
        assertTrue(end.endsWith("after 5"), end);
      }
    });
  }

  @Test
  void messages_withoutMemory_closeWith1013() {
    run(() -> {
      try (HttpServer _ = serve(100);
          NettyChannel first = client();
          NettyChannel second = client();
          NettyChannel third = client();
          NettyChannel whole = client()) {
        send(first, SIXTY + "x".repeat(30));
        pause();
        send(second, SIXTY + "x".repeat(30));
        String end = HttpRig.rest(second);
        assertTrue(end.contains(CLOSE_1013), end);
        pause();
        assertEquals(List.of("IOException: there is no memory for a message"), events);
        events.clear();
        send(whole, TEXT_B);
        send(first, "x".repeat(30));
        pause();
        send(third, SIXTY + "x".repeat(30));
        pause();
        send(third, "x".repeat(30));
        pause();
        assertEquals(List.of("b", "x".repeat(60), "x".repeat(60)), events);
        assertTrue(whole.channel().isOpen());
      }
    });
  }

  @Test
  void message_whileTheProgramDoesNotReceive_mayTakeLonger() {
    workSeconds = 9;
    run(() -> {
      try (HttpServer _ = serve(1_000);
          NettyChannel client = client()) {
        send(client, TEXT_B + SIXTY);
        sleep(13);
        send(client, "x".repeat(60));
        pause();
        assertEquals(List.of("b", "x".repeat(60)), events);
      }
    });
  }

  @Test
  void server_whoseMessageComesTooSlowly_isGivenUp() {
    run(() -> {
      try (NettyListener listener = netty.listen(ADDRESS, NettyRig.handlers(channel -> {}));
          HttpClient client =
              HttpClient.builder(scheduler)
                  .limits(
                      HttpClientLimits.USUAL.withTimes(
                          PROGRESS, PROGRESS, PROGRESS, Duration.ofMinutes(1)))
                  .build()) {
        Task<NettyChannel> server =
            scheduler.spawn("server", () -> WebSocketClientTest.shake(listener.accept()));
        try (WebSocket socket = client.webSocket(URI.create("ws://10.0.0.1/"))) {
          NettyChannel connection = server.join();
          Task<Void> sender =
              scheduler.spawn(() -> {
                send(connection, "\u0081<");
                for (int i = 0; i < 10 && connection.channel().isOpen(); i++) {
                  sleep(1);
                  send(connection, "x");
                }
                connection.close();
              });
          var late = assertThrows(ProtocolException.class, socket::receive);
          assertTrue(String.valueOf(late.getMessage()).contains("too slowly"), late::toString);
          long tookSeconds = clock.elapsed().toSeconds();
          assertTrue(Math.abs(tookSeconds - PROGRESS.toSeconds()) <= 1, () -> tookSeconds + " s");
          boolean _ = sender.cancel("enough");
          connection.close();
        }
      }
    });
  }
}
