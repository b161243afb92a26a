package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
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

/// An HTTP/1.1 server: a task that accepts, and one for each connection, see [HttpConnection].
/// Messages are parsed and written by Apache HttpCore, which was made for blocking streams and does
/// not notice that ours suspend.
///
/// Try `curl -i localhost:8080/ticks`, and Ctrl-C while that runs: the answer comes to its end, and
/// then the server. `-Dport=0` takes any free port, `-Dseconds=5` ends it sooner.
final class HttpServer {

  /// Answers requests.
  @FunctionalInterface
  interface Handler {

    /// May suspend, as may writing the answer's entity.
    ClassicHttpResponse answer(ClassicHttpRequest request, byte[] body) throws Exception;
  }

  private static final Duration DRAIN = Duration.ofSeconds(5);

  private final Application app;
  private final TcpListener listener;
  private final HttpLimits limits;
  private final Map<String, Handler> handlers;
  private boolean draining;
  private int connections;
  private long requests;

  HttpServer(
      Application app, TcpListener listener, HttpLimits limits, Map<String, Handler> handlers) {
    this.app = app;
    this.listener = listener;
    this.limits = limits;
    this.handlers = handlers;
    listener.maxConnections(limits.connections());
  }

  static void main() {
    Application.builder().shutdownDrain(DRAIN).run(HttpServer::run);
  }

  private static void run(Application app) throws IOException {
    TcpListener listener = app.listen(Integer.getInteger("port", 8080));
    IO.println("HTTP on port " + listener.port());
    Timer end =
        app.delay(
            Duration.ofSeconds(Integer.getInteger("seconds", 60)),
            () -> app.shutdown(DRAIN, DRAIN));
    var server = new HttpServer(app, listener, HttpLimits.USUAL, handlers(app));
    server.serve();
    end.cancel();
    System.out.printf(
        "%d connections served, %,d requests answered%n", server.connections, server.requests);
  }

  /// What this one has to offer.
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

  /// {@return an entity whose length nobody knows before, so it is sent in chunks}
  private static HttpEntity text(IOCallback<OutputStream> writer) {
    return new EntityTemplate(ContentType.TEXT_PLAIN, writer);
  }

  private static void tick(Application app, OutputStream out) throws IOException {
    for (int i = 1; i <= 5; i++) {
      out.write(("tick " + i + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      app.sleep(Duration.ofMillis(200)); // this connection waits, and no other
    }
  }

  /// Accepts until the application is stopping, then takes no more connections and waits until
  /// those that are open have their answers. Suspends its task.
  void serve() throws IOException {
    try (listener) {
      while (true) {
        var first =
            app.scheduler().<@Nullable Object>select(listener.accepting(), app.shutdownRequested());
        if (!(first.value() instanceof TcpSocket socket)) {
          break;
        }
        connections++;
        app.spawn("http " + socket.peer(), () -> new HttpConnection(app, this, socket).converse());
      }
    }
    draining = true;
    app.waitFor(() -> listener.connections() == 0);
  }

  /// Has a request answered; a handler's failure is reported, and the client told as little of it
  /// as possible.
  ClassicHttpResponse answer(ClassicHttpRequest request, byte[] body) {
    requests++;
    String path = request.getPath().replaceFirst("\\?.*", "");
    Handler handler = handlers.get(path);
    if (handler == null) {
      return message(HttpStatus.SC_NOT_FOUND, "there is no " + path);
    }
    try {
      return handler.answer(request, body);
    } catch (Exception e) {
      app.scheduler().host().report("handler of " + path, e);
      return message(HttpStatus.SC_INTERNAL_SERVER_ERROR, "the server failed");
    }
  }

  static ClassicHttpResponse message(int status, String text) {
    var response = new BasicClassicHttpResponse(status);
    response.setEntity(new StringEntity(text + "\n", ContentType.TEXT_PLAIN));
    return response;
  }

  HttpLimits limits() {
    return limits;
  }

  /// Whether connections are to end with the request that they are at.
  boolean isDraining() {
    return draining;
  }
}
