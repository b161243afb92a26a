package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests of the HTTP server: valid requests, time limits, many connections, and shutdown.
final class TinyHttpServerTest extends HttpRig {

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
        assertEquals("chunked", response.headers().get("Transfer-Encoding"));
        for (int i = 1; i <= 5; i++) {
          assertEquals("7", socket.readLine(LONGEST_LINE_BYTES));
          assertEquals("tick " + i, socket.readLine(LONGEST_LINE_BYTES));
          assertEquals("", socket.readLine(LONGEST_LINE_BYTES));
          assertElapsed(Duration.ofMillis(200).multipliedBy(i - 1));
        }
        assertEquals("0", socket.readLine(LONGEST_LINE_BYTES));
        assertEquals("", socket.readLine(LONGEST_LINE_BYTES));
        socket.write(GET); // the connection still works
        assertEquals(BODY_OF_GET, Response.readFrom(socket).body());
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
          assertEquals("number " + i, Response.readFrom(socket).body());
        }
      }
    });
  }

  @Test
  void pipelined_secondIsNotComplete_firstIsAnsweredAllTheSame() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        socket.write(GET + GET.substring(0, 20));
        assertEquals(BODY_OF_GET, Response.readFrom(socket).body());
        socket.write(GET.substring(20));
        assertEquals(BODY_OF_GET, Response.readFrom(socket).body());
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
        assertEquals("abcde", Response.readFrom(socket).body());
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
  void expectContinue_clientWaits_receives100() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        socket.write(
            "POST /echo HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        assertEquals(100, Response.readFrom(socket).code());
        socket.write("ab");
        assertEquals("ab", Response.readFrom(socket).body());
      }
    });
  }

  /// HTTP/1.0 does not know it (RFC 9110, 10.1.1).
  @Test
  void expectContinue_http10_receivesNo100() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        socket.write("POST /echo HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
        for (int i = 0; i < 10; i++) {
          app.yield();
        }
        socket.write("ab");
        Response response = Response.readFrom(socket);
        assertEquals(200, response.code());
        assertEquals("ab", response.body());
      }
    });
  }

  /// `//path` is a path whose first segment is empty, and an absolute form has the path in it.
  @Test
  void target_anyForm_isThePathInIt() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        for (String target : new String[] {"//", "//here/", "//echo", "/nowhere", "/?/"}) {
          socket.write(GET.replace("/ ", target + " "));
          int expected = target.equals("/?/") ? 200 : 404;
          assertEquals(expected, Response.readFrom(socket).code(), target);
        }
        for (String target : new String[] {"http://here/", "HTTP://here", "http://here:80/?a"}) {
          socket.write(GET.replace("/ ", target + " "));
          assertEquals(BODY_OF_GET, Response.readFrom(socket).body(), target);
        }
        socket.write("\r\n" + GET);
        assertEquals(BODY_OF_GET, Response.readFrom(socket).body(), "an empty line before");
      }
    });
  }

  /// All bodies together have a limit: a request waits until others are answered.
  @Test
  void bodies_moreThanAllTogetherMayHave_waitForTheirTurn() {
    serve(
        LIMITS,
        () -> {
          letTimePass();
          String post = "POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n";
          String body = "x".repeat(BODY_BYTES);
          try (TcpSocket one = connect();
              TcpSocket two = connect();
              TcpSocket three = connect()) {
            one.write(post);
            two.write(post);
            app.sleep(Duration.ofSeconds(1));
            three.write(post + body);
            var answer = app.spawn(() -> Response.readFrom(three));
            app.sleep(Duration.ofSeconds(1));
            assertFalse(answer.isDone());
            one.write(body);
            assertEquals(body, Response.readFrom(one).body());
            assertEquals(body, answer.join().body());
            one.write("POST /echo HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n");
            app.sleep(Duration.ofSeconds(1));
            three.write(post);
            assertEquals(503, Response.readFrom(three).code());
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

  @Test
  void handlerFails_clientReads500_andTheConnectionGoesOn() {
    serve(() -> {
      try (TcpSocket socket = connect()) {
        socket.write(GET.replace("/ ", "/broken ") + GET);
        Response failed = Response.readFrom(socket);
        assertEquals(500, failed.code());
        assertFalse(failed.body().contains("on purpose"));
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
  void idle_afterAnAnswer_startsAgain() {
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
      app.shutdown(Duration.ofMinutes(10), Duration.ofMinutes(10));
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
