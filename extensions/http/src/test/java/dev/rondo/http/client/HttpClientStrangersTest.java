package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import dev.rondo.http.HttpClientRig;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// A client of HTTP, and the JDK's server, on threads of its own.
final class HttpClientStrangersTest extends HttpClientRig {

  /// Code of a test.
  @FunctionalInterface
  private interface Code {
    void run(URI root, HttpClient client) throws Exception;
  }

  private void withJdkServer(Code code) throws IOException {
    HttpServer server = HttpServer.create(anyPort(), 0);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      server.setExecutor(threads);
      var _ =
          server.createContext(
              "/echo",
              exchange -> {
                byte[] body = exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().add("X-Method", exchange.getRequestMethod());
                boolean known = exchange.getRequestHeaders().containsKey("Content-Length");
                exchange.sendResponseHeaders(200, known && body.length > 0 ? body.length : 0);
                exchange.getResponseBody().write(body);
                exchange.close();
              });
      var _ =
          server.createContext(
              "/moved",
              exchange -> {
                exchange.getResponseHeaders().add("Location", "/echo");
                exchange.sendResponseHeaders(307, -1);
                exchange.close();
              });
      server.start();
      try {
        URI root = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        run(() -> {
          try (HttpClient client = newClient()) {
            code.run(root, client);
          }
        });
      } finally {
        server.stop(0);
      }
    }
  }

  @Test
  void bodies_ofBothKinds_comeBack() throws IOException {
    byte[] bytes = new byte[1_000_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    withJdkServer((root, client) -> {
      URI echo = root.resolve("/echo");
      for (int i = 0; i < 3; i++) {
        HttpClientResponse known = client.request(HttpMethod.PUT, echo).body("a/b", bytes).send();
        assertEquals("PUT", known.headers().get("x-method"));
        assertArrayEquals(bytes, known.bodyBytes());
        HttpClientResponse written =
            client.request(HttpMethod.POST, echo).body("a/b", out -> out.write(bytes)).send();
        assertEquals("chunked", written.headers().get("transfer-encoding"));
        assertArrayEquals(bytes, written.bodyBytes());
        assertEquals("", client.get(echo).bodyText());
      }
      assertEquals(1, client.connectionCount());
    });
  }

  @Test
  void redirect_withABody_isFollowed() throws IOException {
    withJdkServer((root, client) -> {
      HttpClientResponse response =
          client
              .request(HttpMethod.POST, root.resolve("/moved"))
              .body("a/b", "some".getBytes(StandardCharsets.UTF_8))
              .send();
      assertEquals("some", response.bodyText());
      assertEquals(root.resolve("/echo"), response.uri());
      assertEquals(404, client.get(root.resolve("/none")).status().code());
    });
  }
}
