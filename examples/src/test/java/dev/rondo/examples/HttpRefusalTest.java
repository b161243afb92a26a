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
