package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientRequest;
import dev.rondo.http.client.HttpClientResponse;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/// An HTTP server on Netty with straight-line handlers, and a client, equally straight, that
/// requests each of its pages. `-Dport=8080 -Dseconds=60` serves other clients meanwhile: `curl -i
/// localhost:8080/ticks`.
final class NettyHttp {

  private static final int MEBIBYTE = 1 << 20;

  private final Application app;

  private NettyHttp(Application app) {
    this.app = app;
  }

  static void main() {
    Application.run(app -> new NettyHttp(app).run());
  }

  private void run() throws IOException {
    try (HttpServer server =
        HttpServer.builder(app.scheduler())
            .get("/hello/{name}", this::hello)
            .post("/upload", this::upload)
            .get("/ticks", this::tick)
            .limits(HttpLimits.USUAL.withBodyBytes(10 * MEBIBYTE))
            .errors("application/json", why -> "{\"status\": %d}\n".formatted(why.status().code()))
            .accessLog(access ->
                IO.println(access.method() + " " + access.target() + " " + access.status()))
            .listen(address())) {
      ask(server);
      app.sleep(Duration.ofSeconds(Integer.getInteger("seconds", 0)));
      boolean inTime = server.shutdown(Duration.ofSeconds(5));
      IO.println("%d requests, all in time: %b".formatted(server.requestCount(), inTime));
    }
  }

  private static InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.getInteger("port", 0));
  }

  private void hello(HttpExchange exchange) throws IOException {
    exchange.respondText("Hello " + exchange.pathParameter("name") + "\n");
  }

  private void upload(HttpExchange exchange) throws IOException {
    long count = exchange.body().transferTo(OutputStream.nullOutputStream());
    exchange.respondText(count + " bytes\n");
  }

  private void tick(HttpExchange exchange) throws IOException {
    try (OutputStream out = exchange.stream(HttpResponseStatus.OK, "text/plain")) {
      for (int i = 1; i <= 3; i++) {
        out.write(("tick " + i + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        app.sleep(Duration.ofMillis(10)); // suspends this request only
      }
    }
  }

  private void ask(HttpServer server) throws IOException {
    URI root = URI.create("http:/" + server.localAddress());
    try (HttpClient client = HttpClient.builder(app.scheduler()).build()) {
      IO.print(client.get(root.resolve("/hello/world")).bodyText());
      try (HttpClientResponse ticks = client.get(root.resolve("/ticks"))) {
        ticks.body().transferTo(System.out); // each tick when it comes
      }
      HttpClientRequest upload =
          client
              .request(HttpMethod.POST, root.resolve("/upload"))
              .body("application/octet-stream", out -> out.write(new byte[MEBIBYTE]));
      IO.print(upload.send().bodyText());
    }
  }
}
