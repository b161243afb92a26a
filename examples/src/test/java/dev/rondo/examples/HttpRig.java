package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.testing.EveryBackend;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.Parameter;

/// Runs an HTTP server and its clients in one application, in virtual time.
@EveryBackend
abstract class HttpRig {

  static final int BODY_BYTES = 1000;
  static final TinyHttpLimits LIMITS =
      new TinyHttpLimits(
          3,
          200,
          10,
          BODY_BYTES,
          2 * BODY_BYTES,
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(40));
  static final Duration STEP = Duration.ofMillis(10);
  static final int LONGEST_LINE_BYTES = 1000;
  static final String GET = "GET / HTTP/1.1\r\nHost: here\r\n\r\n";
  static final String BODY_OF_GET = "Hello from a task\n";

  @Parameter(0)
  CoroutineBackend backend;

  final VirtualClock clock = new VirtualClock();
  final List<String> reported = new ArrayList<>();
  Application app;
  TcpListener listener;
  private boolean done;

  interface Client {
    void use() throws Exception;
  }

  /// Runs a client against a server, shuts both down, and requires that nothing is left.
  final void serve(Client client) {
    serve(LIMITS, client);
  }

  final void serve(TinyHttpLimits limits, Client client) {
    var builder =
        Application.builder()
            .backend(backend)
            .clock(clock)
            .bare()
            .failureHandler((where, failure) -> reported.add(where + ": " + failure));
    builder.run(app -> {
      this.app = app;
      listener = app.listen(0);
      Map<String, TinyHttpServer.Handler> handlers = new HashMap<>(TinyHttpServer.handlers(app));
      handlers.put(
          "/broken",
          (request, body) -> {
            throw new IllegalStateException("on purpose");
          });
      var server = new TinyHttpServer(app, listener, limits, handlers);
      app.spawn("server", server::serve);
      try {
        client.use();
      } finally {
        done = true;
      }
      app.shutdown(Duration.ofMinutes(10), Duration.ofMinutes(10));
    });
    assertEquals(0, listener.connections());
    assertFalse(listener.isOpen());
  }

  /// Advances virtual time in small steps, with rounds between them in which sockets are polled. A
  /// clock that jumps by itself would not know of bytes on their way through the system.
  final void letTimePass() {
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

  final void assertElapsed(Duration least) {
    Duration elapsed = clock.elapsed();
    assertTrue(
        elapsed.compareTo(least) >= 0 && elapsed.compareTo(least.plus(STEP.multipliedBy(20))) < 0,
        () -> least + " should have gone by, but " + elapsed + " have");
  }

  final TcpSocket connect() throws IOException {
    return app.connect("127.0.0.1", listener.port());
  }

  final HttpResponse<String> ask(HttpClient client, String path, BodyPublisher body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + path))
            .POST(body)
            .build();
    return app.await(
        app.scheduler().completion(client.sendAsync(request, BodyHandlers.ofString())));
  }

  /// Reads one response of known length.
  record Response(String status, Map<String, String> headers, String body) {

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

  static String restOf(TcpSocket socket) throws IOException {
    return new String(socket.input().readAllBytes(), StandardCharsets.UTF_8);
  }

  /// {@return the response to a request after which the server closes the connection}
  final Response refusal(String request) throws IOException {
    try (TcpSocket socket = connect()) {
      socket.write(request);
      Response response = Response.readFrom(socket);
      assertEquals("close", response.headers.get("Connection"), response::toString);
      assertEquals("", restOf(socket));
      return response;
    }
  }
}
