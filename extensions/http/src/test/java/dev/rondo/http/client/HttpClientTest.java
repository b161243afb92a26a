package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.server.HttpCompression;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpServerBuilder;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Clients of HTTP and our own server, in both versions of the protocol.
final class HttpClientTest extends HttpClientRig {

  private static final List<Boolean> BOTH_VERSIONS = List.of(false, true);

  /// Code of a test, for one version of the protocol.
  @FunctionalInterface
  private interface Code {
    void run(HttpServer server, HttpClient client) throws Exception;
  }

  /// Runs code with HTTP/1.1, and with HTTP/2.
  private void both(Consumer<HttpServerBuilder> routes, Code code) {
    run(() -> {
      for (boolean two : BOTH_VERSIONS) {
        try (HttpServer server = serve(routes);
            HttpClient client = newClient(two)) {
          code.run(server, client);
          assertEquals(0, client.waiterCount());
        }
      }
    });
  }

  private HttpClient newClient(boolean two) {
    return newClient(builder -> {
      if (two) {
        builder.http2PriorKnowledge();
      }
    });
  }

  private static byte[] pattern(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    return bytes;
  }

  // One request.

  @Test
  void get_aResource_hasStatusHeadersAndBody() {
    both(
        routes ->
            routes.get(
                "/{name}",
                exchange -> {
                  exchange.responseHeaders().set("x-a", "b");
                  exchange.respondText(
                      exchange.pathParameter("name")
                          + " "
                          + exchange.query("q")
                          + " "
                          + exchange.headers().get("host"));
                }),
        (server, client) -> {
          URI uri = uri(server, "/some%20name?q=1%262#part");
          HttpClientResponse response = client.get(uri);
          assertEquals(HttpResponseStatus.OK, response.status());
          assertEquals("b", response.headers().get("x-a"));
          assertEquals(uri, response.uri());
          assertEquals("some name 1&2 " + uri.getAuthority(), response.bodyText());
          assertEquals(404, client.get(uri(server, "/no/where")).status().code());
        });
  }

  @Test
  void protocol_priorKnowledge_isHttp2() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.get("/", exchange -> exchange.respondText(exchange.protocol())));
          HttpClient one = newClient(false);
          HttpClient two = newClient(true)) {
        HttpClientResponse first = one.get(uri(server, ""));
        assertEquals("HTTP/1.1", first.protocol());
        assertEquals("HTTP/1.1", first.bodyText());
        HttpClientResponse second = two.get(uri(server, "/"));
        assertEquals("HTTP/2", second.protocol());
        assertEquals("HTTP/2", second.bodyText());
        assertFalse(second.headers().contains("transfer-encoding"));
      }
    });
  }

  @Test
  void responses_withoutABody_leaveTheConnectionFree() {
    both(
        routes ->
            routes
                .get("/none", exchange -> exchange.respond(HttpResponseStatus.NO_CONTENT))
                .get("/same", exchange -> exchange.respond(HttpResponseStatus.NOT_MODIFIED))
                .get("/empty", exchange -> exchange.respondText(""))
                .get("/text", exchange -> exchange.respondText("text")),
        (server, client) -> {
          for (String path : List.of("/none", "/same", "/empty")) {
            HttpClientResponse response = client.get(uri(server, path));
            assertEquals("", response.bodyText(), path);
          }
          HttpClientResponse head = client.request(HttpMethod.HEAD, uri(server, "/text")).send();
          assertEquals("4", head.headers().get("content-length"));
          assertEquals("", head.bodyText());
          assertEquals("text", client.get(uri(server, "/text")).bodyText());
          assertEquals(1, server.connectionCount());
          assertEquals(1, client.connectionCount());
        });
  }

  @Test
  void bodies_ofAnyKindAndLength_comeBack() {
    both(
        routes ->
            routes
                .limits(HttpLimits.USUAL.withBodyBytes(10_000_000))
                .post(
                    "/",
                    exchange ->
                        exchange.respond(
                            HttpResponseStatus.OK,
                            exchange.headers().get("content-type"),
                            exchange.bodyBytes()))
                .route(
                    HttpMethod.PUT,
                    "/stream",
                    exchange -> {
                      try (OutputStream out = exchange.stream(HttpResponseStatus.OK, "a/b")) {
                        exchange.body().transferTo(out);
                      }
                    }),
        (server, client) -> {
          for (int length : new int[] {0, 1, 65_536, 65_537, 3_000_000}) {
            byte[] bytes = pattern(length);
            HttpClientResponse once =
                client.request(HttpMethod.POST, uri(server, "/")).body("a/b", bytes).send();
            assertEquals("a/b", once.headers().get("content-type"));
            assertArrayEquals(bytes, once.bodyBytes());
            for (boolean known : BOTH_VERSIONS) {
              var request = client.request(HttpMethod.PUT, uri(server, "/stream"));
              if (known) {
                request.body("c/d", length, out -> out.write(bytes));
              } else {
                request.body("c/d", out -> out.write(bytes));
              }
              assertArrayEquals(bytes, request.send().bodyBytes());
            }
          }
          var text =
              client
                  .request(HttpMethod.POST, uri(server, "/"))
                  .body(
                      "text/plain; charset=utf-8",
                      "h\u00e9llo".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                  .send();
          assertEquals("h\u00e9llo", text.bodyText());
          assertEquals(1, server.connectionCount());
        });
  }

  @Test
  void body_thatIsWrittenInAnswerToTheResponse_isSentMeanwhile() {
    both(
        routes ->
            routes.post(
                "/",
                exchange -> {
                  try (OutputStream out = exchange.stream(HttpResponseStatus.OK, "a/b")) {
                    InputStream in = exchange.body();
                    for (int each; (each = in.read()) >= 0; ) {
                      out.write(each + 1);
                      out.flush();
                    }
                  }
                }),
        (server, client) -> {
          var turn = netty.group().next().<OutputStream>newPromise();
          var end = netty.group().next().<String>newPromise();
          HttpClientResponse response =
              client
                  .request(HttpMethod.POST, uri(server, "/"))
                  .body(
                      "a/b",
                      out -> {
                        turn.setSuccess(out);
                        netty.await(end);
                      })
                  .send();
          OutputStream out = netty.await(turn);
          for (int i = 1; i < 10; i++) {
            out.write(i);
            out.flush();
            assertEquals(i + 1, response.body().read());
          }
          end.setSuccess("");
          assertEquals(-1, response.body().read());
        });
  }

  @Test
  void body_thatTheCallerDoesNotRead_waitsInTheServer() {
    int size = 10_000_000;
    both(
        routes -> {
          var done = new boolean[1];
          routes
              .get(
                  "/",
                  exchange -> {
                    exchange.respond(HttpResponseStatus.OK, "a/b", new byte[size]);
                    done[0] = true;
                  })
              .get("/done", exchange -> exchange.respondText("" + done[0]));
        },
        (server, client) -> {
          try (HttpClient large =
              newClient(builder -> builder.limits(HttpClientLimits.USUAL.withBodyBytes(size)))) {
            HttpClientResponse response = large.get(uri(server, "/"));
            settle();
            assertEquals("false", client.get(uri(server, "/done")).bodyText());
            assertEquals(size, response.bodyBytes().length);
            assertEquals("true", client.get(uri(server, "/done")).bodyText());
          }
        });
  }

  @Test
  void body_thatTheServerDoesNotRead_waitsInTheWriter() {
    both(
        routes ->
            routes
                .limits(HttpLimits.USUAL.withBodyBytes(100_000_000))
                .post(
                    "/",
                    exchange -> {
                      settle();
                      var response = exchange.stream(HttpResponseStatus.OK, "a/b");
                      response.flush();
                      long count = exchange.body().transferTo(OutputStream.nullOutputStream());
                      response.write(("" + count).getBytes(StandardCharsets.UTF_8));
                    }),
        (server, client) -> {
          var written = new int[1];
          var request =
              client
                  .request(HttpMethod.POST, uri(server, "/"))
                  .body(
                      "a/b",
                      out -> {
                        for (int i = 0; i < 100; i++) {
                          out.write(new byte[100_000]);
                          written[0]++;
                        }
                      });
          HttpClientResponse response = request.send();
          assertTrue(written[0] < 100, "nothing waits: " + written[0]);
          assertEquals("10000000", response.bodyText());
        });
  }

  @Test
  void body_thatTheServerRefuses_isCutOffAndTheResponseRead() {
    both(
        routes ->
            routes
                .limits(HttpLimits.USUAL.withBodyBytes(10_000))
                .post("/", exchange -> exchange.respondText("" + exchange.bodyBytes().length)),
        (server, client) -> {
          HttpClientResponse response =
              client
                  .request(HttpMethod.POST, uri(server, "/"))
                  .body("a/b", 1_000_000, out -> out.write(new byte[1_000_000]))
                  .send();
          assertEquals(413, response.status().code());
          assertTrue(response.bodyText().contains("longer"));
          HttpClientResponse after =
              client
                  .request(HttpMethod.POST, uri(server, "/"))
                  .body(
                      "text/plain; charset=utf-8",
                      "some".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                  .send();
          assertEquals("4", after.bodyText());
        });
  }

  @Test
  void writer_fails_failsTheRequest() {
    var received = new ArrayList<String>();
    both(
        routes ->
            routes.post(
                "/",
                exchange -> {
                  received.add(exchange.bodyText());
                  exchange.respondText(received.getLast());
                }),
        (server, client) -> {
          var why = new IllegalArgumentException("no more");
          var request =
              client
                  .request(HttpMethod.POST, uri(server, "/"))
                  .body(
                      "a/b",
                      out -> {
                        try (out) { // which must not end the body
                          out.write(new byte[100]);
                          out.flush();
                          throw why;
                        }
                      });
          assertEquals(why, assertThrows(IllegalArgumentException.class, request::send));
          var tooShort =
              client
                  .request(HttpMethod.POST, uri(server, "/"))
                  .body("a/b", 10, out -> out.write(new byte[9]));
          assertThrows(IllegalStateException.class, tooShort::send);
          assertEquals(
              "x",
              client
                  .request(HttpMethod.POST, uri(server, "/"))
                  .body(
                      "text/plain; charset=utf-8",
                      "x".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                  .send()
                  .bodyText());
        });
    assertEquals(List.of("x", "x"), received);
  }

  @Test
  void response_compressed_isReadDecompressed() {
    String text = "a text that repeats itself; ".repeat(1_000);
    both(
        routes ->
            routes
                .compression(HttpCompression.USUAL)
                .get("/", exchange -> exchange.respondText(text))
                .get(
                    "/stream",
                    exchange -> {
                      try (OutputStream out =
                          exchange.stream(HttpResponseStatus.OK, "text/plain")) {
                        out.write(text.getBytes(StandardCharsets.UTF_8));
                      }
                    }),
        (server, client) -> {
          for (String path : List.of("/", "/stream")) {
            for (int i = 0; i < 3; i++) {
              HttpClientResponse response = client.get(uri(server, path));
              assertEquals("gzip", response.headers().get("content-encoding"));
              assertEquals(text, response.bodyText());
            }
            HttpClientResponse plain =
                client
                    .request(HttpMethod.GET, uri(server, path))
                    .header("accept-encoding", "deflate")
                    .send();
            assertEquals("deflate", plain.headers().get("content-encoding"));
            assertTrue(plain.bodyBytes().length < text.length() / 2);
          }
          assertEquals(1, server.connectionCount());
        });
  }

  // Limits.

  /// Some servers name the coding of a page that this response lacks.
  @Test
  void response_compressedAndEmpty_isEmpty() {
    run(() -> {
      try (RawServer server =
              answering("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n");
          HttpClient client = newClient()) {
        assertEquals("", client.get(server.uri("/")).bodyText());
      }
    });
  }

  @Test
  void body_longerThanTheLimit_fails() {
    String text = "x".repeat(100_000);
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .compression(HttpCompression.USUAL)
                  .get("/", exchange -> exchange.respondText(text)))) {
        for (boolean two : BOTH_VERSIONS) {
          try (HttpClient client =
              newClient(builder -> {
                builder.limits(HttpClientLimits.USUAL.withBodyBytes(99_999));
                if (two) {
                  builder.http2PriorKnowledge();
                }
              })) {
            HttpClientResponse bomb = client.get(uri(server, "/"));
            assertThrows(ProtocolException.class, bomb::bodyBytes);
            HttpClientResponse plain =
                client
                    .request(HttpMethod.GET, uri(server, "/"))
                    .header("accept-encoding", "identity")
                    .send();
            assertThrows(ProtocolException.class, () -> plain.body().read());
            plain.close();
          }
        }
      }
    });
  }

  // The end.

  @Test
  void task_cancelled_leavesNothing() {
    both(
        routes ->
            routes
                .get("/never", exchange -> netty.await(netty.group().next().newPromise()))
                .get(
                    "/begun",
                    exchange -> {
                      exchange.stream(HttpResponseStatus.OK, "a/b").flush();
                      netty.await(netty.group().next().newPromise());
                    })
                .get("/", exchange -> exchange.respondText("fine")),
        (server, client) -> {
          Task<?> waiting = scheduler.spawn("waiting", () -> client.get(uri(server, "/never")));
          Task<?> reading =
              scheduler.spawn("reading", () -> client.get(uri(server, "/begun")).bodyText());
          await(() -> server.connectionCount() > 0);
          settle();
          settle();
          assertTrue(waiting.cancel("test") && reading.cancel("test"));
          assertThrows(CancellationException.class, waiting::join);
          assertThrows(CancellationException.class, reading::join);
          assertThrows(
              TimedOutException.class,
              () ->
                  scheduler.within(Duration.ofMillis(5), () -> client.get(uri(server, "/never"))));
          assertEquals("fine", client.get(uri(server, "/")).bodyText());
        });
    var _ = takeReported();
  }

  @Test
  void response_closedBeforeItsEnd_letsOthersGoOn() {
    both(
        routes ->
            routes
                .get(
                    "/endless",
                    exchange -> {
                      OutputStream out = exchange.stream(HttpResponseStatus.OK, "a/b");
                      while (true) {
                        out.write(new byte[10_000]);
                      }
                    })
                .get("/", exchange -> exchange.respondText("fine")),
        (server, client) -> {
          for (int i = 0; i < 3; i++) {
            try (HttpClientResponse response = client.get(uri(server, "/endless"))) {
              assertEquals(0, response.body().read());
            }
            assertEquals("fine", client.get(uri(server, "/")).bodyText());
          }
        });
    var _ = takeReported();
  }

  @Test
  void close_ofTheClient_failsWhatIsUnderWay() {
    var seen = new ArrayList<String>();
    both(
        routes ->
            routes.get(
                "/",
                exchange -> {
                  exchange.stream(HttpResponseStatus.OK, "a/b").flush();
                  seen.add("begun");
                  netty.await(netty.group().next().newPromise());
                }),
        (server, client) -> {
          seen.clear();
          Task<Throwable> reading = failing(() -> client.get(uri(server, "/")).bodyText());
          await(() -> !seen.isEmpty());
          settle();
          client.close();
          assertInstanceOf(ChannelClosedException.class, reading.join());
          assertThrows(ChannelClosedException.class, () -> client.get(uri(server, "/")));
          assertEquals(0, client.connectionCount());
          client.close();
        });
    var _ = takeReported();
  }

  @Test
  void scheduler_closedWithAClientOpen_leavesNothing() {
    run(() -> {
      HttpServer server = serve(routes -> routes.get("/", exchange -> exchange.respondText("a")));
      HttpClient client = newClient();
      assertEquals("a", client.get(uri(server, "/")).bodyText());
      assertEquals(1, client.connectionCount());
      server.close();
      await(() -> client.connectionCount() == 0);
    });
  }

  @Test
  void connect_nothingListens_fails() {
    run(() -> {
      URI gone;
      try (HttpServer server = serve(routes -> {})) {
        gone = uri(server, "/");
      }
      settle();
      try (HttpClient client = newClient()) {
        var failed = assertThrows(ConnectException.class, () -> client.get(gone));
        assertTrue(failed.getMessage().contains("" + gone.getPort()), failed.getMessage());
        assertEquals(0, client.connectionCount());
      }
    });
  }

  @Test
  void request_ofAnotherKind_isRefused() {
    run(() -> {
      try (HttpClient client = newClient()) {
        for (String each :
            List.of("ftp://a/", "/a", "http:a", "http://u@a/", "http://a:0/", "http://a:70000/")) {
          assertThrows(IllegalArgumentException.class, () -> client.get(URI.create(each)), each);
        }
        URI uri = URI.create("http://127.0.0.1/");
        assertThrows(IllegalArgumentException.class, () -> client.request(HttpMethod.CONNECT, uri));
        var request = client.request(HttpMethod.GET, uri);
        assertThrows(IllegalArgumentException.class, () -> request.header("a", "b\r\nc: d"));
        var reserved = client.request(HttpMethod.GET, uri).header("content-length", "1");
        assertThrows(IllegalStateException.class, reserved::send);
      }
    });
  }

  @Test
  void requests_manyAtOnce_areAllAnswered() {
    int count = 200;
    both(
        routes -> routes.get("/{n}", exchange -> exchange.respondText(exchange.pathParameter("n"))),
        (server, client) -> {
          var tasks = new ArrayList<Task<String>>();
          for (int i = 0; i < count; i++) {
            URI uri = uri(server, "/" + i);
            tasks.add(scheduler.spawn("request", () -> client.get(uri).bodyText()));
          }
          for (int i = 0; i < count; i++) {
            assertEquals("" + i, tasks.get(i).join());
          }
          int most = client.get(uri(server, "/x")).protocol().equals("HTTP/2") ? 2 : 10;
          assertTrue(server.connectionCount() <= most, "" + server.connectionCount());
        });
  }
}
