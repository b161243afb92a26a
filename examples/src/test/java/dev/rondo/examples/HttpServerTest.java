package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

/// Tests of the HTTP server with the JDK's client, and with sockets that send malformed requests. In
/// virtual time, so that a timeout takes no time.
@EveryBackend
final class HttpServerTest {

  private static final int BODY_BYTES = 1000;
  private static final HttpLimits LIMITS =
      new HttpLimits(
          3,
          200,
          10,
          BODY_BYTES,
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(40));
  private static final Duration STEP = Duration.ofMillis(10);
  private static final int LONGEST_LINE_BYTES = 1000;
  private static final String GET = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
  private static final String BODY_OF_GET = "Hello from a task\n";

  @Parameter(0)
  CoroutineBackend backend;

  @Parameter(1)
  boolean mountedTask;

  private final VirtualClock clock = VirtualClock.create();
  private final List<String> reported = new ArrayList<>();
  private Application app;
  private TcpListener listener;
  private boolean done;

  private interface Client {
    void use() throws Exception;
  }

  /// Runs a client against a server, shuts both down, and requires that nothing is left.
  private void serve(Client client) {
    serve(LIMITS, client);
  }

  private void serve(HttpLimits limits, Client client) {
    var builder =
        Application.builder()
            .backend(backend)
            .clock(clock)
            .failureHandler((where, failure) -> reported.add(where + ": " + failure));
    (mountedTask ? builder.scheduler(SchedulerBuilder::withMountedTask) : builder)
        .run(app -> {
          this.app = app;
          listener = app.listen(0);
          Map<String, HttpServer.Handler> handlers = new HashMap<>(HttpServer.handlers(app));
          handlers.put(
              "/broken",
              (request, body) -> {
                throw new IllegalStateException("on purpose");
              });
          var server = new HttpServer(app, listener, limits, handlers);
          app.spawn("server", server::serve);
          try {
            client.use();
          } finally {
            done = true;
          }
          app.shutdown(Duration.ofMinutes(10));
        });
    assertEquals(0, listener.connections());
    assertFalse(listener.isOpen());
  }

  /// Advances virtual time in small steps, with rounds between them in which sockets are polled. A
  /// clock that jumps by itself would not know of bytes on their way through the system.
  private void letTimePass() {
    app.spawn(
        "time",
        () -> {
          while (!done) {
            for (int i = 0; i < 10; i++) {
              app.yield();
            }
            clock.skip(STEP);
          }
        });
  }

  private void assertElapsed(Duration least) {
    Duration elapsed = clock.elapsed();
    assertTrue(
        elapsed.compareTo(least) >= 0 && elapsed.compareTo(least.plus(STEP.multipliedBy(20))) < 0,
        () -> least + " should have gone by, but " + elapsed + " have");
  }

  private TcpSocket connect() throws IOException {
    return app.connect("127.0.0.1", listener.port());
  }

  private HttpResponse<String> ask(HttpClient client, String path, BodyPublisher body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + path))
            .POST(body)
            .build();
    return app.await(
        app.scheduler().completion(client.sendAsync(request, BodyHandlers.ofString())));
  }

  /// Reads one response of known length.
  private record Response(String status, Map<String, String> headers, String body) {

    static Response readFrom(TcpSocket socket) throws IOException {
      String status = socket.readLine(LONGEST_LINE_BYTES);
      if (status == null) {
        throw new IOException("there is no response");
      }
      var headers = new HashMap<String, String>();
      String line = socket.readLine(LONGEST_LINE_BYTES);
      while (line != null && !line.isEmpty()) {
        int colon = line.indexOf(':');
        headers.put(line.substring(0, colon), line.substring(colon + 1).trim());
        line = socket.readLine(LONGEST_LINE_BYTES);
      }
      int length = Integer.parseInt(headers.getOrDefault("Content-Length", "0"));
      byte[] body = socket.input().readNBytes(length);
      return new Response(status, headers, new String(body, StandardCharsets.UTF_8));
    }

    int code() {
      int start = status.indexOf(' ') + 1;
      return Integer.parseInt(status, start, start + 3, 10);
    }
  }

  private static String restOf(TcpSocket socket) throws IOException {
    return new String(socket.input().readAllBytes(), StandardCharsets.UTF_8);
  }

  /// {@return the response to a request after which the server closes the connection}
  private Response refusal(String request) throws IOException {
    try (TcpSocket socket = connect()) {
      socket.write(request);
      Response response = Response.readFrom(socket);
      assertEquals("close", response.headers.get("Connection"), response::toString);
      assertEquals("", restOf(socket));
      return response;
    }
  }

  // Valid requests.

  @Test
  void jdkClient_lengthsAndChunksBothWays_onOneConnection() {
    serve(() -> {
      try (var client = HttpClient.newHttpClient()) {
        String text = "x".repeat(BODY_BYTES);
        assertEquals(text, ask(client, "/echo", BodyPublishers.ofString(text)).body());
        var chunked =
            BodyPublishers.ofInputStream(
                () -> new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        assertEquals(text, ask(client, "/echo", chunked).body());
        assertEquals("", ask(client, "/echo", BodyPublishers.noBody()).body());
        assertEquals(BODY_OF_GET, ask(client, "/?a=b", BodyPublishers.noBody()).body());
        assertEquals(404, ask(client, "/nowhere", BodyPublishers.noBody()).statusCode());
        assertEquals(1, listener.connections()); // the connection was kept
      }
    });
  }

  @Test
  void ticks_unknownLength_comesInChunksAsItIsMade() {
    serve(() -> {
      letTimePass();
      try (TcpSocket socket = connect()) {
        socket.write("GET /ticks HTTP/1.1\r\nHost: here\r\n\r\n");
        Response response = Response.readFrom(socket);
        assertEquals("chunked", response.headers.get("Transfer-Encoding"));
        for (int i = 1; i <= 5; i++) {
          assertEquals("7", socket.readLine(LONGEST_LINE_BYTES));
          assertEquals("tick " + i, socket.readLine(LONGEST_LINE_BYTES));
          assertEquals("", socket.readLine(LONGEST_LINE_BYTES));
          assertElapsed(Duration.ofMillis(200).multipliedBy(i - 1));
        }
        assertEquals("0", socket.readLine(LONGEST_LINE_BYTES));
        assertEquals("", socket.readLine(LONGEST_LINE_BYTES));
        socket.write(GET); // the connection still works
        assertEquals(BODY_OF_GET, Response.readFrom(socket).body);
      }
    });
  }

  @Test
  void pipelined_manyInOnePiece_areAnsweredInOrder() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        var all = new StringBuilder();
        for (int i = 0; i < 100; i++) {
          String body = "number " + i;
          all.append("POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: ")
              .append(body.length())
              .append("\r\n\r\n")
              .append(body);
        }
        socket.write(all.toString());
        for (int i = 0; i < 100; i++) {
          assertEquals("number " + i, Response.readFrom(socket).body);
        }
      }
    });
  }

  @Test
  void pipelined_secondIsNotComplete_firstIsAnsweredAllTheSame() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        socket.write(GET + GET.substring(0, 20));
        assertEquals(BODY_OF_GET, Response.readFrom(socket).body);
        socket.write(GET.substring(20));
        assertEquals(BODY_OF_GET, Response.readFrom(socket).body);
      }
    });
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void byteByByte_anyCut_isTheSameRequest() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        String head = "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        String request = head + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n";
        for (int i = 0; i < request.length(); i++) {
          socket.write(request.substring(i, i + 1));
          app.yield();
        }
        assertEquals("abcde", Response.readFrom(socket).body);
      }
    });
  }

  @Test
  void head_sameHeadersAsGet_noBody() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        socket.write(GET.replace("GET", "HEAD") + GET.replace("Host", "Connection: close\r\nHost"));
        assertEquals("HTTP/1.1 200 OK", socket.readLine(LONGEST_LINE_BYTES));
        String rest = restOf(socket);
        assertEquals(2, rest.split("Content-Length: 18", -1).length - 1, rest);
        assertEquals(1, rest.split(BODY_OF_GET, -1).length - 1, rest);
      }
    });
  }

  @Test
  void expectContinue_clientWaits_isToldToGoOn() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        socket.write(
            "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        assertEquals(100, Response.readFrom(socket).code());
        socket.write("ab");
        assertEquals("ab", Response.readFrom(socket).body);
      }
    });
  }

  @Test
  void http10_noKeepAlive_endsWithTheAnswer() {
    serve(() -> {
      letTimePass();
      try (TcpSocket socket = connect()) {
        socket.write("GET /ticks HTTP/1.0\r\n\r\n");
        String text = restOf(socket);
        assertTrue(text.endsWith("\r\n\r\ntick 1\ntick 2\ntick 3\ntick 4\ntick 5\n"), text);
        assertFalse(text.contains("chunked"), text);
      }
    });
  }

  // Invalid requests.

  @Test
  void limits_tooMuch_isRefusedWithTheRightStatus() {
    serve(() -> {
      String long1 = "x".repeat(BODY_BYTES);
      assertEquals(431, refusal(GET.replace("/ ", "/" + long1 + " ")).code());
      assertEquals(431, refusal(GET.replace("here", long1)).code());
      assertEquals(431, refusal(GET.replace("Host", "A: b\r\n".repeat(10) + "Host")).code());
      String post = "POST /echo HTTP/1.1\r\nHost: here\r\n";
      assertEquals(413, refusal(post + "Content-Length: 1001\r\n\r\n").code());
      assertEquals(
          413,
          refusal(post + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n" + long1 + "x\r\n0\r\n\r\n")
              .code());
    });
    assertEquals(List.of(), reported);
  }

  @Test
  void tooLong_clientStillSends_readsTheRefusalAndNoReset() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        socket.write("POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 9999999\r\n\r\n");
        assertEquals(413, Response.readFrom(socket).code());
        for (int i = 0; i < 100; i++) {
          socket.write("x".repeat(10_000)); // read and discarded
        }
        assertEquals("", restOf(socket));
      }
    });
  }

  @Test
  void wrongRequests_areRefused() {
    serve(() -> {
      assertEquals(400, refusal("what is this\r\n\r\n").code());
      assertEquals(400, refusal("GET / HTTP/1.1\r\n\r\n").code()); // no Host
      assertEquals(400, refusal(GET.replace("Host", "Host: a\r\nHost")).code());
      assertEquals(505, refusal(GET.replace("1.1", "3.0")).code());
      String post = "POST /echo HTTP/1.1\r\nHost: here\r\n";
      assertEquals(400, refusal(post + "Content-Length: -1\r\n\r\n").code());
      assertEquals(400, refusal(post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n").code());
      assertEquals(501, refusal(post + "Transfer-Encoding: gzip\r\n\r\n").code());
      assertEquals(400, refusal(post + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n").code());
      assertEquals(
          400,
          refusal(
                  post
                      + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"
                      + "0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n")
              .code());
    });
    assertEquals(List.of(), reported);
  }

  @Test
  void garbage_anyBytes_neverBreaksTheServer() {
    serve(() -> {
      long seed = 20261120;
      var random = new Random(seed);
      for (int i = 0; i < 50; i++) {
        var bytes = new byte[random.nextInt(2000)];
        random.nextBytes(bytes);
        try (TcpSocket socket = connect()) {
          socket.output().write(bytes);
          socket.shutdownOutput();
          String answer = restOf(socket);
          assertTrue(
              answer.isEmpty()
                  || answer.startsWith("HTTP/1.1 4")
                  || answer.startsWith("HTTP/1.1 5"),
              () -> "seed " + seed + ": " + answer);
        }
      }
      try (TcpSocket socket = connect()) {
        socket.write(GET);
        assertEquals(200, Response.readFrom(socket).code());
      }
    });
    assertEquals(List.of(), reported);
  }

  @Test
  void cutOff_inHeadOrBody_endsJustThatConnection() {
    serve(() -> {
      for (String part :
          List.of(
              "",
              "GET / HT",
              "POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab",
              "POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")) {
        try (TcpSocket socket = connect()) {
          socket.write(part);
          socket.shutdownOutput();
          String answer = restOf(socket);
          assertTrue(answer.isEmpty() || answer.startsWith("HTTP/1.1 400"), answer);
        }
      }
    });
    assertEquals(List.of(), reported);
  }

  @Test
  void handlerFails_clientReads500_andTheConnectionGoesOn() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        socket.write(GET.replace("/ ", "/broken ") + GET);
        Response failed = Response.readFrom(socket);
        assertEquals(500, failed.code());
        assertFalse(failed.body.contains("on purpose"));
        assertEquals(200, Response.readFrom(socket).code());
      }
    });
    assertEquals(
        List.of("handler of /broken: java.lang.IllegalStateException: on purpose"), reported);
  }

  // Time.

  @Test
  void idle_noRequest_isClosedWithoutAWord() {
    serve(() -> {
      letTimePass();
      try (TcpSocket socket = connect()) {
        assertNull(socket.readLine(LONGEST_LINE_BYTES));
        assertElapsed(LIMITS.idle());
      }
    });
  }

  @Test
  void idle_afterAnAnswer_beginsAnew() {
    serve(() -> {
      letTimePass();
      try (TcpSocket socket = connect()) {
        app.sleep(Duration.ofSeconds(29));
        socket.write(GET);
        Response.readFrom(socket);
        assertEquals("", restOf(socket));
        assertElapsed(Duration.ofSeconds(29).plus(LIMITS.idle()));
      }
    });
  }

  @Test
  void slowHead_drippingBytes_isRefusedAfterTheLimit() {
    serve(() -> {
      letTimePass();
      try (TcpSocket socket = connect()) {
        var dripping =
            app.spawn(() -> {
              while (true) {
                socket.write("A");
                app.sleep(Duration.ofSeconds(3));
              }
            });
        assertEquals(408, Response.readFrom(socket).code());
        assertElapsed(LIMITS.header());
        dripping.cancel("enough");
      }
    });
  }

  @Test
  void slowBody_nothingComes_isRefusedAfterTheLimit() {
    serve(() -> {
      letTimePass();
      assertEquals(
          408, refusal("POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nab").code());
    });
  }

  @Test
  void slowReader_takesNothing_isDropped() {
    serve(() -> {
      letTimePass();
      try (TcpSocket socket = connect()) {
        String body = "x".repeat(BODY_BYTES);
        String request = "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n" + body;
        try {
          app.within(
              LIMITS.write().multipliedBy(2),
              () -> {
                while (true) {
                  socket.write(request); // until all buffers are full
                }
              });
        } catch (TimedOutException | IOException e) {
          // the server may reset the connection first
        }
        assertEquals(0, listener.connections());
        assertTrue(clock.elapsed().compareTo(LIMITS.write()) >= 0, () -> "" + clock.elapsed());
      }
    });
  }

  // Many connections, and shutdown.

  @Test
  void connections_oneTooMany_waitsUntilOneIsClosed() {
    serve(() -> {
      var open = new ArrayList<TcpSocket>();
      for (int i = 0; i < LIMITS.connections() + 1; i++) {
        open.add(connect());
      }
      TcpSocket last = open.getLast();
      last.write(GET);
      var answer = app.spawn(() -> Response.readFrom(last).code());
      for (int i = 0; i < 20; i++) {
        app.yield();
      }
      assertEquals(LIMITS.connections(), listener.connections());
      assertFalse(answer.isDone());
      open.getFirst().close();
      assertEquals(200, answer.join());
      for (TcpSocket each : open) {
        each.close();
      }
    });
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void stop_oneIdleOneBusy_idleIsClosedAndBusyHasItsAnswer() {
    serve(() -> {
      letTimePass();
      TcpSocket idle = connect();
      TcpSocket busy = connect();
      idle.write(GET);
      Response.readFrom(idle);
      busy.write("GET /ticks HTTP/1.1\r\nHost: here\r\n\r\n" + GET);
      app.sleep(Duration.ofMillis(300));
      app.shutdown(Duration.ofMinutes(10));
      assertEquals("", restOf(idle));
      assertElapsed(Duration.ofMillis(300));
      String text = restOf(busy);
      assertTrue(text.contains("tick 5\n"), text);
      assertElapsed(Duration.ofSeconds(1));
      assertTrue(text.contains("Connection: close\r\n"), text); // the response after it
      idle.close();
      busy.close();
    });
  }
}
