package dev.rondo.examples.network;

import dev.rondo.application.Application;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpClientLimits;
import dev.rondo.http.client.HttpClientRequest;
import dev.rondo.http.client.HttpClientResponse;
import dev.rondo.http.client.HttpRedirects;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpLimits;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.server.HttpServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A small shop for programs. Its server has tight limits, and searches, stores, redirects to and
/// deletes articles. Its client has limits too. Cookies are headers.
final class Storefront {

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z"));

  /// The limits of a public server.
  private static final HttpLimits LIMITS =
      HttpLimits.USUAL
          .withConnections(1_000)
          .withBodyBytes(64 << 10)
          .withTimes(PATIENCE, PATIENCE, PATIENCE);

  private static final HttpClientLimits TAKEN =
      HttpClientLimits.USUAL
          .withConnections(10, 2)
          .withBodyBytes(1 << 20)
          .withTimes(PATIENCE, PATIENCE, PATIENCE, PATIENCE);

  private final Application app;
  private final Path picture;
  private final List<String> articles = new ArrayList<>(List.of("apple", "pear"));
  private final List<String> story = new ArrayList<>();

  private Storefront(Application app, Path picture) {
    this.app = app;
    this.picture = picture;
  }

  static void main() {
    Application.run(app -> {
      Path picture = Files.createTempFile("picture", ".txt");
      try {
        trade(app, picture).forEach(IO::println);
      } finally {
        Files.delete(picture);
      }
    });
  }

  /// {@return the results of the client}
  static List<String> trade(Application app, Path picture) throws IOException {
    Files.writeString(picture, "an apple");
    var shop = new Storefront(app, picture);
    try (HttpServer server = shop.open();
        HttpClient client =
            HttpClient.builder(app.scheduler())
                .limits(TAKEN)
                .redirects(HttpRedirects.ALWAYS)
                .http2PriorKnowledge()
                .options(bootstrap -> bootstrap.option(ChannelOption.TCP_NODELAY, true))
                .build()) {
      shop.visit(client, URI.create("http:/" + server.localAddress()));
      shop.story.add(
          "%d connection, %d connection of the server"
              .formatted(client.connectionCount(), server.connectionCount()));
    }
    return shop.story;
  }

  private HttpServer open() throws IOException {
    HttpServerBuilder routes = HttpServer.builder(app.scheduler()).limits(LIMITS).clock(CLOCK);
    return routes
        .get("/articles", this::search)
        .post("/articles", this::store)
        .route(HttpMethod.DELETE, "/articles/{name}", this::delete)
        .get("/old", Storefront::redirect)
        .get("/picture", exchange -> exchange.respondFile(picture))
        .get("/next", this::awaitNext)
        .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  // The server.

  private void search(HttpExchange exchange) throws IOException {
    List<String> words = exchange.queryAll().getOrDefault("word", List.of());
    String order = Objects.requireNonNullElse(exchange.query("order"), "none");
    var found = articles.stream().filter(each -> words.stream().anyMatch(each::contains)).toList();
    exchange.responseHeaders().set(HttpHeaderNames.SET_COOKIE, "seen=" + found.size());
    exchange.respondText("%s, order %s, secure %b".formatted(found, order, exchange.isSecure()));
  }

  private void store(HttpExchange exchange) throws IOException {
    boolean isText = TEXT.equals(exchange.headers().get(HttpHeaderNames.CONTENT_TYPE));
    String article =
        isText
            ? exchange.bodyText()
            : new String(exchange.bodyBytes(), StandardCharsets.ISO_8859_1);
    articles.add(article);
    exchange.respond(HttpResponseStatus.CREATED, TEXT, article.getBytes(StandardCharsets.UTF_8));
  }

  private void delete(HttpExchange exchange) throws IOException {
    boolean there = articles.remove(exchange.pathParameter("name"));
    exchange.respond(there ? HttpResponseStatus.NO_CONTENT : HttpResponseStatus.NOT_FOUND);
  }

  private static void redirect(HttpExchange exchange) throws IOException {
    exchange.responseHeaders().set(HttpHeaderNames.LOCATION, "/articles?word=pear");
    exchange.respond(HttpResponseStatus.FOUND);
  }

  /// Waits for a long time, and gives up when the client has gone.
  private void awaitNext(HttpExchange exchange) throws IOException {
    exchange.endWithClient();
    app.sleep(Duration.ofMillis(10));
    exchange.respondText("plum");
  }

  // The client.

  private void visit(HttpClient client, URI root) throws IOException {
    HttpClientRequest search =
        client
            .request(HttpMethod.GET, root.resolve("/articles?word=app&word=pea&order=name"))
            .header(HttpHeaderNames.COOKIE, "seen=0");
    try (HttpClientResponse response = search.send()) {
      String cookie = response.headers().get(HttpHeaderNames.SET_COOKIE);
      story.add(response.protocol() + ": " + response.bodyText() + ", " + cookie);
    }
    byte[] plum = "plum".getBytes(StandardCharsets.UTF_8);
    HttpClientRequest store = client.request(HttpMethod.POST, root.resolve("/articles"));
    story.add(store.body(TEXT, plum).send().bodyText());
    HttpClientRequest streamed =
        client
            .request(HttpMethod.POST, root.resolve("/articles"))
            .body("application/octet-stream", plum.length, out -> out.write(plum))
            .repeatableBody()
            .expectContinue(PATIENCE);
    story.add("streamed " + streamed.send().status());
    try (HttpClientResponse gone =
        client.request(HttpMethod.DELETE, root.resolve("/articles/apple")).send()) {
      story.add("deleted " + gone.status());
    }
    try (HttpClientResponse found = client.get(root.resolve("/old"))) {
      story.add(found.uri().getPath() + ": " + found.bodyText());
    }
    story.add(client.get(root.resolve("/picture")).bodyBytes().length + " bytes of a picture");
    story.add("next " + client.get(root.resolve("/next")).bodyText());
  }
}
