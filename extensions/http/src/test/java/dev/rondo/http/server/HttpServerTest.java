package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpRig;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Servers of HTTP over loopback.
final class HttpServerTest extends HttpRig {

  private static final String HOST = " HTTP/1.1\r\nHost: a\r\n";
  private static final String LAST = HOST + "Connection: close\r\n\r\n";
  private static final Duration GRACE = Duration.ofSeconds(30);

  /// As curl does with a large body.
  @Test
  void body_thatTheClientExpectsToBeAskedFor_isReadWhileTheResponseIsStreamed() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.post(
                      "/",
                      exchange -> {
                        try (var out = exchange.stream(HttpResponseStatus.OK, "text/plain")) {
                          exchange.body().transferTo(out);
                        }
                      }));
          NettyChannel client = client(server)) {
        for (int i = 0; i < 2; i++) {
          send(
              client,
              "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
          String asked = until(client, "\r\n\r\n");
          assertTrue(asked.startsWith("HTTP/1.1 100 "), asked);
          send(client, "hello");
          String response = until(client, "\r\n0\r\n\r\n");
          assertTrue(response.endsWith("5\r\nhello\r\n0\r\n\r\n"), response);
        }
      }
    });
  }

  @Test
  void get_handler_respondsWithTheHeadersOfTheServer() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .clock(InstantSource.fixed(Instant.parse("2026-11-23T03:04:05Z")))
                  .get("/", exchange -> exchange.respondText("hello")))) {
        assertEquals(
            """
            HTTP/1.1 200 OK\r
            content-type: text/plain; charset=utf-8\r
            content-length: 5\r
            date: Mon, 23 Nov 2026 03:04:05 GMT\r
            connection: close\r
            \r
            hello\
            """,
            exchange(server, "GET /" + LAST));
      }
    });
  }

  @Test
  void get_clockGoesOn_dateFollows() {
    var now = new AtomicReference<>(Instant.parse("2026-11-23T03:04:05Z"));
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes.clock(now::get).get("/", exchange -> exchange.respondText("hello")))) {
        assertTrue(exchange(server, "GET /" + LAST).contains("date: Mon, 23 Nov 2026 03:04:05 "));
        now.set(now.get().plusSeconds(1));
        assertTrue(exchange(server, "GET /" + LAST).contains("date: Mon, 23 Nov 2026 03:04:06 "));
      }
    });
  }

  @Test
  void routes_pathsAndMethods_areFound() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .get("/a", exchange -> exchange.respondText("a"))
                  .post("/a", exchange -> exchange.respondText("posted"))
                  .get(
                      "/users/{id}/mail",
                      exchange -> exchange.respondText(exchange.pathParameter("id")))
                  .get(
                      "/files/{path...}",
                      exchange -> exchange.respondText(exchange.pathParameter("path")))
                  .get(
                      "/query",
                      exchange ->
                          exchange.respondText(
                              exchange.query("q") + exchange.query("none") + exchange.path())))) {
        assertEquals("a", body(exchange(server, "GET /a" + LAST)));
        assertEquals("posted", body(exchange(server, "POST /a" + LAST)));
        assertEquals("a b+c", body(exchange(server, "GET /users/a%20b+c/mail" + LAST)));
        assertEquals("x/y/", body(exchange(server, "GET /files/x/y/" + LAST)));
        assertEquals(
            "\u00c3\u00a4null/query", body(exchange(server, "GET /query?q=%C3%A4&b" + LAST)));
        assertTrue(exchange(server, "GET /b" + LAST).startsWith("HTTP/1.1 404 "));
        assertTrue(exchange(server, "GET /query?q=%zz" + LAST).startsWith("HTTP/1.1 400 "));
        String refused = exchange(server, "DELETE /a" + LAST);
        assertTrue(refused.startsWith("HTTP/1.1 405 "), refused);
        assertTrue(refused.contains("allow: GET, HEAD, OPTIONS, POST\r\n"), refused);
      }
    });
  }

  /// As load balancers ask whether the server is there.
  @Test
  void options_withoutAHandler_saysWhatIsAllowed() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .get("/a", exchange -> exchange.respondText("a"))
                  .post("/b/{c}", exchange -> exchange.respondText("b"))
                  .route(HttpMethod.OPTIONS, "/own", exchange -> exchange.respondText("own")))) {
        for (String path : List.of("/a", "/b/x")) {
          String response = exchange(server, "OPTIONS " + path + LAST);
          assertTrue(response.startsWith("HTTP/1.1 204 "), response);
          String methods = path.equals("/a") ? "GET, HEAD, OPTIONS" : "OPTIONS, POST";
          assertTrue(response.contains("allow: " + methods + "\r\n"), response);
          assertTrue(response.endsWith("\r\n\r\n"), response);
        }
        assertEquals("own", body(exchange(server, "OPTIONS /own" + LAST)));
        assertTrue(exchange(server, "OPTIONS *" + LAST).startsWith("HTTP/1.1 204 "));
        assertTrue(exchange(server, "OPTIONS /none" + LAST).startsWith("HTTP/1.1 404 "));
      }
    });
  }

  /// RFC 9110, 9.3.7: it is about no page, although a template would take its path for one.
  @Test
  void options_ofTheWholeServer_matchNoTemplate() {
    run(() -> {
      try (HttpServer one =
              serve(routes -> routes.get("/{name}", exchange -> exchange.respondText("page")));
          HttpServer all =
              serve(routes ->
                  routes.route(
                      HttpMethod.OPTIONS,
                      "/{path...}",
                      exchange -> exchange.respondText("page")))) {
        for (HttpServer each : List.of(one, all)) {
          String response = exchange(each, "OPTIONS *" + LAST);
          assertTrue(response.startsWith("HTTP/1.1 204 "), response);
          assertFalse(response.contains("allow:"), response);
        }
      }
    });
  }

  @Test
  void routes_malformedOrTwice_areRefused() {
    run(() -> {
      var builder = HttpServer.builder(scheduler).get("/a", exchange -> {}).get("/{b}", each -> {});
      for (String path : List.of("", "a", "/a", "/{b}", "/{b}c", "/{b...}/c")) {
        assertThrows(IllegalArgumentException.class, () -> builder.get(path, exchange -> {}), path);
      }
    });
  }

  @Test
  void listen_schedulerWithoutTimers_isRefused() {
    try (Scheduler bare = builder().build()) {
      assertThrows(IllegalStateException.class, () -> HttpServer.builder(bare).listen(anyPort()));
    }
  }

  @Test
  void handler_failsWithAStatusThatEndsNothing_isReportedAndTheConnectionEnds() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes.get(
                  "/",
                  exchange -> {
                    throw new HttpStatusException(HttpResponseStatus.CONTINUE, "go on");
                  }))) {
        assertEquals("", exchange(server, "GET /" + LAST));
      }
    });
    assertEquals(1, takeFailures().size());
  }

  @Test
  void calls_onAnotherThread_areRefused() {
    run(() -> {
      try (HttpServer server =
          serve(routes -> routes.get("/", exchange -> exchange.respondText("hello")))) {
        for (Runnable call : List.<Runnable>of(server::close, () -> server.shutdown(GRACE))) {
          Throwable failure =
              scheduler.await(
                  scheduler.completion(
                      CompletableFuture.supplyAsync(
                          () -> assertThrows(WrongThreadException.class, call::run))));
          assertTrue(failure.getMessage().length() > 10, failure.getMessage());
        }
        assertEquals("hello", body(exchange(server, "GET /" + LAST))); // it goes on
      }
    });
  }

  // Connections.

  @Test
  void connection_requestsSentAhead_areAnsweredInOrder() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.post(
                      "/{n}",
                      exchange -> {
                        if (exchange.pathParameter("n").equals("0")) {
                          settle(); // the first one takes longest
                        }
                        exchange.respondText(
                            "<" + exchange.pathParameter("n") + exchange.bodyText() + ">");
                      }));
          NettyChannel client = client(server)) {
        var sent = new StringBuilder();
        var expected = new ArrayList<String>();
        for (int i = 0; i < 20; i++) {
          sent.append("POST /%d%sContent-Length: 1\r\n\r\nx".formatted(i, HOST));
          expected.add("<" + i + "x>");
        }
        send(client, sent.toString());
        String received = until(client, "<19x>");
        int from = 0;
        for (String each : expected) {
          int at = received.indexOf(each, from);
          assertTrue(at >= from, () -> each + " in " + received);
          from = at;
        }
        await(() -> server.requestCount() == 20);
      }
    });
  }

  @Test
  void connection_version10_isKeptOnlyIfAsked() {
    run(() -> {
      try (HttpServer server =
              serve(routes -> routes.get("/", exchange -> exchange.respondText("hello")));
          NettyChannel client = client(server)) {
        send(client, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        assertTrue(until(client, "hello").contains("connection: keep-alive\r\n"));
        send(client, "GET / HTTP/1.0\r\n\r\n");
        assertTrue(rest(client).contains("connection: close\r\n"));
      }
    });
  }

  @Test
  void connections_moreThanAllowed_waitForOthersToEnd() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .limits(HttpLimits.USUAL.withConnections(2))
                      .get("/", exchange -> exchange.respondText("hello")));
          NettyChannel first = client(server);
          NettyChannel second = client(server);
          NettyChannel third = client(server)) {
        send(first, "GET /" + HOST + "\r\n");
        var _ = until(first, "hello");
        send(second, "GET /" + HOST + "\r\n");
        var _ = until(second, "hello");
        send(third, "GET /" + HOST + "\r\n");
        Task<String> waiting = scheduler.spawn(() -> until(third, "hello"));
        settle();
        assertFalse(waiting.isDone());
        assertEquals(2, server.connectionCount());
        send(first, "GET /" + LAST);
        assertTrue(rest(first).endsWith("hello"));
        assertTrue(waiting.join().endsWith("hello"));
      }
    });
  }

  // Bodies.

  @Test
  void body_ofEitherKind_isRead() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes.post("/", exchange -> exchange.respondText(exchange.bodyText() + "!")))) {
        String head = "POST /" + HOST + "Connection: close\r\n";
        assertEquals("abc!", body(exchange(server, head + "Content-Length: 3\r\n\r\nabc")));
        assertEquals(
            "abc!",
            body(
                exchange(
                    server,
                    head + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n2\r\nbc\r\n0\r\n\r\n")));
        assertEquals("!", body(exchange(server, head + "\r\n")));
      }
    });
  }

  @Test
  void body_largeAndSlowlyRead_isNotHeldInMemory() {
    int size = 5_000_000;
    run(() -> {
      var most = new long[1];
      try (HttpServer server =
              serve(routes ->
                  routes
                      .limits(HttpLimits.USUAL.withBodyBytes(size))
                      .post(
                          "/",
                          exchange -> {
                            byte[] part = new byte[10_000];
                            long count = 0;
                            try (InputStream body = exchange.body()) {
                              for (int n; (n = body.read(part)) >= 0; ) {
                                count += n;
                                most[0] = Math.max(most[0], allocator.metric().usedDirectMemory());
                                scheduler.yield();
                              }
                            }
                            exchange.respondText("" + count);
                          }));
          NettyChannel client = client(server)) {
        send(client, "POST /" + HOST + "Connection: close\r\nContent-Length: " + size + "\r\n\r\n");
        for (int i = 0; i < size / 10_000; i++) {
          client.send(allocator.directBuffer(10_000).writeZero(10_000));
        }
        assertEquals("" + size, body(rest(client)));
      }
      assertTrue(most[0] < size / 4, "bytes of buffers at once: " + most[0]);
    });
  }

  @Test
  void body_handlerLeavesIt_nextRequestIsAnswered() {
    run(() -> {
      try (HttpServer server =
              serve(routes -> routes.post("/", exchange -> exchange.respondText("hello")));
          NettyChannel client = client(server)) {
        send(client, "POST /" + HOST + "Content-Length: 50000\r\n\r\n" + "x".repeat(50_000));
        assertFalse(until(client, "hello").contains("close"));
        send(client, "POST /" + LAST);
        assertTrue(rest(client).endsWith("hello"));
      }
    });
  }

  @Test
  void body_clientExpectsContinue_isAskedWhenTheHandlerReads() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .post("/read", exchange -> exchange.respondText(exchange.bodyText()))
                      .post("/leave", exchange -> exchange.respondText("no")));
          NettyChannel client = client(server)) {
        String head = HOST + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n";
        send(client, "POST /read" + head);
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", until(client, "\r\n\r\n"));
        send(client, "abc");
        assertTrue(until(client, "abc").startsWith("HTTP/1.1 200 "));
        send(client, "POST /leave" + head);
        String left = rest(client);
        assertTrue(left.startsWith("HTTP/1.1 200 ") && left.contains("connection: close"), left);
      }
    });
  }

  @Test
  void limits_exceeded_areAnsweredByStatus() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .limits(heads(100, 200, 10))
                  .post("/", exchange -> exchange.respondText(exchange.bodyText())))) {
        String head = "POST /" + HOST;
        for (var each :
            List.of(
                List.of("414", "POST /" + "x".repeat(100) + HOST + "\r\n"),
                List.of("431", head + "A: " + "x".repeat(200) + "\r\n\r\n"),
                List.of("413", head + "Content-Length: 11\r\n\r\n01234567890"),
                List.of(
                    "413",
                    head + "Transfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n"),
                List.of("413", head + "Expect: 100-continue\r\nContent-Length: 11\r\n\r\n"))) {
          String response = exchange(server, each.getLast());
          assertTrue(response.startsWith("HTTP/1.1 " + each.getFirst() + " "), response);
          assertTrue(response.contains("connection: close"), response);
        }
      }
    });
  }

  // Responses.

  @Test
  void stream_client_receivesThePartsAsTheyAreWritten() {
    run(() -> {
      var gate = netty.group().next().<String>newPromise();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        try (OutputStream out =
                            exchange.stream(HttpResponseStatus.OK, "text/plain")) {
                          out.write("first".getBytes(StandardCharsets.UTF_8));
                          out.flush();
                          out.write(netty.await(gate).getBytes(StandardCharsets.UTF_8));
                        }
                      }));
          NettyChannel client = client(server)) {
        send(client, "GET /" + HOST + "\r\n");
        assertTrue(until(client, "first\r\n").contains("transfer-encoding: chunked"));
        gate.setSuccess("second");
        assertEquals("6\r\nsecond\r\n0\r\n\r\n", until(client, "0\r\n\r\n"));
        send(client, "GET / HTTP/1.0\r\n\r\n");
        String old = rest(client);
        assertEquals("firstsecond", body(old));
        assertFalse(old.contains("chunked"), old);
      }
    });
  }

  @Test
  void stream_moreThanAPart_sendsThePartBeforeTheHandlerGoesOn() {
    run(() -> {
      var gate = netty.group().next().<String>newPromise();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        try (OutputStream out =
                            exchange.stream(HttpResponseStatus.OK, "text/plain")) {
                          out.write("a".repeat(10 << 10).getBytes(StandardCharsets.UTF_8));
                          var _ = netty.await(gate);
                        }
                      }));
          NettyChannel client = client(server)) {
        send(client, "GET /" + HOST + "\r\n");
        assertTrue(until(client, "a".repeat(8 << 10)).contains("\r\n2000\r\n"));
        gate.setSuccess("go on");
        assertTrue(until(client, "0\r\n\r\n").contains("800\r\n"));
      }
    });
  }

  /// A client must not take a part for all: code that fails closes its stream, too.
  @Test
  void stream_closedByAHandlerThatFails_isIncomplete() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .compression(HttpCompression.USUAL)
                  .get(
                      "/",
                      exchange -> {
                        try (OutputStream out =
                            exchange.stream(HttpResponseStatus.OK, "text/plain")) {
                          out.write('x');
                          out.flush();
                          throw new IllegalStateException("midway");
                        }
                      }))) {
        String plain = exchange(server, "GET /" + HOST + "\r\n");
        assertTrue(plain.endsWith("\r\n\r\n1\r\nx\r\n"), plain);
        String smaller = exchange(server, "GET /" + HOST + "Accept-Encoding: gzip\r\n\r\n");
        assertTrue(smaller.contains("gzip") && !smaller.endsWith("\r\n0\r\n\r\n"), smaller);
      }
    });
    assertEquals(2, takeFailures().size());
  }

  /// The end of the connection is the end of such a body, so the connection must not just end.
  @Test
  void stream_ofHttp10WhoseHandlerFails_isReset() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        OutputStream out = exchange.stream(HttpResponseStatus.OK, "text/plain");
                        out.write('x');
                        out.flush();
                        throw new IllegalStateException("midway");
                      }));
          NettyChannel client = client(server)) {
        send(client, "GET / HTTP/1.0\r\n\r\n");
        assertThrows(ConnectionResetException.class, () -> rest(client));
      }
    });
    assertEquals(1, takeFailures().size());
  }

  /// RFC 9112, 3.2.2.
  @Test
  void host_ofAWholeUri_isTheRequests() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes.get("/", exchange -> exchange.respondText(exchange.headers().get("host"))))) {
        assertEquals("b:80", body(exchange(server, "GET http://b:80/" + LAST)));
      }
    });
  }

  @Test
  void stream_withALength_mustHaveIt() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes.get(
                  "/{count}",
                  exchange -> {
                    exchange.responseHeaders().set(HttpHeaderNames.CONTENT_LENGTH, 3);
                    try (OutputStream out = exchange.stream(HttpResponseStatus.OK, "text/plain")) {
                      out.write(new byte[Integer.parseInt(exchange.pathParameter("count"))]);
                    }
                  }))) {
        assertEquals(3, body(exchange(server, "GET /3" + LAST)).length());
        assertEquals(0, body(exchange(server, "GET /4" + LAST)).length());
        var _ = exchange(server, "GET /2" + LAST);
      }
    });
    assertEquals(2, takeFailures().size());
  }

  @Test
  void head_ofAPage_hasNoBody() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .get("/whole", exchange -> exchange.respondText("hello"))
                      .get(
                          "/stream",
                          exchange ->
                              exchange.stream(HttpResponseStatus.OK, "text/plain")
                                  .write(new byte[20_000]))
                      .get("/none", exchange -> exchange.respond(HttpResponseStatus.NO_CONTENT)));
          NettyChannel client = client(server)) {
        for (String path : List.of("whole", "stream", "none")) {
          send(client, "HEAD /" + path + HOST + "\r\n");
          assertEquals("", body(until(client, "\r\n\r\n")));
        }
        send(client, "GET /none" + HOST + "\r\n");
        String none = until(client, "\r\n\r\n");
        assertFalse(none.contains("content-length") || none.contains("chunked"), none);
        send(client, "GET /whole" + LAST);
        assertEquals("hello", body(rest(client)));
      }
    });
  }

  @Test
  void respond_largeBody_arrivesWhole() {
    int size = 3_000_000;
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes.get(
                  "/",
                  exchange -> exchange.respond(HttpResponseStatus.OK, "a/b", new byte[size])))) {
        assertEquals(size, body(exchange(server, "GET /" + LAST)).length());
      }
    });
  }

  @Test
  void handler_fails_isReportedAndAnswered() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .get("/silent", exchange -> {})
                  .get(
                      "/broken",
                      exchange -> {
                        throw new IllegalArgumentException("secret");
                      })
                  .get(
                      "/deep",
                      exchange -> {
                        throw new StackOverflowError("secret");
                      })
                  .get(
                      "/gone",
                      exchange -> {
                        throw new HttpStatusException(HttpResponseStatus.GONE, "it has gone");
                      })
                  .get(
                      "/midway",
                      exchange -> {
                        OutputStream out = exchange.stream(HttpResponseStatus.OK, "a/b");
                        out.write('x');
                        out.flush();
                        throw new IllegalStateException("midway");
                      })
                  .get(
                      "/twice",
                      exchange -> {
                        exchange.respondText("once");
                        exchange.respondText("twice");
                      }))) {
        assertTrue(exchange(server, "GET /silent" + LAST).startsWith("HTTP/1.1 500 "));
        for (String path : List.of("/broken", "/deep")) {
          String broken = exchange(server, "GET " + path + LAST);
          assertTrue(broken.startsWith("HTTP/1.1 500 ") && !broken.contains("secret"), broken);
        }
        String gone = exchange(server, "GET /gone" + LAST);
        assertTrue(gone.startsWith("HTTP/1.1 410 ") && gone.endsWith("it has gone\n"), gone);
        assertTrue(exchange(server, "GET /midway" + HOST + "\r\n").endsWith("\r\n\r\n1\r\nx\r\n"));
        assertTrue(exchange(server, "GET /twice" + LAST).endsWith("once"));
      }
    });
    assertEquals(5, takeFailures().size());
  }

  /// A response is not to be split, whichever way its headers are set.
  @Test
  void headers_withALineBreak_areRefused() {
    var refused = new ArrayList<Throwable>();
    run(() -> {
      String split = "a/b\r\nset-cookie: c=d";
      try (HttpServer server =
          serve(routes ->
              routes.get(
                  "/",
                  exchange -> {
                    refused.add(
                        assertThrows(
                            IllegalArgumentException.class,
                            () -> exchange.respond(HttpResponseStatus.OK, split, new byte[1])));
                    refused.add(
                        assertThrows(
                            IllegalArgumentException.class,
                            () -> exchange.stream(HttpResponseStatus.OK, split)));
                    refused.add(
                        assertThrows(
                            IllegalArgumentException.class,
                            () -> exchange.responseHeaders().set("a", split)));
                    refused.add(
                        assertThrows(
                            IllegalArgumentException.class,
                            () -> exchange.responseHeaders().set("a b", "c")));
                    exchange.responseHeaders().set("e", "f");
                    exchange.respondText("whole");
                  }))) {
        String response = exchange(server, "GET /" + LAST);
        assertTrue(response.contains("\r\ne: f\r\n"), response);
        assertFalse(response.contains("set-cookie"), response);
        assertTrue(response.endsWith("\r\n\r\nwhole"), response);
      }
    });
    assertEquals(4, refused.size());
  }

  /// Whoever prints it prints it to a terminal, perhaps.
  @Test
  void accessLog_targetWithControlCharacters_showsThemEscaped() {
    var log = new ArrayList<String>();
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .accessLog(access ->
                      log.add(
                          access.method()
                              + " "
                              + access.target()
                              + " in "
                              + Objects.requireNonNull(scheduler.currentTask()).name()))
                  .get("/", exchange -> exchange.respondText("text")))) {
        var _ = exchange(server, "GET /\u001b[2J\u009b31m\u007f" + LAST);
        assertTrue(server.shutdown(GRACE));
      }
    });
    String escaped = "GET /\\u001b[2J\\u009b31m\\u007f";
    assertEquals(List.of(escaped + " in " + escaped), log);
  }

  @Test
  void accessLog_eachRequest_isNoted() {
    var log = new ArrayList<HttpAccess>();
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .accessLog(log::add)
                  .get("/{name}", exchange -> exchange.respondText("text"))
                  .post("/", exchange -> exchange.respondText(exchange.bodyText())))) {
        var _ =
            exchange(
                server, "POST /?a" + HOST + "Content-Length: 2\r\nConnection: close\r\n\r\nab");
        var _ = exchange(server, "GET /b?c" + LAST);
        var _ = exchange(server, "GET /b/d" + LAST);
        var _ = exchange(server, "?\r\n\r\n");
        assertTrue(server.shutdown(GRACE));
      }
    });
    assertEquals(
        List.of(
            "POST /?a / 200 2 2 true",
            "GET /b?c /{name} 200 0 4 true",
            "GET /b/d - 404 0 22 true",
            "? ? - 400 0 25 true"),
        log.stream()
            .map(each ->
                "%s %s %s %d %d %d %s"
                    .formatted(
                        each.method(),
                        each.target(),
                        each.route().isEmpty() ? "-" : each.route(),
                        each.status(),
                        each.requestBytes(),
                        each.responseBytes(),
                        each.complete()))
            .toList());
    log.forEach(each -> assertTrue(each.firstByte().compareTo(each.taken()) <= 0));
  }

  // The end.

  @Test
  void shutdown_idleAndBusyConnections_busyOnesAreAnswered() {
    run(() -> {
      var begun = new boolean[1];
      var gate = netty.group().next().<String>newPromise();
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        begun[0] = true;
                        exchange.respondText(netty.await(gate));
                      }));
          NettyChannel idle = client(server);
          NettyChannel busy = client(server)) {
        send(idle, "GET /none" + HOST + "\r\n");
        assertTrue(until(idle, "no such page\n").startsWith("HTTP/1.1 404 "));
        send(busy, "GET /" + HOST + "\r\n");
        await(() -> begun[0] && server.connectionCount() == 2);
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(GRACE));
        assertEquals("", rest(idle));
        assertFalse(draining.isDone());
        gate.setSuccess("at last");
        String response = rest(busy);
        assertTrue(
            response.contains("connection: close") && response.endsWith("at last"), response);
        assertTrue(draining.join());
        assertEquals(0, server.connectionCount());
      }
    });
  }

  @Test
  void shutdown_graceIsOver_requestsAreCancelled() {
    run(() -> {
      var begun = new boolean[1];
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        begun[0] = true;
                        var _ = scheduler.suspend();
                      }));
          NettyChannel busy = client(server)) {
        send(busy, "GET /" + HOST + "\r\n");
        await(() -> begun[0]);
        assertFalse(server.shutdown(Duration.ofMillis(1)));
        assertEquals("", rest(busy));
        assertEquals(0, server.connectionCount());
      }
    });
  }

  @Test
  void shutdown_negativeGrace_isRefusedAndTheServerGoesOn() {
    run(() -> {
      try (HttpServer server =
          serve(routes -> routes.get("/", exchange -> exchange.respondText("here")))) {
        assertThrows(IllegalArgumentException.class, () -> server.shutdown(Duration.ofNanos(-1)));
        assertTrue(exchange(server, "GET /" + LAST).endsWith("here"));
      }
    });
  }
}
