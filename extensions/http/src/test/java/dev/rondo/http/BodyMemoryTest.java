package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientLimits;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.netty.NettyRig;
import dev.rondo.netty.SimulatedRig;
import dev.rondo.scheduler.Task;
import dev.rondo.time.WaitForTime;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The limit of all bodies together that handlers read as a whole, under virtual time.
final class BodyMemoryTest extends SimulatedRig {

  private static final Duration PROGRESS = Duration.ofSeconds(5);
  private static final String SIXTY = "x".repeat(60);

  /// What handlers wait for that have read their bodies.
  private Promise<String> gate;

  private int reading;
  private int read;

  @BeforeEach
  void open() {
    gate = netty.group().next().newPromise();
  }

  private HttpServer serve(long bodyBytes, long allBodiesBytes) throws IOException {
    return HttpServer.builder(scheduler)
        .limits(
            HttpRig.bodies(bodyBytes, allBodiesBytes)
                .withTimes(Duration.ofSeconds(10), Duration.ofSeconds(60), PROGRESS))
        .post("/", this::hold)
        .post("/free", exchange -> exchange.respondText(exchange.bodyBytes().length + ""))
        .post(
            "/stream", exchange -> exchange.respondText(exchange.body().readAllBytes().length + ""))
        .get("/", exchange -> exchange.respondText(exchange.bodyBytes().length + ""))
        .listen(ADDRESS);
  }

  private void hold(HttpExchange exchange) throws IOException {
    reading++;
    String text = exchange.bodyText();
    read++;
    netty.await(gate);
    exchange.respondText(text.length() + "");
  }

  private NettyChannel post(String path, String rest) throws IOException {
    NettyChannel client = netty.connect(ADDRESS, NettyRig.handlers(channel -> {}));
    send(client, "POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + rest);
    pause();
    return client;
  }

  private NettyChannel sixty(String path) throws IOException {
    return post(path, "Content-Length: 60\r\n\r\n" + SIXTY);
  }

  private static void send(NettyChannel client, String text) throws IOException {
    client.send(Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1));
  }

  @Test
  void bodies_moreThanTheMemory_waitForOthersToEnd() {
    run(() -> {
      try (HttpServer server = serve(100, 100);
          NettyChannel first = sixty("/");
          NettyChannel second = sixty("/");
          NettyChannel third = post("/free", "Content-Length: 1\r\n\r\nx")) {
        assertEquals(2, reading);
        assertEquals(1, read);
        Task<String> late = scheduler.spawn(() -> HttpRig.rest(third));
        pause();
        assertFalse(late.isDone(), "the third is before the second");
        gate.setSuccess("go");
        assertTrue(HttpRig.rest(first).endsWith("60"));
        assertTrue(HttpRig.rest(second).endsWith("60"));
        assertTrue(late.join().endsWith("1"));
        assertEquals(3, server.requestCount());
      }
    });
  }

  @Test
  void body_withoutMemoryForTooLong_isAnsweredWith503() {
    run(() -> {
      try (HttpServer server = serve(100, 100);
          NettyChannel first = sixty("/")) {
        Duration before = clock.elapsed();
        try (NettyChannel second = sixty("/free")) {
          assertTrue(HttpRig.rest(second).startsWith("HTTP/1.1 503 "));
          assertEquals(PROGRESS.toSeconds(), clock.elapsed().minus(before).toSeconds());
        }
        gate.setSuccess("go");
        assertTrue(HttpRig.rest(first).endsWith("60"));
        try (NettyChannel third = sixty("/free")) { // what was held is there again
          assertTrue(HttpRig.rest(third).endsWith("60"));
        }
        assertEquals(3, server.requestCount());
      }
    });
  }

  @Test
  void body_ofUnknownLength_countsAsTheLongestUntilItsEnd() {
    run(() -> {
      try (HttpServer server = serve(90, 100);
          NettyChannel first = post("/", "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
          NettyChannel second = sixty("/free")) {
        Task<String> late = scheduler.spawn(() -> HttpRig.rest(second));
        pause();
        assertFalse(late.isDone());
        send(first, "0\r\n\r\n");
        assertTrue(late.join().endsWith("60"), "one byte is held by the first");
        gate.setSuccess("go");
        assertTrue(HttpRig.rest(first).endsWith("1"));
        assertEquals(2, server.requestCount());
      }
    });
  }

  /// 64 clients that announce the longest body and send a byte now and then.
  @Test
  void bodies_slowOnesOfManyConnections_leaveTheMemoryToOthers() {
    run(() -> {
      var slow = new ArrayList<NettyChannel>();
      try (HttpServer _ = serve(100, 6_400)) {
        for (int i = 0; i < 64; i++) {
          slow.add(post("/free", "Content-Length: 100\r\n\r\nx"));
        }
        Duration before = clock.elapsed();
        try (NettyChannel other = sixty("/free")) {
          assertTrue(HttpRig.rest(other).endsWith("60"));
        }
        assertEquals(0, clock.elapsed().minus(before).toSeconds());
        slow.forEach(NettyChannel::close);
      }
    });
  }

  @Test
  void body_thatComesMoreSlowlyThanTheLeastRate_isAnsweredWith408() {
    run(() -> {
      try (HttpServer server = serve(100, 100);
          NettyChannel client = post("/free", "Content-Length: 60\r\n\r\nx")) {
        Duration before = clock.elapsed();
        Task<String> response =
            scheduler.spawn(() -> {
              String text = HttpRig.rest(client);
              assertEquals(PROGRESS.toSeconds() + 1, clock.elapsed().minus(before).toSeconds());
              return text;
            });
        for (int i = 0; i < 8 && !response.isDone(); i++) {
          WaitForTime.on(scheduler).sleep(Duration.ofSeconds(1));
          send(client, "x");
        }
        String text = response.join();
        assertTrue(text.startsWith("HTTP/1.1 408 "), text);
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void body_thatKeepsTheLeastRate_isRead() {
    run(() -> {
      try (HttpServer server = serve(20_000, 20_000);
          NettyChannel client = post("/free", "Content-Length: 20000\r\n\r\n")) {
        Task<String> response = scheduler.spawn(() -> HttpRig.rest(client));
        for (int i = 0; i < 10; i++) {
          WaitForTime.on(scheduler).sleep(Duration.ofSeconds(2));
          send(client, "x".repeat(2_000));
        }
        assertTrue(response.join().endsWith("20000"));
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void response_thatComesMoreSlowlyThanTheLeastRate_fails() {
    run(() -> {
      try (NettyListener listener = netty.listen(netty.serverBootstrap(), ADDRESS);
          HttpClient client =
              HttpClient.builder(scheduler)
                  .limits(
                      HttpClientLimits.USUAL.withTimes(
                          PROGRESS, PROGRESS, PROGRESS, Duration.ofMinutes(1)))
                  .build()) {
        Task<Void> server =
            scheduler.spawn(() -> {
              try (NettyChannel connection = listener.accept()) {
                send(connection, "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n");
                while (connection.channel().isOpen()) {
                  send(connection, "x");
                  WaitForTime.on(scheduler).sleep(Duration.ofSeconds(1));
                }
              } catch (IOException e) {
                // the client has gone
              }
            });
        Duration before = clock.elapsed();
        var late =
            assertThrows(
                SocketTimeoutException.class,
                () -> client.get(URI.create("http://10.0.0.1/")).bodyText());
        assertTrue(String.valueOf(late.getMessage()).contains("too slowly"), late::toString);
        assertEquals(
            (double) PROGRESS.toSeconds(), (double) clock.elapsed().minus(before).toSeconds(), 1.0);
        var _ = server.join();
      }
    });
  }

  @Test
  void body_longerThanAllTogether_isAnsweredWith413() {
    run(() -> {
      try (HttpServer server = serve(100, 50);
          NettyChannel announced = sixty("/free");
          NettyChannel chunked =
              post("/free", "Transfer-Encoding: chunked\r\n\r\n3c\r\n" + SIXTY + "\r\n0\r\n\r\n");
          NettyChannel streamed = sixty("/stream")) {
        assertTrue(HttpRig.rest(announced).startsWith("HTTP/1.1 413 "));
        assertTrue(HttpRig.rest(chunked).startsWith("HTTP/1.1 413 "));
        assertTrue(HttpRig.rest(streamed).endsWith("60"));
        assertEquals(3, server.requestCount());
      }
    });
  }

  @Test
  void close_whileABodyWaits_leavesNothing() {
    run(() -> {
      HttpServer server = serve(100, 100);
      try (NettyChannel first = sixty("/");
          NettyChannel second = sixty("/")) {
        assertEquals(1, read);
        server.close();
        assertEquals("", HttpRig.rest(first));
        assertEquals("", HttpRig.rest(second));
      }
    });
  }

  @Test
  void get_withoutABody_needsNoMemory() {
    run(() -> {
      try (HttpServer server = serve(100, 60);
          NettyChannel first = sixty("/");
          NettyChannel client = netty.connect(ADDRESS, NettyRig.handlers(channel -> {}))) {
        send(client, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        assertTrue(HttpRig.rest(client).endsWith("0"));
        gate.setSuccess("go");
        assertTrue(HttpRig.rest(first).endsWith("60"));
        assertEquals(2, server.requestCount());
      }
    });
  }
}
