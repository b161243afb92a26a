package dev.rondo.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.http.HttpClientRig;
import dev.rondo.http.server.HttpServer;
import dev.rondo.netty.NettyChannel;
import dev.rondo.netty.NettyListener;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.testing.Certificates;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients of HTTP over TLS.
final class HttpClientTlsTest extends HttpClientRig {

  private static final String NAME = "localhost";
  private static final String OTHER = "other.example";
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir Path folder;

  private HttpServer secure(String name) throws Exception {
    KeyStore keys = Certificates.keys(name);
    return serve(routes -> {
      try {
        routes
            .tls(keys, PASSWORD)
            .get(
                "/",
                exchange -> exchange.respondText(exchange.protocol() + " " + exchange.isSecure()))
            .get(
                "/down",
                exchange -> {
                  exchange.responseHeaders().set("location", exchange.query("to"));
                  exchange.respond(io.netty.handler.codec.http.HttpResponseStatus.FOUND);
                });
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
  }

  private static KeyStore trusting(String... names) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (String each : names) {
      store.setCertificateEntry(each, Certificates.certificate(each));
    }
    return store;
  }

  private static HttpClientBuilder trust(HttpClientBuilder builder, String... names) {
    try {
      return builder.trust(trusting(names));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static URI at(HttpServer server, String host, String path) {
    int port = ((InetSocketAddress) server.localAddress()).getPort();
    return URI.create("https://" + host + ":" + port + path);
  }

  @Test
  void protocol_isWhatAlpnHasChosen() {
    run(() -> {
      try (HttpServer server = secure(NAME);
          HttpClient both = newClient(builder -> trust(builder, NAME));
          HttpClient one = newClient(builder -> trust(builder, NAME).http1Only())) {
        for (int i = 0; i < 3; i++) {
          assertEquals("HTTP/2 true", both.get(at(server, "127.0.0.1", "/")).bodyText());
          assertEquals("HTTP/1.1 true", one.get(at(server, "127.0.0.1", "/")).bodyText());
        }
        assertEquals(2, server.connectionCount());
        var tasks = new ArrayList<Task<String>>();
        for (HttpClient client : List.of(both, one)) {
          for (int i = 0; i < 5; i++) {
            URI uri = at(server, NAME, "/");
            tasks.add(scheduler.spawn("request", () -> client.get(uri).bodyText()));
          }
        }
        for (int i = 0; i < 10; i++) {
          assertEquals(i < 5 ? "HTTP/2 true" : "HTTP/1.1 true", tasks.get(i).join());
        }
        assertEquals(2, both.connectionCount(), "one for each origin");
      }
    });
  }

  @Test
  void certificate_notTrusted_isRefused() {
    run(() -> {
      try (HttpServer server = secure(NAME);
          HttpClient usual = newClient();
          HttpClient other = newClient(builder -> trust(builder, OTHER))) {
        for (HttpClient each : List.of(usual, other)) {
          assertThrows(SSLException.class, () -> each.get(at(server, "127.0.0.1", "/")));
          assertEquals(0, each.connectionCount());
        }
        assertEquals(0, server.requestCount());
      }
    });
  }

  @Test
  void certificate_ofAnotherHost_isRefused() {
    run(() -> {
      try (HttpServer server = secure(OTHER);
          HttpClient client = newClient(builder -> trust(builder, OTHER));
          HttpClient context =
              newClient(builder -> {
                try {
                  builder.tls(
                      SslContextBuilder.forClient()
                          .trustManager(
                              (java.security.cert.X509Certificate) Certificates.certificate(OTHER))
                          .endpointIdentificationAlgorithm(null)
                          .build());
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              })) {
        for (HttpClient each : List.of(client, context)) {
          var failed = assertThrows(SSLException.class, () -> each.get(at(server, NAME, "/")));
          assertTrue(failed.getMessage().contains(NAME), failed.getMessage());
          String text = each.get(at(server, "127.0.0.1", "/")).bodyText();
          assertTrue(text.endsWith("true"), "the address is in the certificate");
        }
        assertEquals(2, server.requestCount());
      }
    });
  }

  @Test
  void trust_pemFile_isRead() throws Exception {
    Path pem = folder.resolve("keys.pem");
    Certificates.writePem(NAME, pem);
    String text = Files.readString(pem);
    Path certificates =
        Files.writeString(
            folder.resolve("certificates.pem"), text.substring(text.indexOf("-----BEGIN CERT")));
    Path empty = Files.writeString(folder.resolve("empty"), "", StandardCharsets.UTF_8);
    run(() -> {
      try (HttpServer server = secure(NAME);
          HttpClient client =
              newClient(builder -> {
                try {
                  builder.trust(certificates);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              })) {
        assertEquals("HTTP/2 true", client.get(at(server, NAME, "/")).bodyText());
      }
      var builder = HttpClient.builder(scheduler);
      assertThrows(IOException.class, () -> builder.trust(empty));
      assertThrows(IOException.class, () -> builder.trust(folder.resolve("none")));
      assertThrows(
          IllegalArgumentException.class,
          () -> builder.tls(SslContextBuilder.forServer(keyManagers()).build()));
    });
  }

  private static KeyManagerFactory keyManagers() throws Exception {
    var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(Certificates.keys(NAME), PASSWORD);
    return managers;
  }

  @Test
  void redirect_fromHttpsToHttp_isRefusedUnlessWanted() {
    run(() -> {
      try (HttpServer server = secure(NAME);
          RawServer plain = answering("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine");
          HttpClient normal = newClient(builder -> trust(builder, NAME));
          HttpClient always =
              newClient(builder -> trust(builder, NAME).redirects(HttpRedirects.ALWAYS))) {
        URI down = at(server, NAME, "/down?to=" + plain.uri("/"));
        assertThrows(ProtocolException.class, () -> normal.get(down));
        assertEquals(0, plain.connections.size());
        assertEquals("fine", always.get(down).bodyText());
        URI across = at(server, NAME, "/down?to=/");
        assertEquals("HTTP/2 true", normal.get(across).bodyText());
      }
    });
  }

  @Test
  void server_thatDoesNotSpeakTls_isGivenUp() {
    run(() -> {
      try (RawServer plain =
              new RawServer(connection -> {
                var _ = text(connection);
                send(connection, "HTTP/1.1 400 Bad Request\r\n\r\n");
              });
          RawServer closing = new RawServer(connection -> {});
          RawServer silent =
              new RawServer(connection -> {
                while (connection.receive() instanceof io.netty.buffer.ByteBuf each) {
                  each.release();
                }
              });
          HttpClient client =
              newClient(builder ->
                  builder.limits(
                      HttpClientLimits.USUAL.withTimes(
                          Duration.ofMillis(200),
                          Duration.ofSeconds(20),
                          Duration.ofSeconds(20),
                          Duration.ofSeconds(20))))) {
        for (RawServer each : List.of(plain, closing)) {
          assertThrows(IOException.class, () -> client.get(secured(each)));
        }
        assertThrows(SocketTimeoutException.class, () -> client.get(secured(silent)));
        assertEquals(0, client.connectionCount());
      }
    });
  }

  @Test
  void server_thatSpeaksNoTls_isNamedWithAHint() {
    run(() -> {
      try (RawServer plain =
              new RawServer(connection -> {
                var _ = text(connection);
                send(connection, "HTTP/1.1 400 Bad Request\r\n\r\n");
              });
          HttpClient client = newClient()) {
        URI uri = secured(plain);
        String expected =
            "https://%s speaks no TLS; required for https and wss. http and ws have none"
                .formatted(uri.getAuthority());
        var ofHttp = assertThrows(SSLException.class, () -> client.get(uri));
        assertEquals(expected, ofHttp.getMessage());
        URI socket = URI.create(uri.toString().replace("https:", "wss:"));
        var ofSocket = assertThrows(SSLException.class, () -> client.webSocket(socket));
        assertEquals(expected, ofSocket.getMessage());
      }
    });
  }

  private static URI secured(RawServer server) {
    return URI.create(server.uri("/").toString().replace("http:", "https:"));
  }

  /// The end of the connection is the end of such a body: without TLS's own end it may be cut off.
  @Test
  void body_thatEndsWithTheConnection_requiresTheEndOfTls() {
    run(() -> {
      for (boolean inOrder : new boolean[] {true, false}) {
        var context = SslContextBuilder.forServer(keyManagers()).build();
        try (NettyListener listener =
                listen(channel -> channel.pipeline().addLast(context.newHandler(channel.alloc())));
            HttpClient client = newClient(builder -> trust(builder, NAME).http1Only())) {
          Task<Void> serving =
              scheduler.spawn(
                  "server",
                  () -> {
                    try (NettyChannel connection = listener.accept()) {
                      var _ = head(connection);
                      send(connection, "HTTP/1.1 200 OK\r\n\r\nfine");
                      SslHandler secure = connection.channel().pipeline().get(SslHandler.class);
                      assertNotNull(secure);
                      if (inOrder) {
                        netty.await(secure.closeOutbound());
                      } else {
                        // bypasses the handler, which would say that it closes
                        netty.await(
                            connection.channel().pipeline().context(SslHandler.class).close());
                      }
                    }
                  });
          URI uri = HttpClientRig.uri("https", listener.localAddress(), "/");
          HttpClientResponse response = client.get(uri);
          if (inOrder) {
            assertEquals("fine", response.bodyText());
          } else {
            assertThrows(EOFException.class, response::bodyText);
          }
          serving.join();
        }
      }
    });
  }
}
