package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import io.netty.handler.codec.http.HttpMethod;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// Responses whose end, or whose meaning, is not certain by RFC 9112, and servers that are slow.
final class HttpClientStrictnessTest extends HttpClientRig {

  /// @param why what is wrong, or unusual
  /// @param response as the server sends it
  private record Case(String why, String response) {}

  private static Case ok(String why, String headers, String body) {
    return new Case(why, "HTTP/1.1 200 OK\r\n" + headers + "\r\n" + body);
  }

  private static Case head(String why, String head) {
    return new Case(why, head + "\r\nContent-Length: 0\r\n\r\n");
  }

  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";

  private static final List<Case> REFUSED =
      List.of(
          ok("both lengths", "Content-Length: 5\r\n" + CHUNKED, "0\r\n\r\n"),
          ok("both lengths, the other way", CHUNKED + "Content-Length: 5\r\n", "0\r\n\r\n"),
          ok("two lengths", "Content-Length: 1\r\nContent-Length: 2\r\n", "ab"),
          ok("the same length twice", "Content-Length: 1\r\nContent-Length: 1\r\n", "a"),
          ok("a list of lengths", "Content-Length: 1, 1\r\n", "a"),
          ok("a length with a sign", "Content-Length: +1\r\n", "a"),
          ok("a negative length", "Content-Length: -1\r\n", "a"),
          ok("a hexadecimal length", "Content-Length: 0x1\r\n", "a"),
          ok("an empty length", "Content-Length: \r\n", "a"),
          ok("a folded length", "Content-Length: 1\r\n 0\r\n", "a"),
          ok("a length that overflows", "Content-Length: 18446744073709551616\r\n", "a"),
          ok("an unknown coding", "Transfer-Encoding: gzip\r\n", "a"),
          ok("a coding before chunked", "Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"),
          ok("chunked twice", "Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"),
          ok("two headers of codings", CHUNKED + CHUNKED, "0\r\n\r\n"),
          ok("a blank before the colon", "Content-Length : 1\r\n", "a"),
          ok("a header without a colon", "Abc\r\n", ""),
          ok("a header without a name", ": b\r\n", ""),
          ok("a name with a space", "A b: c\r\n", ""),
          ok("a value with a zero", "A: b\u0000c\r\n", ""),
          ok("a value with a carriage return", "A: b\rc\r\n", ""),
          ok("a header without CR", "A: b\n", ""),
          ok("a chunk size of letters", CHUNKED, "x\r\na\r\n0\r\n\r\n"),
          ok("a negative chunk size", CHUNKED, "-1\r\n\r\n"),
          ok("a prefixed chunk size", CHUNKED, "0x0\r\n\r\n"),
          ok("a chunk size that overflows", CHUNKED, "100000000\r\na"),
          ok("an empty chunk size", CHUNKED, "\r\n\r\n"),
          ok("a chunk longer than its size", CHUNKED, "1\r\nab\r\n0\r\n\r\n"),
          ok("a chunk without CR", CHUNKED, "1\na\n0\n\n"),
          ok("a chunk size with a blank", CHUNKED, "1 \r\na\r\n0\r\n\r\n"),
          ok("a chunk size with a tab", CHUNKED, "1\t\r\na\r\n0\r\n\r\n"),
          ok("a chunk size with a zero", CHUNKED, "1\0\r\na\r\n0\r\n\r\n"),
          ok(
              "long extensions",
              CHUNKED,
              ("1;" + "a".repeat(3_000) + "\r\nx\r\n").repeat(6) + "0\r\n\r\n"),
          head("a tab in the status line", "HTTP/1.1\t200 OK"),
          head("two blanks in the status line", "HTTP/1.1  200 OK"),
          head("a version in small letters", "http/1.1 200 OK"),
          head("an unknown version", "HTTP/1.2 200 OK"),
          head("version 2 as text", "HTTP/2.0 200 OK"),
          head("another protocol", "ICY 200 OK"),
          head("no status", "HTTP/1.1"),
          head("a status of letters", "HTTP/1.1 OK 200"),
          head("a status of two digits", "HTTP/1.1 20 OK"),
          head("a status of four digits", "HTTP/1.1 2000 OK"),
          head("a status of no class", "HTTP/1.1 700 OK"),
          head("another protocol from now on", "HTTP/1.1 101 Switching Protocols"),
          new Case("a status line without CR", "HTTP/1.1 200 OK\nContent-Length: 0\n\n"),
          new Case("no body allowed", "HTTP/1.1 204 No\r\nContent-Length: 4\r\n\r\nfine"),
          new Case("no chunks allowed", "HTTP/1.1 204 No\r\n" + CHUNKED + "\r\n0\r\n\r\n"),
          new Case("a coding in HTTP/1.0", "HTTP/1.0 200 OK\r\n" + CHUNKED + "\r\n0\r\n\r\n"),
          new Case("endless information", "HTTP/1.1 100 Continue\r\n\r\n".repeat(100)),
          new Case("a long line", "HTTP/1.1 200 " + "x".repeat(5_000) + "\r\n\r\n"),
          ok("a long header", "A: " + "x".repeat(20_000) + "\r\n", ""));

  @Test
  void responses_thatAreNotCertain_areRefused() {
    run(() -> {
      var wrong = new ArrayList<String>();
      for (Case each : REFUSED) {
        try (RawServer server = answering(each.response());
            HttpClient client = newClient(builder -> builder.limits(soon()))) {
          String found;
          try {
            found = client.get(server.uri("/")).bodyText();
          } catch (ProtocolException e) {
            found = null;
          } catch (IOException e) {
            found = e.toString();
          }
          if (found != null || client.connectionCount() > 0) {
            wrong.add(each.why() + ": " + found + ", " + client.connectionCount());
          }
        }
      }
      assertEquals(List.of(), wrong);
    });
  }

  /// A response that is not refused fails the test soon.
  private static HttpClientLimits soon() {
    return HttpClientLimits.USUAL.withTimes(
        Duration.ofSeconds(20),
        Duration.ofMillis(500),
        Duration.ofMillis(500),
        Duration.ofSeconds(20));
  }

  @Test
  void responses_thatAreUnusual_areRead() {
    List<Case> read =
        List.of(
            ok(
                "the coding in capitals",
                "Transfer-Encoding: CHUNKED\r\n",
                "4\r\nfine\r\n0\r\n\r\n"),
            ok("extensions, trailers", CHUNKED, "2;a=b\r\nfi\r\n2\r\nne\r\n0\r\nA: b\r\n\r\n"),
            ok("a folded header", "A: b\r\n  c\r\nContent-Length: 4\r\n", "fine"),
            new Case("no reason", "HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nfine"),
            new Case("an unknown status", "HTTP/1.1 299 X\r\nContent-Length: 4\r\n\r\nfine"),
            new Case(
                "information before",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"),
            new Case("a length with 204", "HTTP/1.1 204 No\r\nContent-Length: 0\r\n\r\n"));
    run(() -> {
      for (Case each : read) {
        try (RawServer server = answering(each.response());
            HttpClient client = newClient(builder -> builder.limits(soon()))) {
          for (int i = 0; i < 2; i++) {
            String expected = each.response().contains(" 204 ") ? "" : "fine";
            assertEquals(expected, client.get(server.uri("/")).bodyText(), each.why());
          }
          assertEquals(1, server.connections.size(), each.why());
        }
      }
    });
  }

  @Test
  void body_thatEndsWithTheConnection_isReadToItsEnd() {
    run(() -> {
      try (RawServer server =
              new RawServer(connection -> {
                head(connection);
                send(connection, "HTTP/1.1 200 OK\r\n\r\nfi");
                send(connection, "ne");
              });
          HttpClient client = newClient()) {
        assertEquals("fine", client.get(server.uri("/")).bodyText());
        assertEquals(0, client.connectionCount());
      }
    });
  }

  private static String gzip() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(bytes)) {
      out.write('a');
    }
    return bytes.toString(StandardCharsets.ISO_8859_1);
  }

  @Test
  void body_thatIsCutOff_isNotTakenForWhole() {
    run(() -> {
      for (Case each :
          List.of(
              ok("by length", "Content-Length: 5\r\n", "fine"),
              ok("within a chunk", CHUNKED, "5\r\nfine"),
              ok("after a chunk", CHUNKED, "4\r\nfine\r\n"),
              ok("before the last line", CHUNKED, "4\r\nfine\r\n0\r\n"),
              ok("behind a member", "Content-Encoding: gzip\r\nContent-Length: 99\r\n", gzip()))) {
        try (RawServer server =
                new RawServer(connection -> {
                  head(connection);
                  send(connection, each.response());
                });
            HttpClient client = newClient()) {
          var response = client.get(server.uri("/"));
          assertThrows(EOFException.class, response::bodyText, each.why());
          assertEquals(0, client.connectionCount());
        }
      }
    });
  }

  @Test
  void head_ofABody_hasNone() {
    run(() -> {
      try (RawServer server = answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
          HttpClient client = newClient()) {
        for (int i = 0; i < 3; i++) {
          var response = client.request(HttpMethod.HEAD, server.uri("/")).send();
          assertEquals("", response.bodyText());
        }
        assertEquals(1, server.connections.size());
      }
    });
  }

  @Test
  void request_isWrittenAsItShouldBe() {
    run(() -> {
      var heads = new ArrayList<String>();
      try (RawServer server =
              new RawServer(connection -> {
                while (true) {
                  heads.add(head(connection));
                  send(connection, "HTTP/1.1 204 No\r\n\r\n");
                }
              });
          HttpClient client = newClient()) {
        URI uri = server.uri("");
        client.get(uri).close();
        client.get(URI.create(uri + "?a=b")).close();
        client.get(URI.create(uri + "/\u00e4?\u00f6#c")).close();
        client.request(HttpMethod.POST, server.uri("/")).send().close();
        client.request(HttpMethod.DELETE, server.uri("/")).header("Host", "else").send().close();
        String common = "host: " + uri.getAuthority() + "\r\naccept-encoding: gzip, deflate\r\n";
        assertEquals(
            List.of(
                "GET / HTTP/1.1\r\n" + common + "\r\n",
                "GET /?a=b HTTP/1.1\r\n" + common + "\r\n",
                "GET /%C3%A4?%C3%B6 HTTP/1.1\r\n" + common + "\r\n",
                "POST / HTTP/1.1\r\n" + common + "content-length: 0\r\n\r\n",
                "DELETE / HTTP/1.1\r\nHost: else\r\naccept-encoding: gzip, deflate\r\n\r\n"),
            heads);
      }
    });
  }

  // Time.

  @Test
  void server_thatIsSilent_isGivenUp() {
    run(() -> {
      for (String each :
          List.of(
              "",
              "HTTP/1.1 200 OK\r\n",
              "HTTP/1.1 100 Continue\r\n\r\n",
              "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfine",
              "HTTP/1.1 200 OK\r\n" + CHUNKED + "\r\n4\r\nfine\r\n")) {
        try (RawServer server =
                new RawServer(connection -> {
                  head(connection);
                  if (!each.isEmpty()) {
                    send(connection, each);
                  }
                  assertTrue(isGone(connection));
                });
            HttpClient client =
                newClient(builder ->
                    builder.limits(
                        HttpClientLimits.USUAL.withTimes(
                            Duration.ofSeconds(20),
                            Duration.ofMillis(20),
                            Duration.ofMillis(20),
                            Duration.ofSeconds(20))))) {
          assertThrows(
              SocketTimeoutException.class, () -> client.get(server.uri("/")).bodyText(), each);
          assertEquals(0, client.connectionCount());
        }
      }
    });
  }

  @Test
  void server_thatReadsNothing_isGivenUp() {
    run(() -> {
      var gate = netty.group().next().<String>newPromise();
      try (RawServer server = new RawServer(connection -> netty.await(gate));
          HttpClient client =
              newClient(builder ->
                  builder.limits(
                      HttpClientLimits.USUAL.withTimes(
                          Duration.ofSeconds(20),
                          Duration.ofSeconds(20),
                          Duration.ofMillis(50),
                          Duration.ofSeconds(20))))) {
        var request =
            client
                .request(HttpMethod.POST, server.uri("/"))
                .body(
                    "a/b",
                    out -> {
                      while (true) {
                        out.write(new byte[100_000]);
                      }
                    });
        assertThrows(SocketTimeoutException.class, request::send);
        assertEquals(0, client.connectionCount());
        gate.setSuccess("");
      }
    });
  }
}
