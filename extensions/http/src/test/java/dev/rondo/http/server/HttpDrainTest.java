package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.SimulatedRig;
import dev.rondo.scheduler.Task;
import dev.rondo.time.WaitForTime;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What crosses a drain on a connection that is new, under virtual time.
final class HttpDrainTest extends SimulatedRig {

  private static final Duration GRACE = Duration.ofSeconds(20);
  private static final String GOODBYE = "\u0007\0\0\0\0\0\u007f\u00ff\u00ff\u00ff";

  private HttpServer serve() throws IOException {
    return HttpServer.builder(scheduler)
        .get("/", exchange -> exchange.respondText("hello"))
        .listen(ADDRESS);
  }

  /// A client whose connection the server has accepted.
  private NettyChannel client(HttpServer server) throws IOException {
    NettyChannel client = netty.connect(ADDRESS, NettyRig.handlers(channel -> {}));
    while (server.connectionCount() == 0) {
      sleep();
    }
    return client;
  }

  private void sleep() {
    WaitForTime.on(scheduler).sleep(Duration.ofMillis(1));
  }

  private static void send(NettyChannel client, String text) throws IOException {
    client.send(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
  }

  @Test
  void shutdown_beforeTheFirstRequest_isAnswered() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client(server)) {
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(GRACE));
        sleep();
        send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        String response = HttpRig.rest(client);
        assertTrue(response.endsWith("connection: close\r\n\r\nhello"), response);
        assertTrue(draining.join());
      }
    });
  }

  @Test
  void shutdown_beforeThePreface_isAnsweredWithAGoodbye() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client(server)) {
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(GRACE));
        sleep();
        client.send(Http2CodecUtil.connectionPrefaceBuf());
        String settings = "\0\0\0\4\0\0\0\0\0";
        send(client, settings + "\0\0\6\1\5\0\0\0\1\u0082\u0086\u0084\1\1a");
        String received = HttpRig.rest(client);
        assertTrue(received.contains(GOODBYE), received);
        assertTrue(received.contains("hello"), received);
        assertTrue(draining.join());
      }
    });
  }

  @Test
  void shutdown_clientThatHasJustConnected_hasTheRestOfASecond() {
    run(() -> {
      try (HttpServer server = serve()) {
        Duration since = clock.elapsed();
        try (NettyChannel client = client(server)) {
          assertTrue(server.shutdown(GRACE));
          assertEquals(1, clock.elapsed().minus(since).toSeconds());
          assertEquals("", HttpRig.rest(client));
        }
      }
    });
  }

  @Test
  void shutdown_clientThatSaysNothing_takesNoTime() {
    run(() -> {
      try (HttpServer server = serve();
          NettyChannel client = client(server)) {
        WaitForTime.on(scheduler).sleep(Duration.ofSeconds(2));
        Duration since = clock.elapsed();
        assertTrue(server.shutdown(GRACE));
        assertEquals(since, clock.elapsed());
        assertEquals("", HttpRig.rest(client));
      }
    });
  }
}
