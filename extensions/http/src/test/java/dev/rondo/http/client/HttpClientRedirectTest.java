package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpServerBuilder;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Which redirects a client follows, and with what.
final class HttpClientRedirectTest extends HttpClientRig {

  private static final List<HttpMethod> METHODS =
      List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST, HttpMethod.PUT);

  private static void to(HttpExchange exchange, int status, String location) throws IOException {
    exchange.responseHeaders().set("location", location);
    exchange.respond(
        HttpResponseStatus.valueOf(status),
        "text/plain",
        "elsewhere".getBytes(StandardCharsets.UTF_8));
  }

  /// `/to/{status}` redirects to `/end`, which says what it has received.
  private static void routes(HttpServerBuilder routes) {
    for (HttpMethod each : METHODS) {
      if (!each.equals(HttpMethod.HEAD)) {
        routes
            .route(
                each,
                "/to/{status}",
                exchange ->
                    to(exchange, Integer.parseInt(exchange.pathParameter("status")), "../end?a=b"))
            .route(each, "/end", HttpClientRedirectTest::tell);
      }
    }
  }

  private static void tell(HttpExchange exchange) throws IOException {
    String body = exchange.bodyText();
    exchange.responseHeaders().set("x-method", exchange.method().name());
    exchange.respondText(
        "%s %s %s %s %s"
            .formatted(
                exchange.method(),
                body,
                exchange.headers().get("content-type"),
                exchange.headers().get("authorization"),
                exchange.headers().get("x-other")));
  }

  private static HttpClientResponse send(HttpClient client, HttpMethod method, URI uri)
      throws IOException {
    var request = client.request(method, uri).header("authorization", "me").header("x-other", "o");
    if (method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT)) {
      request.body("a/b", "some".getBytes(StandardCharsets.UTF_8));
    }
    return request.send();
  }

  private static HttpClientLimits redirects(int most) {
    HttpClientLimits usual = HttpClientLimits.USUAL;
    return new HttpClientLimits(
        usual.connections(),
        usual.connectionsPerOrigin(),
        usual.statusLineBytes(),
        usual.headerBytes(),
        usual.bodyBytes(),
        most,
        usual.connect(),
        usual.response(),
        usual.progress(),
        usual.idle());
  }

  @Test
  void redirect_ofEachStatus_keepsOrChangesTheMethod() {
    String get = "GET  null me o";
    String post = "POST some a/b me o";
    String put = "PUT some a/b me o";
    var expected =
        Map.of(
            301, List.of(get, "", get, put),
            302, List.of(get, "", get, put),
            303, List.of(get, "", get, get),
            307, List.of(get, "", post, put),
            308, List.of(get, "", post, put));
    run(() -> {
      try (HttpServer server = serve(HttpClientRedirectTest::routes);
          HttpClient client = newClient()) {
        for (int status : expected.keySet()) {
          for (int i = 0; i < METHODS.size(); i++) {
            HttpMethod method = METHODS.get(i);
            var response = send(client, method, uri(server, "/to/" + status));
            String what = method + " " + status;
            assertEquals(uri(server, "/end?a=b"), response.uri(), what);
            if (method.equals(HttpMethod.HEAD)) {
              assertEquals("HEAD", response.headers().get("x-method"), what);
            }
            assertEquals(expected.get(status).get(i), response.bodyText(), what);
          }
        }
        assertEquals(1, server.connectionCount());
      }
    });
  }

  @Test
  void redirect_toAnotherOrigin_dropsWhatIsSecret() {
    run(() -> {
      var heads = new ArrayList<String>();
      try (RawServer other =
              new RawServer(connection -> {
                heads.add(head(connection));
                send(connection, "HTTP/1.1 204 No\r\n\r\n");
              });
          HttpServer server =
              serve(routes ->
                  routes.get("/", exchange -> to(exchange, 302, other.uri("/x").toString())));
          HttpClient client = newClient()) {
        var response =
            client
                .request(HttpMethod.GET, uri(server, "/"))
                .header("Authorization", "secret")
                .header("Cookie", "secret")
                .header("Proxy-Authorization", "secret")
                .header("Host", "a")
                .header("X-Other", "kept")
                .send();
        assertEquals(204, response.status().code());
        String head = heads.getFirst();
        assertTrue(!head.contains("secret") && head.contains("kept"), head);
        assertTrue(head.contains("host: " + other.uri("").getAuthority()), head);
      }
    });
  }

  /// Long enough for another connection and its request.
  private void takeLong() {
    for (int i = 0; i < 10_000; i++) {
      scheduler.yield();
    }
  }

  /// A server may redirect before it has the body.
  @Test
  void redirect_ofABodyThatCodeMayWriteAgain_isFollowedWhenTheCodeHasEnded() {
    run(() -> {
      var seen = new ArrayList<String>();
      String answer = "HTTP/1.1 307 No\r\nLocation: /end\r\nContent-Length: 0\r\n\r\n";
      try (RawServer from =
              new RawServer(connection -> {
                head(connection);
                send(connection, answer.replace("/end", seen.removeFirst()));
                assertTrue(isGone(connection));
              });
          HttpServer to =
              serve(routes ->
                  routes.post("/end", exchange -> exchange.respondText(exchange.bodyText())));
          HttpClient client = newClient()) {
        seen.add(uri(to, "/end").toString());
        HttpClientResponse response =
            client
                .request(HttpMethod.POST, from.uri("/"))
                .body(
                    "a/b",
                    out -> {
                      boolean first = !seen.contains("begun");
                      seen.add("begun");
                      try {
                        out.write('x');
                        if (first) {
                          scheduler.suspend();
                        }
                      } finally {
                        scheduler.shielded(this::takeLong);
                        seen.add("ended");
                      }
                    })
                .repeatableBody()
                .send();
        assertEquals("x", response.bodyText());
        assertEquals(List.of("begun", "ended", "begun", "ended"), seen);
      }
    });
  }

  @Test
  void redirect_notToBeFollowed_isReturned() {
    run(() -> {
      try (HttpServer server =
              serve(routes -> {
                routes(routes);
                routes
                    .get("/none", exchange -> exchange.respond(HttpResponseStatus.FOUND))
                    .get("/choice", exchange -> to(exchange, 300, "/end"));
              });
          HttpClient client = newClient();
          HttpClient never = newClient(builder -> builder.redirects(HttpRedirects.NEVER))) {
        assertEquals(302, client.get(uri(server, "/none")).status().code());
        assertEquals(300, client.get(uri(server, "/choice")).status().code());
        HttpClientResponse response = never.get(uri(server, "/to/302"));
        assertEquals("../end?a=b", response.headers().get("location"));
        assertEquals("elsewhere", response.bodyText());
        var written =
            client
                .request(HttpMethod.POST, uri(server, "/to/307"))
                .body("a/b", out -> out.write(1))
                .send();
        assertEquals(307, written.status().code(), "its body cannot be written again");
        written.close();
        var forgotten =
            client
                .request(HttpMethod.POST, uri(server, "/to/303"))
                .body("a/b", out -> out.write(1))
                .send();
        assertEquals("GET  null null null", forgotten.bodyText());
      }
    });
  }

  @Test
  void redirect_tooOftenOrToNowhere_fails() {
    run(() -> {
      var asked = new int[1];
      try (HttpServer server =
              serve(routes ->
                  routes
                      .get(
                          "/loop",
                          exchange -> {
                            asked[0]++;
                            to(exchange, 302, "loop");
                          })
                      .get("/ftp", exchange -> to(exchange, 302, "ftp://a/b"))
                      .get("/bad", exchange -> to(exchange, 302, "http://a b/"))
                      .get("/user", exchange -> to(exchange, 302, "http://u:p@a/")));
          HttpClient client = newClient(builder -> builder.limits(redirects(3)))) {
        assertThrows(ProtocolException.class, () -> client.get(uri(server, "/loop")));
        assertEquals(4, asked[0]);
        for (String each : List.of("/ftp", "/bad", "/user")) {
          assertThrows(ProtocolException.class, () -> client.get(uri(server, each)), each);
        }
        assertEquals(404, client.get(uri(server, "/x")).status().code());
      }
    });
  }

  @Test
  void location_ofEachForm_isResolved() {
    run(() -> {
      var targets = new ArrayList<String>();
      var locations =
          List.of(
              "?c=d", "e", "/f", "//%s/g", "http://%s", "../../h", "i j?k l|m", "/\u00c3\u00a4");
      var next = new int[1];
      try (RawServer server =
              new RawServer(connection -> {
                while (true) {
                  String head = head(connection);
                  String target = head.split(" ", 3)[1];
                  String authority = connection.channel().localAddress().toString().substring(1);
                  if (target.equals("/a/b?x=y") || (target.equals("/") && next[0] == 8)) {
                    String location = locations.get(next[0]++ % 8).formatted(authority);
                    send(
                        connection,
                        "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: "
                            + location
                            + "\r\n\r\n");
                  } else {
                    targets.add(target);
                    send(connection, "HTTP/1.1 204 No\r\n\r\n");
                  }
                }
              });
          HttpClient client = newClient()) {
        for (int i = 0; i < locations.size(); i++) {
          client.get(server.uri("/a/b?x=y")).close();
        }
        client.get(server.uri("")).close();
        assertEquals(
            List.of(
                "/a/b?c=d",
                "/a/e",
                "/f",
                "/g",
                "/",
                "/h",
                "/a/i%20j?k%20l%7Cm",
                "/%C3%A4",
                "/?c=d"),
            targets);
      }
    });
  }
}
