package dev.rondo.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.files.StaticFiles;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpServer;
import dev.rondo.http.websocket.PreparedMessage;
import dev.rondo.netty.NettyChannel;
import dev.rondo.scheduler.testing.Certificates;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Servers of HTTP with TLS, asked by the JDK's client.
final class HttpTlsTest extends HttpRig {

  private static final String NAME = "localhost";
  private static final char[] PASSWORD = {'p'};

  @TempDir Path folder;

  private Path pem;

  @BeforeEach
  void writeKeys() throws Exception {
    pem = folder.resolve("keys.pem");
    Certificates.writePem(NAME, pem);
  }

  private KeyStore keys() throws Exception {
    String text = Files.readString(pem);
    String key = text.substring(text.indexOf('\n'), text.indexOf("-----END PRIVATE"));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry(
        "key",
        KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key))),
        PASSWORD,
        new Certificate[] {Certificates.certificate(NAME)});
    return keys;
  }

  private HttpServer secure() throws IOException {
    return serve(routes -> {
      try {
        routes
            .tls(keys(), PASSWORD)
            .files("/files/{name...}", StaticFiles.of(folder.resolve("files")))
            .get(
                "/",
                exchange -> exchange.respondText(exchange.protocol() + " " + exchange.isSecure()))
            .get("/news", HttpTlsTest::news)
            .get("/half", HttpTlsTest::half)
            .get("/slow", this::slow)
            .post(
                "/echo",
                exchange -> exchange.respond(HttpResponseStatus.OK, "a/b", exchange.bodyBytes()));
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
  }

  private static void news(HttpExchange exchange) throws IOException {
    try (var socket = exchange.webSocket();
        PreparedMessage news = PreparedMessage.text("news")) {
      assertTrue(socket.trySend(news));
      var _ = socket.receive();
    }
  }

  private static void half(HttpExchange exchange) throws IOException {
    OutputStream out = exchange.stream(HttpResponseStatus.OK, "text/plain");
    out.write('x');
    out.flush();
    throw new IllegalStateException("midway");
  }

  private void slow(HttpExchange exchange) throws IOException {
    OutputStream out = exchange.stream(HttpResponseStatus.OK, "text/plain");
    out.write('x');
    out.flush();
    var _ = scheduler.suspend();
  }

  private static HttpClient jdk(Version version) throws Exception {
    return HttpClient.newBuilder()
        .version(version)
        .sslContext(Certificates.context(null, NAME))
        .build();
  }

  private <T> HttpResponse<T> ask(
      HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return scheduler.await(scheduler.completion(client.sendAsync(request, handler)));
  }

  private static HttpRequest.Builder to(HttpServer server, String path) {
    int port = ((InetSocketAddress) server.localAddress()).getPort();
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path));
  }

  @Test
  void clients_ofBothVersions_areAnswered() throws Exception {
    try (HttpClient old = jdk(Version.HTTP_1_1);
        HttpClient young = jdk(Version.HTTP_2)) {
      run(() -> {
        try (HttpServer server = secure()) {
          for (HttpClient each : List.of(old, young)) {
            String expected = each == old ? "HTTP/1.1 true" : "HTTP/2 true";
            var bodies = new ArrayList<String>();
            for (int i = 0; i < 3; i++) {
              bodies.add(ask(each, to(server, "/").build(), BodyHandlers.ofString()).body());
            }
            assertEquals(List.of(expected, expected, expected), bodies);
          }
          assertEquals(2, server.connectionCount());
        }
      });
    }
  }

  @Test
  void webSocket_preparedMessage_isSentEncrypted() throws Exception {
    try (HttpClient client = jdk(Version.HTTP_1_1)) {
      run(() -> {
        try (HttpServer server = secure()) {
          var received = new CompletableFuture<String>();
          WebSocket socket =
              scheduler.await(
                  scheduler.completion(
                      client
                          .newWebSocketBuilder()
                          .buildAsync(
                              URI.create(
                                  "wss"
                                      + to(server, "/news").build().uri().toString().substring(5)),
                              new WebSocket.Listener() {
                                @Override
                                public CompletionStage<?> onText(
                                    WebSocket from, CharSequence text, boolean last) {
                                  received.complete(text.toString());
                                  return null;
                                }
                              })));
          assertEquals("news", scheduler.await(scheduler.completion(received)));
          socket.abort();
        }
      });
    }
  }

  @Test
  void files_smallAndLarge_areSentEncrypted() throws Exception {
    Path files = Files.createDirectory(folder.resolve("files"));
    String large = "0123456789".repeat(100_000);
    Files.writeString(files.resolve("large.txt"), large);
    Files.writeString(files.resolve("small.txt"), "small");
    try (HttpClient old = jdk(Version.HTTP_1_1);
        HttpClient young = jdk(Version.HTTP_2)) {
      run(() -> {
        try (HttpServer server = secure()) {
          for (HttpClient each : List.of(old, young)) {
            assertEquals("small", body(each, to(server, "/files/small.txt")));
            assertEquals(large, body(each, to(server, "/files/large.txt")));
            assertEquals(
                large.substring(5, 300_000),
                body(each, to(server, "/files/large.txt").header("Range", "bytes=5-299999")));
          }
        }
      });
    }
  }

  private String body(HttpClient client, HttpRequest.Builder request) {
    return ask(client, request.build(), BodyHandlers.ofString()).body();
  }

  @Test
  void bodies_large_comeBack() throws Exception {
    byte[] bytes = new byte[1_000_000];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i % 251);
    }
    try (HttpClient old = jdk(Version.HTTP_1_1);
        HttpClient young = jdk(Version.HTTP_2)) {
      run(() -> {
        try (HttpServer server = secure()) {
          for (HttpClient each : List.of(old, young)) {
            for (boolean asks : new boolean[] {false, true}) {
              var request =
                  to(server, "/echo")
                      .expectContinue(asks)
                      .POST(BodyPublishers.ofByteArray(bytes))
                      .build();
              assertArrayEquals(bytes, ask(each, request, BodyHandlers.ofByteArray()).body());
            }
          }
        }
      });
    }
  }

  /// To close it in order would say that the body is complete.
  @Test
  void stream_ofHttp10WhoseHandlerFails_isReset() {
    run(() -> {
      try (HttpServer server = secure();
          NettyChannel client = secure(server)) {
        send(client, "GET /half HTTP/1.0\r\n\r\n");
        assertThrows(IOException.class, () -> rest(client));
      }
    });
    assertEquals(1, takeFailures().size());
  }

  @Test
  void close_withinABodyOfHttp10_isAReset() {
    run(() -> {
      HttpServer server = secure();
      try (NettyChannel client = secure(server)) {
        send(client, "GET /slow HTTP/1.0\r\n\r\n");
        var _ = until(client, "\r\n\r\nx");
        server.close();
        assertThrows(IOException.class, () -> rest(client));
      }
    });
  }

  /// {@return a client that shows its bytes as they are without TLS}
  private NettyChannel secure(HttpServer server) throws Exception {
    SslContext context =
        SslContextBuilder.forClient()
            .trustManager((X509Certificate) Certificates.certificate(NAME))
            .endpointIdentificationAlgorithm(null)
            .build();
    return scheduler
        .host()
        .awaitEvent(
            netty.connecting(
                client()
                    .handler(
                        handlers(made -> made.pipeline().addLast(context.newHandler(allocator)))),
                server.localAddress()));
  }

  @Test
  void client_withoutTls_isDisconnected() {
    run(() -> {
      try (HttpServer server = secure()) {
        String answer = exchange(server, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(answer.length() < 10 && !answer.contains("HTTP"), answer); // an alert of TLS
        assertEquals(0, server.requestCount());
      }
    });
  }

  @Test
  void tls_pemFiles_areRead() throws Exception {
    try (HttpClient client = jdk(Version.HTTP_2)) {
      run(() -> {
        try (HttpServer server =
            serve(routes -> {
              try {
                routes.tls(pem, pem).get("/", exchange -> exchange.respondText("hello"));
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            })) {
          var response = ask(client, to(server, "/").build(), BodyHandlers.ofString());
          assertEquals("hello", response.body());
          assertEquals(Version.HTTP_2, response.version());
        }
      });
    }
  }

  @Test
  void tls_anotherCertificate_isShownToFurtherClients() throws Exception {
    Path other = folder.resolve("other.pem");
    Certificates.writePem("other", other);
    try (HttpClient early = jdk(Version.HTTP_2);
        HttpClient late =
            HttpClient.newBuilder().sslContext(Certificates.context(null, "other")).build()) {
      run(() -> {
        try (HttpServer server = secure()) {
          assertEquals("HTTP/2 true", body(early, to(server, "/")));
          server.tls(other, other);
          assertThrows(IOException.class, () -> server.tls(folder.resolve("none"), other));
          assertEquals("HTTP/2 true", body(late, to(server, "/")));
          assertEquals("HTTP/2 true", body(early, to(server, "/")));
          assertEquals(2, server.connectionCount());
        }
        try (HttpServer plain = serve(routes -> {})) {
          assertThrows(IllegalStateException.class, () -> plain.tls(other, other));
        }
      });
    }
  }

  @Test
  void clientCertificates_ofAClientThatShowsOne_areItsOwn() throws Exception {
    var ada = (X509Certificate) Certificates.certificate("ada");
    SslContext context =
        SslContextBuilder.forServer(pem.toFile(), pem.toFile())
            .trustManager(ada)
            .clientAuth(ClientAuth.OPTIONAL)
            .build();
    try (HttpClient known =
            HttpClient.newBuilder().sslContext(Certificates.context("ada", NAME)).build();
        HttpClient unknown = jdk(Version.HTTP_2)) {
      run(() -> {
        try (HttpServer server =
            serve(routes ->
                routes
                    .tls(context)
                    .get(
                        "/",
                        exchange ->
                            exchange.respondText(
                                exchange.clientCertificates().contains(ada)
                                    + " "
                                    + exchange.clientCertificates().size())))) {
          assertEquals("true 1", body(known, to(server, "/")));
          assertEquals("false 0", body(unknown, to(server, "/")));
        }
      });
    }
  }

  @Test
  void tls_unusableKeys_areRefused() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty"), "", StandardCharsets.UTF_8);
    KeyStore keys = keys();
    run(() -> {
      var builder = HttpServer.builder(scheduler);
      assertThrows(IOException.class, () -> builder.tls(empty, empty));
      assertThrows(IOException.class, () -> builder.tls(folder.resolve("none"), pem));
      assertThrows(IOException.class, () -> builder.tls(keys, new char[] {'q'}));
      assertThrows(
          IllegalArgumentException.class, () -> builder.tls(SslContextBuilder.forClient().build()));
    });
  }
}
