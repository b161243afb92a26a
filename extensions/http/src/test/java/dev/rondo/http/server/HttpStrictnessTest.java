package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.http.HttpRig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Requests whose end, or whose meaning, is not certain by RFC 9112. A second request is hidden in
/// most of them: it must not be answered.
final class HttpStrictnessTest extends HttpRig {

  private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";

  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
  private static final String CLOSE = "Connection: close\r\n\r\n";

  /// A request that is not refused fails the test soon.
  private static final HttpLimits SOON =
      HttpLimits.USUAL.withTimes(
          Duration.ofSeconds(20), Duration.ofMillis(200), Duration.ofSeconds(20));

  /// @param why what is wrong
  /// @param status that is required
  /// @param request as the client sends it
  private record Case(String why, int status, String request) {}

  private static Case post(String why, int status, String headers, String body) {
    return new Case(why, status, "POST /echo HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n" + body);
  }

  private static Case head(String why, int status, String head) {
    return new Case(why, status, head + "\r\n" + SMUGGLED);
  }

  private static final List<Case> REFUSED =
      List.of(
          // the length of the body
          post(
              "both lengths",
              400,
              "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
              "0\r\n\r\n" + SMUGGLED),
          post(
              "both lengths, the other way round",
              400,
              "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
              "0\r\n\r\n" + SMUGGLED),
          post(
              "two different lengths",
              400,
              "Content-Length: 0\r\nContent-Length: 36\r\n",
              SMUGGLED),
          post(
              "the same length twice", 400, "Content-Length: 0\r\nContent-Length: 0\r\n", SMUGGLED),
          post("a list of lengths", 400, "Content-Length: 0, 0\r\n", SMUGGLED),
          post("a length with a sign", 400, "Content-Length: +0\r\n", SMUGGLED),
          post("a negative length", 400, "Content-Length: -1\r\n", SMUGGLED),
          post("a hexadecimal length", 400, "Content-Length: 0x0\r\n", SMUGGLED),
          post("a length with a fraction", 400, "Content-Length: 0.0\r\n", SMUGGLED),
          post("an empty length", 400, "Content-Length: \r\n", SMUGGLED),
          post("a length with a space", 400, "Content-Length: 0 0\r\n", SMUGGLED),
          post(
              "a length that overflows", 400, "Content-Length: 18446744073709551616\r\n", SMUGGLED),
          post("a blank before the colon", 400, "Content-Length : 0\r\n", SMUGGLED),
          post(
              "a blank before the colon of the coding",
              400,
              "Transfer-Encoding : chunked\r\n",
              "0\r\n\r\n" + SMUGGLED),
          // the coding of the body
          post("an unknown coding", 501, "Transfer-Encoding: xchunked\r\n", SMUGGLED),
          post("no coding", 501, "Transfer-Encoding: identity\r\n", SMUGGLED),
          post(
              "a coding after chunked",
              400,
              "Transfer-Encoding: chunked, identity\r\n",
              "0\r\n\r\n" + SMUGGLED),
          post(
              "a coding before chunked",
              501,
              "Transfer-Encoding: gzip, chunked\r\n",
              "0\r\n\r\n" + SMUGGLED),
          post(
              "chunked twice",
              501,
              "Transfer-Encoding: chunked, chunked\r\n",
              "0\r\n\r\n" + SMUGGLED),
          post(
              "two headers of codings",
              400,
              "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
              "0\r\n\r\n" + SMUGGLED),
          post(
              "a quoted coding", 501, "Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n" + SMUGGLED),
          post(
              "a coding with a control character",
              400,
              "Transfer-Encoding: \u000bchunked\r\n",
              "0\r\n\r\n" + SMUGGLED),
          head(
              "a coding in HTTP/1.0",
              400,
              "POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"),
          // chunks
          post("a chunk size of letters", 400, CHUNKED, "x\r\n" + SMUGGLED),
          post("a negative chunk size", 400, CHUNKED, "-1\r\n" + SMUGGLED),
          post("a prefixed chunk size", 400, CHUNKED, "0x0\r\n\r\n" + SMUGGLED),
          post("a chunk size that overflows", 400, CHUNKED, "100000000\r\n" + SMUGGLED),
          post("an empty chunk size", 400, CHUNKED, "\r\n\r\n" + SMUGGLED),
          post("a chunk longer than its size", 400, CHUNKED, "1\r\nab\r\n0\r\n\r\n" + SMUGGLED),
          post("a chunk without CR", 400, CHUNKED, "1\na\n0\n\n" + SMUGGLED),
          post(
              "an extension with a line feed", 400, CHUNKED, "1;a\nb\r\na\r\n0\r\n\r\n" + SMUGGLED),
          post("a chunk size with a blank", 400, CHUNKED, "0 \r\n\r\n" + SMUGGLED),
          post("a chunk size after a blank", 400, CHUNKED, " 0\r\n\r\n" + SMUGGLED),
          post("a chunk size with a tab", 400, CHUNKED, "1\t\r\nx\r\n0\r\n\r\n" + SMUGGLED),
          post("a chunk size with a zero", 400, CHUNKED, "1\0\r\nx\r\n0\r\n\r\n" + SMUGGLED),
          post("a chunk size after a zero", 400, CHUNKED, "\0001\r\nx\r\n0\r\n\r\n" + SMUGGLED),
          post("a second size with a blank", 400, CHUNKED, "1\r\nx\r\n0 \r\n\r\n" + SMUGGLED),
          post("a blank before an extension", 400, CHUNKED, "0 ;a=b\r\n\r\n" + SMUGGLED),
          post(
              "extensions without an end",
              400,
              CHUNKED,
              ("1;" + "a".repeat(1_000) + "\r\nx\r\n").repeat(9) + "0\r\n\r\n" + SMUGGLED),
          // the request line
          head("a tab before the target", 400, "GET\t/ HTTP/1.1\r\nHost: a\r\n"),
          head("a tab after the target", 400, "GET /\tHTTP/1.1\r\nHost: a\r\n"),
          head("two blanks before the target", 400, "GET  / HTTP/1.1\r\nHost: a\r\n"),
          head("two blanks after the target", 400, "GET /  HTTP/1.1\r\nHost: a\r\n"),
          head("a blank before the method", 400, " GET / HTTP/1.1\r\nHost: a\r\n"),
          head("a tab before the method", 400, "\tGET / HTTP/1.1\r\nHost: a\r\n"),
          head("a zero before the method", 400, "\0GET / HTTP/1.1\r\nHost: a\r\n"),
          head("a target with a user", 400, "GET http://a@b/ HTTP/1.1\r\nHost: a\r\n"),
          head("a target with a port", 400, "GET http://a:99999/ HTTP/1.1\r\nHost: a\r\n"),
          head("a whole URI without a host", 400, "GET http:///?b HTTP/1.1\r\nHost: a\r\n"),
          head("a whole URI with only a port", 400, "GET http://:80/ HTTP/1.1\r\nHost: a\r\n"),
          head("a tunnel", 501, "CONNECT b:443 HTTP/1.1\r\nHost: b:443\r\n"),
          head("no version", 400, "GET /smuggled\r\n"),
          head("an unknown version", 505, "GET / HTTP/1.2\r\nHost: a\r\n"),
          head("version 2 as text", 505, "GET / HTTP/2.0\r\nHost: a\r\n"),
          head("a version in small letters", 400, "GET / http/1.1\r\nHost: a\r\n"),
          head("a malformed version", 400, "GET / HTP/1.1\r\nHost: a\r\n"),
          head("a space at the end of the line", 400, "GET / HTTP/1.1 \r\nHost: a\r\n"),
          head("a space in the target", 400, "GET /a b HTTP/1.1\r\nHost: a\r\n"),
          head("a method with a brace", 400, "GE{T / HTTP/1.1\r\nHost: a\r\n"),
          head("a target without a path", 400, "GET a HTTP/1.1\r\nHost: a\r\n"),
          head("a fragment", 400, "GET /#a HTTP/1.1\r\nHost: a\r\n"),
          head("a target beyond ASCII", 400, "GET /\u00e4 HTTP/1.1\r\nHost: a\r\n"),
          head("an asterisk without OPTIONS", 400, "GET * HTTP/1.1\r\nHost: a\r\n"),
          // headers
          head("no host", 400, "GET / HTTP/1.1\r\n"),
          head("two hosts", 400, "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n"),
          head("a list of hosts", 400, "GET / HTTP/1.1\r\nHost: a, b\r\n"),
          head("a host with a user", 400, "GET / HTTP/1.1\r\nHost: a@b\r\n"),
          head("a host with a port of five nines", 400, "GET / HTTP/1.1\r\nHost: a:99999\r\n"),
          head("a host with a port of letters", 400, "GET / HTTP/1.1\r\nHost: a:b\r\n"),
          head("a host with two ports", 400, "GET / HTTP/1.1\r\nHost: a:1:2\r\n"),
          head("an address with a long port", 400, "GET / HTTP/1.1\r\nHost: [::1]:70000\r\n"),
          head("a host with a bracket", 400, "GET / HTTP/1.1\r\nHost: a]b:80\r\n"),
          head("a name before an address", 400, "GET / HTTP/1.1\r\nHost: a[::1]:80\r\n"),
          head("a name behind an address", 400, "GET / HTTP/1.1\r\nHost: [::1]a:80\r\n"),
          head("an address without an end", 400, "GET / HTTP/1.1\r\nHost: [a\r\n"),
          head("a header without a colon", 400, "GET / HTTP/1.1\r\nHost: a\r\nAbc\r\n"),
          head("a header without a name", 400, "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n"),
          head("a name with a space", 400, "GET / HTTP/1.1\r\nHost: a\r\nA b: c\r\n"),
          head("a name with a control", 400, "GET / HTTP/1.1\r\nHost: a\r\nA\u0001: c\r\n"),
          head("a value with a zero", 400, "GET / HTTP/1.1\r\nHost: a\r\nA: b\u0000c\r\n"),
          head("a value with a carriage return", 400, "GET / HTTP/1.1\r\nHost: a\r\nA: b\rc\r\n"),
          head("lines without CR", 400, "GET / HTTP/1.1\nHost: a\n"),
          head("a header without CR", 400, "GET / HTTP/1.1\r\nHost: a\nA: b\r\n"),
          head("an unknown expectation", 417, "GET / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n"),
          head("a malformed path", 400, "GET /%zz/a HTTP/1.1\r\nHost: a\r\n"));

  @Test
  void requests_thatAreNotCertain_areRefusedAndNothingAfterThemIsAnswered() {
    run(() -> {
      var wrong = new ArrayList<String>();
      var smuggled = new int[1];
      try (HttpServer server =
          serve(routes ->
              routes
                  .limits(SOON)
                  .get("/", exchange -> exchange.respondText("root"))
                  .get("/{any}/a", exchange -> exchange.respondText("any"))
                  .post("/echo", exchange -> exchange.respondText(exchange.bodyText()))
                  .get(
                      "/smuggled",
                      exchange -> {
                        smuggled[0]++;
                        exchange.respondText("smuggled");
                      }))) {
        for (Case each : REFUSED) {
          String response = exchange(server, each.request());
          boolean refused =
              response.startsWith("HTTP/1.1 " + each.status() + " ")
                  && response.indexOf("HTTP/1.1", 1) < 0
                  && response.contains("connection: close");
          if (!refused || smuggled[0] > 0) {
            wrong.add(
                each.why() + ": " + smuggled[0] + ", " + response.lines().findFirst().orElse(""));
            smuggled[0] = 0;
          }
        }
      }
      assertEquals(List.of(), wrong);
    });
  }

  @Test
  void requests_thatAreUnusual_areAnswered() {
    List<Case> answered =
        List.of(
            new Case("an empty line before", 200, "\r\nGET / HTTP/1.1\r\nHost: a\r\n" + CLOSE),
            new Case("line ends before", 200, "\r\n\n\r\r\nGET / HTTP/1.1\r\nHost: a\r\n" + CLOSE),
            new Case("an empty host", 200, "GET / HTTP/1.1\r\nHost:\r\n" + CLOSE),
            new Case("the largest port", 200, "GET / HTTP/1.1\r\nHost: a:65535\r\n" + CLOSE),
            new Case("an empty port", 200, "GET / HTTP/1.1\r\nHost: a:\r\n" + CLOSE),
            new Case("an address", 200, "GET / HTTP/1.1\r\nHost: [::1]:80\r\n" + CLOSE),
            new Case("an address without a port", 200, "GET / HTTP/1.1\r\nHost: [::1]\r\n" + CLOSE),
            new Case("a whole URI", 200, "GET http://b:80/?c HTTP/1.1\r\nHost: a\r\n" + CLOSE),
            new Case("HTTP/1.0 without a host", 200, "GET / HTTP/1.0\r\n\r\n"),
            post(
                "the coding in capitals",
                200,
                "Transfer-Encoding: CHUNKED\r\nConnection: close\r\n",
                "0\r\n\r\n"),
            post(
                "an extension and a trailer",
                200,
                CHUNKED + "Connection: close\r\n",
                "1;a=b\r\nx\r\n0\r\nA: b\r\n\r\n"),
            post(
                "many chunks, and zeros before a size",
                200,
                CHUNKED + "Connection: close\r\n",
                "0001\r\nx\r\nA;b\r\n0123456789\r\n".repeat(50) + "000\r\n\r\n"));
    run(() -> {
      var wrong = new ArrayList<String>();
      try (HttpServer server =
          serve(routes ->
              routes
                  .get("/", exchange -> exchange.respondText("root"))
                  .post("/echo", exchange -> exchange.respondText(exchange.bodyText())))) {
        for (Case each : answered) {
          String response = exchange(server, each.request());
          if (!response.startsWith("HTTP/1.1 " + each.status() + " ")) {
            wrong.add(each.why() + ": " + response);
          }
        }
      }
      assertEquals(List.of(), wrong);
    });
  }
}
