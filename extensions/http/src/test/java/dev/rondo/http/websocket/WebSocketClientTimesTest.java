package dev.rondo.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.SimulatedRig;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.time.WaitForTime;
import io.netty.handler.codec.http.HttpMethod;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The limits of time of a client's WebSocket, on a simulated host.
final class WebSocketClientTimesTest extends SimulatedRig {

  private static final URI SERVER = URI.create("ws://10.0.0.1/");

  private WebSocket open(HttpClient client, Duration ping) throws Exception {
    return client
        .request(HttpMethod.GET, SERVER)
        .webSocket(new WebSocketSettings(1 << 20, ping, List.of()));
  }

  private static String text(WebSocket socket) throws Exception {
    return assertInstanceOf(WebSocketMessage.Text.class, socket.receive()).text();
  }

  @Test
  void server_silentForLong_isAskedByAPing() {
    run(() -> {
      try (HttpServer _ =
              HttpServer.builder(scheduler)
                  .get(
                      "/",
                      exchange -> {
                        WebSocket socket = exchange.webSocket();
                        WaitForTime.on(scheduler).sleep(Duration.ofMinutes(10));
                        socket.send("awake");
                      })
                  .listen(ADDRESS);
          HttpClient client = HttpClient.builder(scheduler).build();
          WebSocket socket = open(client, Duration.ofSeconds(7))) {
        assertEquals("awake", text(socket));
        assertTrue(clock.elapsed().compareTo(Duration.ofMinutes(10)) >= 0);
      }
    });
  }

  @Test
  void server_doesNotAnswerAPing_isGivenUp() {
    run(() -> {
      try (NettyListener listener = netty.listen(ADDRESS, NettyRig.handlers(channel -> {}));
          HttpClient client = HttpClient.builder(scheduler).build()) {
        var server = scheduler.spawn("server", () -> WebSocketClientTest.shake(listener.accept()));
        try (WebSocket socket = open(client, Duration.ofSeconds(7))) {
          var silent = assertThrows(ConnectionResetException.class, socket::receive);
          assertTrue(silent.getMessage().contains("ping"), silent.getMessage());
          assertEquals(14, clock.elapsed().toSeconds());
        }
        server.join().close();
      }
    });
  }

  @Test
  void server_doesNotAnswerTheRequest_isGivenUp() {
    run(() -> {
      try (NettyListener listener = netty.listen(ADDRESS, NettyRig.handlers(channel -> {}));
          HttpClient client =
              HttpClient.builder(scheduler)
                  .limits(
                      HttpClientLimits.USUAL.withTimes(
                          Duration.ofSeconds(1),
                          Duration.ofSeconds(20),
                          Duration.ofSeconds(3),
                          Duration.ofSeconds(4)))
                  .build()) {
        var late = assertThrows(SocketTimeoutException.class, () -> client.webSocket(SERVER));
        assertTrue(late.getMessage().contains(SERVER.getHost()), late.getMessage());
        assertEquals(20, clock.elapsed().toSeconds());
        listener.accept().close();
      }
    });
  }

  @Test
  void server_doesNotRead_isGivenUpAfterProgress() {
    run(() -> {
      try (NettyListener listener = netty.listen(ADDRESS, NettyRig.handlers(channel -> {}));
          HttpClient client = HttpClient.builder(scheduler).build()) {
        var server = scheduler.spawn("server", () -> WebSocketClientTest.shake(listener.accept()));
        try (WebSocket socket = open(client, Duration.ofDays(1))) {
          assertThrows(
              TimedOutException.class,
              () -> {
                while (true) {
                  socket.send(new byte[100_000]);
                }
              });
          assertEquals(30, clock.elapsed().toSeconds());
        }
        server.join().close();
      }
    });
  }
}
