package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.TcpSocket;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Tests of the HTTP server with requests that it refuses.
final class HttpRefusalTest extends HttpRig {

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

  /// What servers read differently lets requests be smuggled (RFC 9112, 11.2).
  @Test
  void looserThanTheGrammar_isRefused() {
    serve(() -> {
      String post = "POST /echo HTTP/1.1\r\nHost: here\r\n";
      String chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
      for (String request :
          List.of(
              post + "Content-Length: +5\r\n\r\nabcde",
              post + "Content-Length: -0\r\n\r\n",
              post + "Content-Length: 0x5\r\n\r\nabcde",
              post + "Content-Length: 5, 5\r\n\r\nabcde",
              post + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde",
              post + "Content-Length:\r\n\r\n",
              post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
              chunked + "+5\r\nabcde\r\n0\r\n\r\n",
              chunked + "-0\r\n\r\n",
              chunked + "5 \r\nabcde\r\n0\r\n\r\n",
              chunked + "5\nabcde\r\n0\r\n\r\n",
              chunked + "5\r\nabcdeX\r\n0\r\n\r\n",
              chunked + "5\r\nabcde\n0\r\n\r\n",
              chunked + "5;a=\u0000\r\nabcde\r\n0\r\n\r\n",
              chunked + "0\r\nno colon\r\n\r\n",
              chunked + "11111111111111111\r\n",
              GET.replace("\r\n", "\n"),
              GET.replace("here\r\n", "here\n"),
              GET.replace("HTTP/1.1\r\n", "HTTP/1.1\n"),
              GET.replace("here", "he\rre"),
              GET.replace("here", "he\u0000re"),
              GET.replace("Host", "A: b\u0000c\r\nHost"),
              GET.replace("Host", "A: b\u0001c\r\nHost"),
              GET.replace("Host", " A: b\r\nHost"),
              GET.replace("Host", "A: b\r\n c\r\nHost"),
              GET.replace("Host", ": b\r\nHost"),
              GET.replace("Host", "A : b\r\nHost"),
              GET.replace("Host", "no colon\r\nHost"),
              GET.replace("Host", "A(: b\r\nHost"),
              GET.replace("here", "a b"),
              GET.replace("here", "a/b"),
              GET.replace("here", "user@a"),
              GET.replace("GET /", "GET  /"),
              GET.replace("GET /", "GET\t/"),
              GET.replace("GET /", " GET /"),
              GET.replace("/ HTTP", "/  HTTP"),
              GET.replace("/ HTTP", "/a b HTTP"),
              GET.replace("/ HTTP", "/#a HTTP"),
              GET.replace("/ HTTP", "/%zz HTTP"),
              GET.replace("/ HTTP", "/\u00e4 HTTP"),
              GET.replace("/ HTTP", "* HTTP"),
              GET.replace("/ HTTP", "here HTTP"),
              GET.replace("GET", "G@T"),
              GET.replace("HTTP/1.1", "http/1.1"),
              GET.replace("HTTP/1.1", "HTTP/1.11"),
              GET.replace("HTTP/1.1", "HTTP/1.1 "))) {
        Response response = refusal(request);
        assertEquals(400, response.code(), () -> request + " -> " + response);
      }
      assertEquals(501, refusal("CONNECT here:80 HTTP/1.1\r\nHost: here:80\r\n\r\n").code());
      assertEquals(501, refusal(GET.replace("GET", "TRACE")).code());
      assertEquals(501, refusal(GET.replace("GET", "get")).code());
      assertEquals(417, refusal(post + "Expect: the best\r\nContent-Length: 1\r\n\r\na").code());
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
}
