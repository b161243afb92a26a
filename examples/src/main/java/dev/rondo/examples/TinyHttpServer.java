package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.condition.sync.SemaphorePermit;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.time.Timer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.io.IOCallback;
import org.jspecify.annotations.Nullable;

/// An HTTP/1.1 server by hand. One task accepts, and each connection has a task, see
/// [TinyHttpConnection]. [TinyHttpReader] checks the requests. Apache HttpCore parses their heads
/// and writes the responses. It was made for blocking streams, and works unchanged with streams
/// that suspend.
///
/// Try `curl -i localhost:8080/ticks`, and press Ctrl-C while it runs: the response is completed
/// before the server ends. `-Dport=0` takes any free port, `-Dseconds=5` ends the server sooner.
final class TinyHttpServer {

  /// Answers requests.
  @FunctionalInterface
  interface Handler {

    /// Answers a request. May suspend, as may the code that writes the response's entity.
    ClassicHttpResponse answer(ClassicHttpRequest request, byte[] body) throws Exception;
  }

  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final Application app;
  private final TcpListener listener;
  private final TinyHttpLimits limits;
  private final Map<String, Handler> handlers;

  /// A permit for each byte of request bodies in memory.
  private final Semaphore memory;

  private boolean draining;
  private int connections;
  private long requests;

  TinyHttpServer(
      Application app, TcpListener listener, TinyHttpLimits limits, Map<String, Handler> handlers) {
    this.app = app;
    this.listener = listener;
    this.limits = limits;
    this.handlers = handlers;
    this.memory = new Semaphore(app.scheduler(), "memory for bodies", limits.allBodyBytes());
    listener.maxConnections(limits.connections());
  }

  static void main() {
    Application.builder().shutdownLimits(DRAIN, Duration.ofSeconds(10)).run(TinyHttpServer::run);
  }

  private static void run(Application app) throws IOException {
    TcpListener listener = app.listen(Integer.getInteger("port", 8080));
    IO.println("HTTP on port " + listener.port());
    Timer end =
        app.delay(
            Duration.ofSeconds(Integer.getInteger("seconds", 60)),
            () -> app.shutdown(DRAIN, DRAIN));
    var server = new TinyHttpServer(app, listener, TinyHttpLimits.USUAL, handlers(app));
    server.serve();
    end.cancel();
    System.out.printf(
        "%d connections served, %,d requests answered%n", server.connections, server.requests);
  }

  /// {@return the handlers of this server, by path}
  static Map<String, Handler> handlers(Application app) {
    return Map.of(
        "/", (request, body) -> ok(new StringEntity("Hello from a task\n")),
        "/echo", (request, body) -> ok(new ByteArrayEntity(body, ContentType.TEXT_PLAIN)),
        "/ticks", (request, body) -> ok(text(out -> tick(app, out))));
  }

  static ClassicHttpResponse ok(HttpEntity entity) {
    var response = new BasicClassicHttpResponse(HttpStatus.SC_OK);
    response.setEntity(entity);
    return response;
  }

  /// {@return an entity of unknown length, which is sent in chunks}
  private static HttpEntity text(IOCallback<OutputStream> writer) {
    return new EntityTemplate(ContentType.TEXT_PLAIN, writer);
  }

  private static void tick(Application app, OutputStream out) throws IOException {
    for (int i = 1; i <= 5; i++) {
      out.write(("tick " + i + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      app.sleep(Duration.ofMillis(200)); // suspends this connection only
    }
  }

  /// Accepts connections until the application shuts down, then waits until all open connections
  /// have their responses. Suspends its task.
  void serve() throws IOException {
    try (listener) {
      while (true) {
        var first = app.<@Nullable Object>select(listener.accepting(), app.shutdownRequested());
        if (!(first.value() instanceof TcpSocket socket)) {
          break;
        }
        connections++;
        app.spawn(
            "http " + socket.remoteAddress(),
            () -> new TinyHttpConnection(app, this, socket).converse());
      }
    }
    draining = true;
    app.waitFor(() -> listener.connections() == 0);
  }

  /// Answers a request by its handler. A failure of the handler is reported, without details for
  /// the client.
  ClassicHttpResponse answer(ClassicHttpRequest request, byte[] body) {
    requests++;
    String path = request.getPath().replaceFirst("\\?.*", "");
    Handler handler = handlers.get(path);
    if (handler == null) {
      return message(HttpStatus.SC_NOT_FOUND, "not found: " + path);
    }
    try {
      return handler.answer(request, body);
    } catch (Exception e) {
      app.scheduler().host().report("handler of " + path, e);
      return message(HttpStatus.SC_INTERNAL_SERVER_ERROR, "the server failed");
    }
  }

  /// Reserves memory for a body, until its request is answered. Suspends while other bodies have
  /// the memory.
  ///
  /// @throws TinyHttpReader.Refusal if the wait takes too long
  SemaphorePermit reserve(int bytes) throws TinyHttpReader.Refusal {
    try {
      return app.await(memory.permits(bytes), limits.header());
    } catch (TimedOutException e) {
      throw new TinyHttpReader.Refusal(
          HttpStatus.SC_SERVICE_UNAVAILABLE, "the server has too many requests: try again later");
    }
  }

  static ClassicHttpResponse message(int status, String text) {
    var response = new BasicClassicHttpResponse(status);
    response.setEntity(new StringEntity(text + "\n", ContentType.TEXT_PLAIN));
    return response;
  }

  TinyHttpLimits limits() {
    return limits;
  }

  /// {@return whether connections must end with their current request}
  boolean isDraining() {
    return draining;
  }
}
