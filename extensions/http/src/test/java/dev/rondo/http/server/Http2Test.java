package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.Http2Rig;
import dev.rondo.io.ConnectionResetException;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2PriorityFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2UnknownFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Servers of HTTP/2 over loopback, and clients that begin with its preface.
final class Http2Test extends Http2Rig {

  private static final Duration GRACE = Duration.ofSeconds(30);

  @Test
  void streams_ofOneConnection_areAnsweredConcurrently() {
    int count = 32;
    run(() -> {
      var gates = new ArrayList<Promise<String>>();
      for (int i = 0; i < count; i++) {
        gates.add(netty.group().next().newPromise());
      }
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/{n}",
                      exchange -> {
                        int n = Integer.parseInt(exchange.pathParameter("n"));
                        exchange.respondText(netty.await(gates.get(n)) + exchange.protocol());
                      }));
          var client = new Http2Client(server)) {
        var requests = new ArrayList<Http2Request>();
        for (int i = 0; i < count; i++) {
          requests.add(client.get("/" + i));
        }
        for (int i = count - 1; i >= 0; i--) {
          gates.get(i).setSuccess(i + " ");
          assertEquals("200 " + i + " HTTP/2", requests.get(i).response());
          requests.get(i).close();
        }
        assertEquals(1, server.connectionCount());
        await(() -> server.requestCount() == count);
      }
    });
  }

  @Test
  void respond_statusWithoutBody_hasTheLengthThatItMayHave() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .get("/{code}", Http2Test::respondWithLength)
                      .post("/{code}", Http2Test::respondWithLength));
          var client = new Http2Client(server)) {
        assertEquals("[]", lengths(client.get("/204"))); // RFC 9110, 8.6
        assertEquals("[0]", lengths(client.get("/205")));
        assertEquals("[5]", lengths(client.get("/304"))); // of the page
        for (String each : List.of("204 []", "205 [0]", "304 [5]")) {
          Http2Request posted = client.post("/" + each.substring(0, 3));
          posted.channel.send(new DefaultLastHttpContent(bytes("body")));
          assertEquals(each.substring(4), lengths(posted));
        }
      }
    });
  }

  private static void respondWithLength(HttpExchange exchange) throws IOException {
    exchange.responseHeaders().set(HttpHeaderNames.CONTENT_LENGTH, 5);
    exchange.respond(HttpResponseStatus.valueOf(Integer.parseInt(exchange.pathParameter("code"))));
  }

  private static String lengths(Http2Request request) throws IOException {
    try (request) {
      FullHttpResponse whole = assertInstanceOf(FullHttpResponse.class, request.channel.receive());
      boolean _ = whole.release();
      return whole.headers().getAll(HttpHeaderNames.CONTENT_LENGTH).toString();
    }
  }

  @Test
  void requests_ofAllKinds_areAnsweredAsInHttp11() {
    var log = new ArrayList<HttpAccess>();
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .accessLog(log::add)
                      .get("/none", exchange -> exchange.respond(HttpResponseStatus.NO_CONTENT))
                      .get("/silent", exchange -> {})
                      .get(
                          "/gone",
                          exchange -> {
                            throw new HttpStatusException(HttpResponseStatus.GONE, "it has gone");
                          })
                      .get(
                          "/stream",
                          exchange -> {
                            OutputStream out = exchange.stream(HttpResponseStatus.OK, "text/plain");
                            out.write("one ".getBytes(StandardCharsets.UTF_8));
                            out.flush();
                            out.write("two".getBytes(StandardCharsets.UTF_8));
                          })
                      .post("/echo", exchange -> exchange.respondText(exchange.bodyText())));
          var client = new Http2Client(server)) {
        for (var each :
            List.of(
                List.of("/none", "204 "),
                List.of("/silent", "500 the request has failed\n"),
                List.of("/gone", "410 it has gone\n"),
                List.of("/nowhere", "404 there is no such page\n"),
                List.of("/echo", "405 the method is not allowed\n"),
                List.of("/stream", "200 one two"))) {
          try (Http2Request request = client.get(each.getFirst())) {
            assertEquals(each.getLast(), request.response());
          }
        }
        try (Http2Request request = client.post("/echo")) {
          request.channel.send(new DefaultHttpContent(bytes("some ")));
          request.channel.send(new DefaultLastHttpContent(bytes("bytes")));
          assertEquals("200 some bytes", request.response());
        }
      }
    });
    assertEquals(1, takeFailures().size());
    assertEquals(7, log.size());
    assertTrue(log.stream().allMatch(each -> each.protocol().equals("HTTP/2") && each.complete()));
    assertEquals(10, log.getLast().requestBytes());
  }

  // Back-pressure.

  @Test
  void response_thatTheClientDoesNotRead_waits() {
    int size = 1_000_000;
    run(() -> {
      var done = new boolean[1];
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        exchange.respond(HttpResponseStatus.OK, "a/b", new byte[size]);
                        done[0] = true;
                      }));
          var client = new Http2Client(server);
          Http2Request request = client.get("/")) {
        settle();
        assertFalse(done[0]);
        assertEquals(size + 4, request.response().length());
        await(() -> done[0]);
      }
    });
  }

  @Test
  void body_thatTheHandlerDoesNotRead_waitsAndOthersDoNot() {
    int size = 300_000;
    run(() -> {
      var gate = netty.group().next().<String>newPromise();
      try (HttpServer server =
              serve(routes ->
                  routes.post(
                      "/{wait}",
                      exchange -> {
                        if (exchange.pathParameter("wait").equals("later")) {
                          netty.await(gate);
                        }
                        exchange.respondText(exchange.bodyBytes().length + "");
                      }));
          var client = new Http2Client(server);
          Http2Request later = client.post("/later");
          Http2Request soon = client.post("/soon")) {
        Task<Void> sending =
            scheduler.spawn(
                "upload",
                () ->
                    later.channel.send(
                        new DefaultLastHttpContent(allocator.buffer().writeZero(size))));
        soon.channel.send(new DefaultLastHttpContent(allocator.buffer().writeZero(size)));
        assertEquals("200 " + size, soon.response());
        assertFalse(sending.isDone());
        gate.setSuccess("now");
        assertEquals("200 " + size, later.response());
        sending.join();
      }
    });
  }

  // Clients that go.

  @Test
  void reset_byTheClient_wakesTheHandlerWhereverItWaits() {
    run(() -> {
      var ended = new ArrayList<Throwable>();
      var begun = new int[1];
      try (HttpServer server =
              serve(routes ->
                  routes
                      .post(
                          "/body",
                          exchange -> {
                            begun[0]++;
                            try {
                              var _ = exchange.bodyBytes();
                            } catch (Throwable e) {
                              ended.add(e);
                              throw e;
                            }
                          })
                      .post(
                          "/elsewhere",
                          exchange -> {
                            begun[0]++;
                            try {
                              var _ = scheduler.suspend();
                            } catch (Throwable e) {
                              ended.add(e);
                              throw e;
                            }
                          }));
          var client = new Http2Client(server)) {
        for (String path : List.of("/body", "/elsewhere")) {
          int before = begun[0];
          try (Http2Request request = client.post(path)) {
            await(() -> begun[0] > before);
            settle();
            request.channel.send(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
            await(() -> ended.size() > before);
          }
        }
        assertInstanceOf(ConnectionResetException.class, ended.getFirst());
        TaskCancelled cancelled = assertInstanceOf(TaskCancelled.class, ended.getLast());
        assertTrue(cancelled.getMessage().contains("CANCEL"), cancelled.getMessage());
        assertInstanceOf(ConnectionResetException.class, cancelled.trigger());
        assertEquals(1, server.connectionCount());
      }
    });
  }

  @Test
  void connection_closedByTheClient_cancelsItsRequests() {
    run(() -> {
      var ended = new ArrayList<Throwable>();
      var begun = new int[1];
      try (HttpServer server =
          serve(routes ->
              routes.get(
                  "/",
                  exchange -> {
                    begun[0]++;
                    try {
                      var _ = scheduler.suspend();
                    } catch (Throwable e) {
                      ended.add(e);
                      throw e;
                    }
                  }))) {
        try (var client = new Http2Client(server)) {
          for (int i = 0; i < 3; i++) {
            var _ = client.get("/");
          }
          await(() -> begun[0] == 3);
          var _ = client.connection.channel().pipeline().firstContext().close();
        }
        await(() -> ended.size() == 3 && server.connectionCount() == 0);
        assertTrue(ended.stream().allMatch(TaskCancelled.class::isInstance), ended::toString);
      }
    });
  }

  /// CVE-2023-44487.
  @Test
  void resets_manyInShortTime_endTheConnection() {
    int most = 1_000;
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        var _ = scheduler.suspend();
                      }));
          var client = new Http2Client(server)) {
        try {
          for (int i = 0; i < most; i++) {
            try (Http2Request request = client.get("/")) {
              request.channel.send(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
            }
          }
        } catch (IOException | IllegalStateException e) {
          // the server has closed the connection
        }
        await(() -> server.connectionCount() == 0);
        assertTrue(server.requestCount() < most, () -> server.requestCount() + " requests");
        for (long code : client.goneAway) { // it may be lost when the client goes on sending
          assertEquals(Http2Error.ENHANCE_YOUR_CALM.code(), code);
        }
      }
    });
  }

  // Limits.

  @Test
  void limits_ofStreams_areAnnounced() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.limits(streams(7)).get("/", exchange -> exchange.respondText("hello")));
          var client = new Http2Client(server);
          Http2Request request = client.get("/")) {
        assertEquals("200 hello", request.response());
        assertEquals(7, client.mostStreams);
      }
    });
  }

  @Test
  void body_longerThanAllowed_isAnsweredAndTheStreamReset() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .limits(HttpLimits.USUAL.withBodyBytes(10))
                      .post("/", exchange -> exchange.respondText(exchange.bodyText())));
          var client = new Http2Client(server);
          Http2Request request = client.post("/")) {
        request.channel.send(new DefaultHttpContent(bytes("01234567890")));
        assertTrue(request.response().startsWith("413 "));
        assertNull(request.channel.receive());
        assertEquals(Http2Error.NO_ERROR.code(), request.reset);
        try (Http2Request next = client.post("/")) {
          next.channel.send(new DefaultLastHttpContent(bytes("0123456789")));
          assertEquals("200 0123456789", next.response());
        }
      }
    });
  }

  @Test
  void handler_failsMidway_resetsTheStream() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        OutputStream out = exchange.stream(HttpResponseStatus.OK, "a/b");
                        out.write('x');
                        out.flush();
                        throw new IllegalStateException("midway");
                      }));
          var client = new Http2Client(server);
          Http2Request request = client.get("/")) {
        assertEquals("200 x", request.response());
        assertEquals(Http2Error.INTERNAL_ERROR.code(), request.reset);
      }
    });
    assertEquals(1, takeFailures().size());
  }

  // Strictness.

  @Test
  void heads_thatAreIncomplete_areAnsweredByAReset() {
    run(() -> {
      try (HttpServer server =
              serve(routes -> routes.get("/", exchange -> exchange.respondText("hello")));
          var client = new Http2Client(server)) {
        for (String missing : List.of(":method", ":scheme", ":path")) {
          var head = new DefaultHttp2Headers(false).method("GET").scheme("http").path("/");
          head.authority("a");
          head.remove(missing);
          try (Http2Request request = client.open()) {
            request.channel.send(new DefaultHttp2HeadersFrame(head, true));
            assertNull(request.channel.receive(), missing);
            assertEquals(Http2Error.PROTOCOL_ERROR.code(), request.reset, missing);
          }
        }
        try (Http2Request request = client.get("/")) {
          assertEquals("200 hello", request.response());
        }
        assertEquals(1, server.connectionCount());
      }
    });
  }

  /// Lengths that are the same count as one, as RFC 9110, 8.6, allows, which must be that of the
  /// body.
  @Test
  void lengths_severalOfOneStream_areOneOrReachNoHandler() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.post(
                      "/",
                      exchange ->
                          exchange.respondText(
                              exchange.headers().getAll("content-length") + exchange.bodyText())));
          Http2Client client = new Http2Client(server)) {
        assertEquals("200 [1]x", answer(client, "x", "1", "1"));
        for (List<String> lengths :
            List.of(List.of("1", "2"), List.of("2", "2"), List.of("1, 2"), List.of("+1"))) {
          assertEquals("", answer(client, "x", lengths.toArray(String[]::new)));
        }
      }
    });
  }

  /// {@return the response; empty if the stream is reset}
  private static String answer(Http2Client client, String body, String... lengths)
      throws IOException {
    var head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
    head.headers().set("content-length", List.of(lengths));
    try (Http2Request request = client.begun(head)) {
      try {
        request.channel.send(
            new DefaultLastHttpContent(Unpooled.copiedBuffer(body, StandardCharsets.ISO_8859_1)));
      } catch (ConnectionResetException e) {
        // the reset has come before the body was sent
      }
      return request.response();
    }
  }

  @Test
  void headers_longerThanAllowed_reachNoHandler() {
    run(() -> {
      var handled = new int[1];
      try (HttpServer server =
              serve(routes ->
                  routes
                      .limits(heads(500, 1_500, HttpLimits.USUAL.bodyBytes()))
                      .get(
                          "/",
                          exchange -> {
                            handled[0]++;
                            exchange.respondText("hello");
                          }));
          var client = new Http2Client(server)) {
        for (int length : new int[] {1_000, 2_200, 1_000}) {
          try (Http2Request request = client.begun(withHeader(length))) {
            String response = request.response();
            assertEquals(length < 2_000, response.equals("200 hello"), response);
          }
        }
        assertEquals(1, server.connectionCount());
        try (Http2Request request = client.begun(withHeader(3_000))) {
          assertNotEquals("200 hello", request.response());
        } catch (IOException e) {
          // the connection has ended
        }
        await(() -> server.connectionCount() == 0);
        assertEquals(2, handled[0]);
      }
    });
  }

  private static HttpRequest withHeader(int length) {
    var head = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    head.headers().set("x", "y".repeat(length));
    return head;
  }

  @Test
  void connection_thatIsClosedAfterThePreface_endsWithoutAFailure() {
    run(() -> {
      try (HttpServer server = serve(routes -> {})) {
        for (int i = 0; i < 20; i++) {
          try (NettyChannel client = client(server)) {
            send(client, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0");
          }
          settle();
        }
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  @Test
  void connection_thatIsClosedWithinThePreface_leavesNoBuffer() {
    run(() -> {
      try (HttpServer server = serve(routes -> {})) {
        for (String begun : List.of("P", "PRI * HTTP/2.0", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r")) {
          try (NettyChannel client = client(server)) {
            send(client, begun);
            await(() -> server.connectionCount() == 1);
            settle();
          }
          await(() -> server.connectionCount() == 0);
        }
      }
    });
  }

  // The end.

  /// RFC 9113, 5.5: browsers send them to find servers that do otherwise.
  @Test
  void unknownFrames_withinABody_areIgnored() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes.post("/", exchange -> exchange.respondText(exchange.bodyText())));
          var client = new Http2Client(server);
          Http2Request request = client.post("/")) {
        request.channel.send(
            new DefaultHttp2UnknownFrame((byte) 0x77, new Http2Flags(), bytes("?")));
        request.channel.send(new DefaultHttp2PriorityFrame(0, (short) 16, /* exclusive= */ false));
        request.channel.send(new DefaultLastHttpContent(bytes("hello")));
        assertEquals("200 hello", request.response());
      }
    });
  }

  @Test
  void stream_closedByAHandlerThatFails_isReset() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  routes
                      .accessLog(each -> {})
                      .get("/", Http2Test::failsMidway)
                      .post("/", Http2Test::failsMidway));
          var client = new Http2Client(server);
          Http2Request get = client.get("/");
          Http2Request post = client.post("/")) {
        for (Http2Request each : List.of(get, post)) {
          for (Object part;
              (part = each.channel.receive()) != null;
              ReferenceCountUtil.release(part)) {
            assertFalse(part instanceof LastHttpContent, "the body has ended");
          }
          assertEquals(Http2Error.INTERNAL_ERROR.code(), each.reset);
        }
      }
    });
    assertEquals(2, takeFailures().size());
  }

  private static void failsMidway(HttpExchange exchange) throws IOException {
    try (OutputStream out = exchange.stream(HttpResponseStatus.OK, "text/plain")) {
      out.write('x');
      out.flush();
      throw new IllegalStateException("midway");
    }
  }

  @Test
  void shutdown_openStreams_areAnsweredAfterGoAway() {
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
          var idle = new Http2Client(server);
          var busy = new Http2Client(server)) {
        Http2Request request = busy.get("/");
        await(() -> begun[0] && server.connectionCount() == 2 && idle.mostStreams >= 0);
        settle();
        Task<Boolean> draining = scheduler.spawn(() -> server.shutdown(GRACE));
        await(() -> !idle.goneAway.isEmpty() && !busy.goneAway.isEmpty());
        assertEquals(List.of(Http2Error.NO_ERROR.code()), busy.goneAway.subList(0, 1));
        assertFalse(draining.isDone());
        gate.setSuccess("at last");
        assertEquals("200 at last", request.response());
        assertTrue(draining.join());
        assertEquals(0, server.connectionCount());
      }
    });
  }

  @Test
  void shutdown_aClientThatLeavesItsDirectionOpen_isOverWhenItsConnectionIs() {
    run(() -> {
      try (HttpServer server =
              serve(routes -> routes.get("/", exchange -> exchange.respondText("ok")));
          var silent = new Socket()) {
        silent.connect(server.localAddress());
        String hello = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\0\0\4\0\0\0\0\0";
        silent.getOutputStream().write(hello.getBytes(StandardCharsets.US_ASCII));
        await(() -> server.connectionCount() == 1);
        assertTrue(server.shutdown(GRACE));
        assertEquals(0, server.connectionCount());
      }
    });
  }

  @Test
  void close_openStreams_endsThem() {
    run(() -> {
      var begun = new boolean[1];
      HttpServer server =
          serve(routes ->
              routes.get(
                  "/",
                  exchange -> {
                    begun[0] = true;
                    var _ = scheduler.suspend();
                  }));
      try (var client = new Http2Client(server);
          Http2Request request = client.get("/")) {
        await(() -> begun[0]);
        server.close();
        assertEquals("", request.response());
        await(() -> server.connectionCount() == 0);
      }
    });
  }

  // The choice of the protocol.

  @Test
  void firstBytes_oneByOne_chooseTheProtocol() {
    run(() -> {
      try (HttpServer server =
          serve(routes -> routes.get("/", exchange -> exchange.respondText(exchange.protocol())))) {
        String request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
        try (NettyChannel client = client(server)) {
          for (int i = 0; i < request.length(); i++) {
            send(client, request.substring(i, i + 1));
            settle();
          }
          assertEquals("HTTP/1.1", body(rest(client)));
        }
        try (NettyChannel client = client(server)) {
          String preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
          for (int i = 0; i < preface.length(); i++) {
            send(client, preface.substring(i, i + 1));
            settle();
          }
          String settings = until(client, "\4"); // a frame of settings
          assertTrue(settings.length() >= 5, settings);
        }
        assertTrue(exchange(server, "PRI / HTTP/2.0\r\n\r\n").startsWith("HTTP/1.1 "));
      }
    });
  }
}
