package dev.rondo.examples.network;

import dev.rondo.application.Application;
import dev.rondo.http.client.HttpClient;
import dev.rondo.http.client.HttpProxy;
import dev.rondo.http.server.HttpExchange;
import dev.rondo.http.server.HttpServer;
import dev.rondo.io.file.WaitForFile;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/// HTTPS: a server whose certificate files are replaced while it runs, and a server that requires
/// client certificates. A proxy is configured, except for this machine.
final class Vault {

  private final Application app;
  private final WaitForFile files;
  private final Path folder;
  private final List<String> story = new ArrayList<>();

  private Vault(Application app, Path folder) {
    this.app = app;
    this.files = WaitForFile.on(app.scheduler());
    this.folder = folder;
  }

  static void main() {
    Application.run(app -> {
      Path folder = Files.createTempDirectory("vault");
      try {
        open(app, folder).forEach(IO::println);
      } finally {
        Files.delete(folder);
      }
    });
  }

  /// {@return the facts that each side has learned of the other}
  static List<String> open(Application app, Path folder) throws Exception {
    var vault = new Vault(app, folder);
    Identity server = Identity.make(app, folder, "localhost");
    Identity client = Identity.make(app, folder, "client");
    vault.byFiles(server);
    vault.byBothSides(server, client);
    return vault.story;
  }

  private static void tell(HttpExchange exchange) throws IOException {
    exchange.respondText(
        "%s by %s, secure: %b, certificates: %d"
            .formatted(
                exchange.method(),
                exchange.protocol(),
                exchange.isSecure(),
                exchange.clientCertificates().size()));
  }

  /// Uses files as certificate authorities send them.
  private void byFiles(Identity identity) throws Exception {
    Path certificate = identity.writeCertificate(files, folder);
    Path key = identity.writeKey(files, folder);
    HttpProxy proxy =
        HttpProxy.of("proxy.test", 3_128)
            .withCredentials("user", "secret")
            .except(host -> host.equals("localhost"));
    try (HttpServer server =
            HttpServer.builder(app.scheduler())
                .get("/", Vault::tell)
                .tls(certificate, key)
                .listen(address());
        HttpClient client =
            HttpClient.builder(app.scheduler())
                .trust(certificate)
                .proxy(proxy)
                .http1Only()
                .build()) {
      story.add(client.get(uri(server)).bodyText());
      server.tls(certificate, key); // when the files have been renewed
    }
    files.delete(certificate);
    files.delete(key);
  }

  private void byBothSides(Identity identity, Identity client) throws Exception {
    SslContext ofServer =
        SslContextBuilder.forServer(keysOf(identity))
            .trustManager(trustIn(client))
            .clientAuth(ClientAuth.REQUIRE)
            .build();
    SslContext ofClient =
        SslContextBuilder.forClient()
            .keyManager(keysOf(client))
            .trustManager(trustIn(identity))
            .build();
    try (HttpServer server =
            HttpServer.builder(app.scheduler())
                .get("/", Vault::tell)
                .tls(ofServer)
                .listen(address());
        HttpClient known = HttpClient.builder(app.scheduler()).tls(ofClient).build();
        HttpClient unknown =
            HttpClient.builder(app.scheduler()).trust(identity.trusted()).build()) {
      story.add(known.get(uri(server)).bodyText());
      server.tls(ofServer); // when the client's issuer has changed
      try (var response = unknown.get(uri(server))) {
        story.add("without a certificate: " + response.status());
      } catch (IOException e) {
        story.add("without a certificate: refused");
      }
    }
  }

  private static KeyManagerFactory keysOf(Identity identity) throws Exception {
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(identity.keys(), identity.password());
    return keys;
  }

  private static TrustManagerFactory trustIn(Identity identity) throws Exception {
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(identity.trusted());
    return trust;
  }

  private static InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static URI uri(HttpServer server) {
    return URI.create("https://localhost:" + ((InetSocketAddress) server.localAddress()).getPort());
  }
}
