package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientRequest;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.websocket.WebSocketSettings;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a program has from others, and passes on in a head, cannot become a header or a message of
/// its own.
final class HttpSentHeadTest extends HttpClientRig {

  private static final String SMUGGLING =
      "text/plain\r\nContent-Length: 0\r\n\r\nGET /admin HTTP/1.1\r\nHost: a\r\nX: y";

  private static final List<String> NOT_ALLOWED =
      List.of(SMUGGLING, "a\nb", "a\rb", "a\0b", "a\u001bb", "a\u007fb");

  /// Sets something in a request and sends it.
  @FunctionalInterface
  private interface Sending {
    void send(HttpClientRequest request, String text) throws IOException;
  }

  private static final List<Sending> WAYS =
      List.of(
          (request, text) -> request.header("X", text).send().close(),
          (request, text) -> request.header(text, "x").send().close(),
          (request, text) -> request.body(text, new byte[8]).send().close(),
          (request, text) -> request.body(text, out -> out.write(0)).send().close(),
          (request, text) -> request.body(text, 1, out -> out.write(0)).send().close());

  private static HttpHeaders unchecked(String name, String value) {
    return DefaultHttpHeadersFactory.headersFactory()
        .withValidation(false)
        .newHeaders()
        .set(name, value);
  }

  @Test
  void request_withControlCharactersInTheHead_isRefusedBeforeItIsSent() {
    run(() -> {
      var seen = new ArrayList<String>();
      try (RawServer server =
              new RawServer(connection -> {
                seen.add(head(connection));
                send(connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
              });
          HttpClient client = newClient()) {
        for (Sending way : WAYS) {
          for (String text : NOT_ALLOWED) {
            HttpClientRequest request = client.request(HttpMethod.POST, server.uri("/upload"));
            assertThrows(IllegalArgumentException.class, () -> way.send(request, text));
          }
        }
        assertEquals(List.of(), seen);
      }
    });
  }

  @Test
  void request_ofHttp2WithControlCharactersInTheHead_isRefusedBeforeItIsSent() {
    run(() -> {
      try (HttpServer server =
              serve(
                  routes -> routes.post("/", exchange -> exchange.respond(HttpResponseStatus.OK)));
          HttpClient client = newClient(builder -> builder.http2PriorKnowledge())) {
        client
            .request(HttpMethod.POST, uri(server, "/"))
            .body(
                "text/plain; charset=utf-8", "x".getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .send()
            .close();
        for (Sending way : WAYS) {
          HttpClientRequest request = client.request(HttpMethod.POST, uri(server, "/"));
          assertThrows(IllegalArgumentException.class, () -> way.send(request, SMUGGLING));
        }
        assertEquals(1, server.requestCount());
      }
    });
  }

  @Test
  void contentType_notAllowed_isRefusedWhereItIsSet() {
    run(() -> {
      try (HttpClient client = newClient()) {
        HttpClientRequest request =
            client.request(HttpMethod.POST, java.net.URI.create("http://127.0.0.1:1/"));
        var refused =
            assertThrows(IllegalArgumentException.class, () -> request.body("a\r\nb", new byte[0]));
        assertEquals(
            "contentType='a\\r\\nb'; required: no control characters", refused.getMessage());
      }
    });
  }

  @Test
  void subprotocol_thatIsNoToken_isRefused() {
    for (String each : List.of("chat\r\nX-Evil: 1", "a b", "a,b", "", "a\u00e4")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> new WebSocketSettings(1, Duration.ofSeconds(1), List.of("chat", each)));
    }
  }

  @Test
  void response_withControlCharactersInTheHead_isNotSent() {
    run(() -> {
      var refused = new ArrayList<Throwable>();
      try (HttpServer server =
          serve(routes ->
              routes.get(
                  "/{way}",
                  exchange -> {
                    var thrown =
                        assertThrows(
                            IllegalArgumentException.class,
                            () -> {
                              switch (exchange.pathParameter("way")) {
                                case "type" ->
                                    exchange.respond(HttpResponseStatus.OK, SMUGGLING, new byte[1]);
                                case "stream" -> exchange.stream(HttpResponseStatus.OK, SMUGGLING);
                                case "header" -> exchange.responseHeaders().set("X", SMUGGLING);
                                default -> {
                                  exchange.responseHeaders().setAll(unchecked("X", SMUGGLING));
                                  exchange.respondText("x");
                                }
                              }
                            });
                    refused.add(thrown);
                    exchange.responseHeaders().clear();
                    exchange.respondText("refused");
                  }))) {
        for (String way : List.of("type", "stream", "header", "headers")) {
          String response =
              exchange(server, "GET /" + way + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
          assertTrue(response.endsWith("refused"), response);
        }
        assertEquals(4, refused.size());
      }
    });
  }
}
