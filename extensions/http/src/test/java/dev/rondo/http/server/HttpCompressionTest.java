package dev.rondo.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.Http2Rig;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.TimedOutException;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.Test;

/// Responses that are compressed for clients that accept it.
final class HttpCompressionTest extends Http2Rig {

  private static final String TEXT = "a text that repeats itself; ".repeat(100);
  private static final String PLAIN = "text/plain";
  private static final String NONE = "";

  private static HttpServerBuilder usual(HttpServerBuilder routes) {
    return routes.compression(HttpCompression.USUAL);
  }

  private static String get(String path, String accepted) {
    String accept = accepted.equals(NONE) ? "" : "Accept-Encoding: " + accepted + "\r\n";
    return "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + accept + "\r\n";
  }

  /// The value of a header of a response, empty for none.
  static String header(String response, String name) {
    for (String each : response.substring(0, response.indexOf("\r\n\r\n")).split("\r\n", -1)) {
      if (each.startsWith(name + ": ")) {
        return each.substring(name.length() + 2);
      }
    }
    return "";
  }

  /// The content of a response.
  private static String content(String response) throws IOException {
    byte[] bytes = Gzip.latin(bodyOf(response));
    return switch (header(response, "content-encoding")) {
      case "gzip" -> text(new GZIPInputStream(new ByteArrayInputStream(bytes)));
      case "deflate" -> text(new InflaterInputStream(new ByteArrayInputStream(bytes)));
      default -> new String(bytes, StandardCharsets.UTF_8);
    };
  }

  private static String text(InputStream in) throws IOException {
    try (in) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String bodyOf(String response) {
    String body = body(response);
    return header(response, "transfer-encoding").isEmpty() ? body : Gzip.dechunked(body);
  }

  // Which ones.

  @Test
  void accepted_anyKind_isSent() {
    run(() -> {
      try (HttpServer server =
          serve(routes -> usual(routes).get("/", exchange -> exchange.respondText(TEXT)))) {
        for (var each :
            List.of(
                List.of("gzip", "gzip"),
                List.of("deflate", "deflate"),
                List.of("br, GZIP", "gzip"),
                List.of("x-gzip", "gzip"),
                List.of("gzip, deflate, br, zstd", "gzip"),
                List.of("gzip;q=0.5, deflate", "deflate"),
                List.of("gzip; Q=0.2,deflate ;q=0.1", "gzip"),
                List.of("*", "gzip"),
                List.of("*, gzip;q=0", "deflate"),
                List.of("identity;q=0.5, gzip;q=0.5", "gzip"),
                List.of("identity, gzip;q=0.5", NONE),
                List.of("*;q=0", NONE),
                List.of("gzip;q=0", NONE),
                List.of("gzip;q=0.000", NONE),
                List.of("gzip;q=none", NONE),
                List.of("gzip;q=NaN", NONE),
                List.of("gzip;q=2", NONE),
                List.of("gzipp", NONE),
                List.of("br", NONE),
                List.of(",;,", NONE),
                List.of(NONE, NONE))) {
          String response = exchange(server, get("/", each.getFirst()));
          assertEquals(each.getLast(), header(response, "content-encoding"), each::toString);
          assertEquals(TEXT, content(response));
          assertEquals("accept-encoding", header(response, "vary"), each::toString);
          assertEquals(
              "" + bodyOf(response).length(), header(response, "content-length"), each::toString);
        }
      }
    });
  }

  @Test
  void acceptEncoding_inSeveralHeaders_isOneList() {
    run(() -> {
      try (HttpServer server =
          serve(routes -> usual(routes).get("/", exchange -> exchange.respondText(TEXT)))) {
        String response = exchange(server, get("/", "br\r\nAccept-Encoding: deflate"));
        assertEquals("deflate", header(response, "content-encoding"));
      }
    });
  }

  @Test
  void responses_thatAreNotToBeCompressed_areSentAsTheyAre() {
    byte[] noise = new byte[10_000];
    new Random(1).nextBytes(noise);
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              usual(routes)
                  .get("/short", exchange -> exchange.respondText("short"))
                  .get("/image", page("image/png", exchange -> {}))
                  .get("/untyped", page("", exchange -> {}))
                  .get("/encoded", page(PLAIN, set(HttpHeaderNames.CONTENT_ENCODING, "br")))
                  .get(
                      "/part", page(PLAIN, set(HttpHeaderNames.CONTENT_RANGE, "bytes 0-2799/2800")))
                  .get(
                      "/as-it-is",
                      page(PLAIN, set(HttpHeaderNames.CACHE_CONTROL, "public, no-transform")))
                  .get(
                      "/noise",
                      exchange -> exchange.respond(HttpResponseStatus.OK, PLAIN, noise)))) {
        for (String path : List.of("short", "image", "untyped", "part", "as-it-is", "noise")) {
          String response = exchange(server, get("/" + path, "gzip"));
          assertEquals("", header(response, "content-encoding"), path);
          assertEquals("" + body(response).length(), header(response, "content-length"), path);
        }
        String encoded = exchange(server, get("/encoded", "gzip"));
        assertEquals("br", header(encoded, "content-encoding"));
        assertEquals(TEXT, body(encoded));
      }
    });
  }

  private static HttpHandler page(String type, Consumer<HttpExchange> prepares) {
    return exchange -> {
      prepares.accept(exchange);
      exchange.respond(HttpResponseStatus.OK, type, TEXT.getBytes(StandardCharsets.UTF_8));
    };
  }

  private static Consumer<HttpExchange> set(CharSequence name, String value) {
    return exchange -> exchange.responseHeaders().set(name, value);
  }

  @Test
  void responses_withoutABody_areNotCompressed() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              routes
                  .compression(new HttpCompression(1, 0, Set.of("text/*")))
                  .get(
                      "/{status}",
                      exchange -> {
                        exchange.responseHeaders().set(HttpHeaderNames.CONTENT_TYPE, PLAIN);
                        int code = Integer.parseInt(exchange.pathParameter("status"));
                        exchange.respond(HttpResponseStatus.valueOf(code));
                      }))) {
        for (int status : List.of(200, 204, 205, 304, 404)) {
          String response = exchange(server, get("/" + status, "gzip"));
          assertTrue(response.startsWith("HTTP/1.1 " + status), response);
          assertEquals("", header(response, "content-encoding"), response);
          assertEquals("", header(response, "transfer-encoding"), response);
          assertEquals("", body(response));
        }
      }
    });
  }

  @Test
  void compression_byDefault_isNone() {
    run(() -> {
      try (HttpServer server =
          serve(routes -> routes.get("/", exchange -> exchange.respondText(TEXT)))) {
        String response = exchange(server, get("/", "gzip"));
        assertEquals("", header(response, "content-encoding"));
        assertEquals("", header(response, "vary"));
        assertEquals(TEXT, body(response));
      }
    });
  }

  @Test
  void tagAndVary_ofTheHandler_areKept() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              usual(routes)
                  .get(
                      "/",
                      page(
                          PLAIN,
                          set(HttpHeaderNames.ETAG, "\"1\"")
                              .andThen(set(HttpHeaderNames.VARY, "Origin"))))
                  .get("/any", page(PLAIN, set(HttpHeaderNames.VARY, "*"))))) {
        String compressed = exchange(server, get("/", "gzip"));
        assertEquals("W/\"1\"", header(compressed, "etag"));
        assertTrue(
            compressed.contains("vary: Origin\r\n") && compressed.contains("vary: accept-encoding"),
            compressed);
        assertEquals("\"1\"", header(exchange(server, get("/", NONE)), "etag"));
        assertFalse(exchange(server, get("/any", "gzip")).contains("vary: accept-encoding"));
      }
    });
  }

  @Test
  void head_ofAPage_hasTheHeadersOfGet() {
    run(() -> {
      String large = TEXT.repeat(100);
      try (HttpServer server =
              serve(routes ->
                  usual(routes)
                      .get("/small", exchange -> exchange.respondText(TEXT))
                      .get("/large", exchange -> exchange.respondText(large))
                      .get(
                          "/stream",
                          exchange ->
                              exchange.stream(HttpResponseStatus.OK, PLAIN)
                                  .write(TEXT.getBytes(StandardCharsets.UTF_8))));
          NettyChannel client = client(server)) {
        for (String path : List.of("/small", "/large", "/stream")) {
          String rest = path + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";
          send(client, "HEAD " + rest);
          String head = until(client, "\r\n\r\n");
          assertEquals("", body(head));
          assertEquals("gzip", header(head, "content-encoding"));
          String get = exchange(server, get(path, "gzip"));
          for (String each : List.of("content-length", "transfer-encoding", "vary")) {
            assertEquals(header(get, each), header(head, each), path + " " + each);
          }
        }
      }
    });
  }

  // How.

  @Test
  void stream_flushed_isSeenAtOnce() throws Exception {
    for (String coding : List.of("gzip", "deflate")) {
      run(() -> {
        var gate = netty.group().next().<String>newPromise();
        try (HttpServer server =
                serve(routes ->
                    usual(routes)
                        .get(
                            "/",
                            exchange -> {
                              try (OutputStream out =
                                  exchange.stream(HttpResponseStatus.OK, PLAIN)) {
                                out.write("first".getBytes(StandardCharsets.UTF_8));
                                out.flush();
                                out.flush(); // nothing more
                                out.write(netty.await(gate).getBytes(StandardCharsets.UTF_8));
                                out.write('!');
                              }
                            }));
            NettyChannel client = client(server)) {
          send(client, get("/", coding));
          String first = until(client, "\0\0\u00ff\u00ff\r\n"); // the mark of a flush
          byte[] begun = Gzip.latin(Gzip.dechunked(body(first)));
          assertEquals("first", Gzip.prefix(begun, coding));
          gate.setSuccess(" second");
          assertEquals("first second!", content(first + rest(client)));
        }
      });
      reopen();
    }
  }

  private void reopen() {
    nothingIsLeft();
    open();
  }

  @Test
  void respond_large_isCompressedWhileOthersRun() {
    var noise = new StringBuilder();
    var random = new Random(1);
    for (int i = 0; i < 300_000; i++) {
      noise.append((char) ('a' + random.nextInt(20)));
    }
    run(() -> {
      var turns = new int[1];
      try (HttpServer server =
          serve(routes ->
              usual(routes)
                  .get(
                      "/",
                      exchange -> {
                        var others = scheduler.spawn(() -> count(turns));
                        exchange.respondText(noise.toString());
                        int most = turns[0];
                        boolean _ = others.cancel("enough");
                        assertTrue(most >= 3, "turns: " + most);
                      }))) {
        for (String coding : List.of("gzip", "deflate")) {
          String response = exchange(server, get("/", coding));
          assertEquals(coding, header(response, "content-encoding"));
          assertTrue(bodyOf(response).length() < noise.length() * 2 / 3);
          assertEquals(noise.toString(), content(response));
        }
        String old = exchange(server, get("/", "gzip").replace("HTTP/1.1", "HTTP/1.0"));
        assertEquals("", header(old, "transfer-encoding"));
        assertEquals(noise.toString(), content(old));
      }
    });
  }

  private Void count(int[] turns) {
    while (true) {
      turns[0]++;
      scheduler.yield();
    }
  }

  @Test
  void stream_handlerFails_isIncomplete() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              usual(routes)
                  .get(
                      "/",
                      exchange -> {
                        OutputStream out = exchange.stream(HttpResponseStatus.OK, PLAIN);
                        out.write(TEXT.getBytes(StandardCharsets.UTF_8));
                        out.flush();
                        throw new IllegalStateException("midway");
                      }))) {
        String response = exchange(server, get("/", "gzip"));
        assertFalse(response.endsWith("0\r\n\r\n"), response);
      }
    });
    assertEquals(1, takeFailures().size());
  }

  /// Whether it is compressed does not matter.
  @Test
  void stream_handlersOwnLimitEndsAWrite_isIncomplete() {
    run(() -> {
      var limited = new boolean[1];
      try (HttpServer server =
              serve(routes ->
                  routes.get(
                      "/",
                      exchange -> {
                        OutputStream out = exchange.stream(HttpResponseStatus.OK, PLAIN);
                        try {
                          scheduler.within(
                              Duration.ofMillis(20),
                              () -> {
                                while (true) {
                                  out.write(new byte[100_000]);
                                }
                              });
                        } catch (TimedOutException e) {
                          limited[0] = true;
                        }
                      }));
          NettyChannel client = client(server)) {
        send(client, get("/", NONE));
        await(() -> limited[0]);
        assertFalse(rest(client).endsWith("0\r\n\r\n"));
      }
    });
  }

  @Test
  void error_afterHeadersOfAPage_hasItsOwn() {
    run(() -> {
      try (HttpServer server =
          serve(routes ->
              usual(routes)
                  .get(
                      "/",
                      exchange -> {
                        exchange
                            .responseHeaders()
                            .set(HttpHeaderNames.CONTENT_ENCODING, "br")
                            .set(HttpHeaderNames.CONTENT_LENGTH, 7)
                            .set(HttpHeaderNames.ETAG, "\"1\"")
                            .set(HttpHeaderNames.CACHE_CONTROL, "max-age=3600")
                            .set(HttpHeaderNames.WWW_AUTHENTICATE, "Basic");
                        throw new HttpStatusException(HttpResponseStatus.UNAUTHORIZED, "who?");
                      }))) {
        String response = exchange(server, get("/", "gzip"));
        assertEquals("who?\n", body(response));
        assertEquals("", header(response, "content-encoding"));
        assertEquals("5", header(response, "content-length"));
        assertEquals("", header(response, "etag"));
        assertEquals("no-store", header(response, "cache-control"));
        assertEquals("Basic", header(response, "www-authenticate"));
      }
    });
  }

  @Test
  void stream_ofHttp2_isCompressed() {
    run(() -> {
      try (HttpServer server =
              serve(routes ->
                  usual(routes)
                      .get("/small", exchange -> exchange.respondText(TEXT))
                      .get("/large", exchange -> exchange.respondText(TEXT.repeat(100))));
          var client = new Http2Client(server)) {
        for (String path : List.of("/small", "/large")) {
          var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
          request.headers().set("host", "a").set("accept-encoding", "gzip");
          try (Http2Request stream = client.begun(request)) {
            String response = stream.response();
            byte[] bytes = Gzip.latin(response.substring("200 ".length()));
            assertEquals(
                path.equals("/small") ? TEXT : TEXT.repeat(100), Gzip.prefix(bytes, "gzip"));
          }
        }
      }
    });
  }

  @Test
  void arguments_wrong_areRefused() {
    assertThrows(IllegalArgumentException.class, () -> new HttpCompression(0, 0, Set.of()));
    assertThrows(IllegalArgumentException.class, () -> new HttpCompression(10, 0, Set.of()));
    assertThrows(IllegalArgumentException.class, () -> new HttpCompression(1, -1, Set.of()));
    for (String each : List.of("text", "Text/html", "text/html; charset=utf-8", "", "a/b/c")) {
      assertThrows(
          IllegalArgumentException.class, () -> new HttpCompression(1, 0, Set.of(each)), each);
    }
  }

  /// Bytes in compressed form, as they come from the wire.
  static final class Gzip {

    private Gzip() {}

    static byte[] latin(String text) {
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String dechunked(String body) {
      var whole = new StringBuilder();
      for (int at = 0; at < body.length(); ) {
        int end = body.indexOf("\r\n", at);
        int count = Integer.parseInt(body.substring(at, end), 16);
        whole.append(body, end + 2, end + 2 + count);
        at = end + 2 + count + 2;
      }
      return whole.toString();
    }

    /// What can be decompressed of the beginning of a body.
    static String prefix(byte[] bytes, String coding) throws Exception {
      boolean gzip = coding.equals("gzip");
      try (var inflater = new Inflater(gzip)) {
        int from = gzip ? 10 : 0;
        inflater.setInput(bytes, from, bytes.length - from);
        byte[] result = new byte[1 << 20];
        int count = inflater.inflate(result);
        return new String(result, 0, count, StandardCharsets.UTF_8);
      }
    }
  }
}
