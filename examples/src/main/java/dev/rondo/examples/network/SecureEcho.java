package dev.rondo.examples.network;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.tls.ClientCertificates;
import dev.rondo.io.tls.TlsClient;
import dev.rondo.io.tls.TlsServer;
import dev.rondo.io.tls.TlsSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;

/// TLS in both directions: the server presents the certificate for the requested name (SNI), both
/// sides agree on a protocol (ALPN), and the client presents a certificate too.
final class SecureEcho {

  private static final int LONGEST_LINE_BYTES = 100;

  private SecureEcho() {}

  static void main() {
    Application.run(app -> {
      Path folder = Files.createTempDirectory("secure-echo");
      try {
        converse(app, folder).forEach(IO::println);
      } finally {
        Files.delete(folder);
      }
      app.stop(); // the server would go on
    });
  }

  /// {@return the facts that each side has learned of the other}
  static List<String> converse(Application app, Path folder) throws Exception {
    Identity server = Identity.make(app, folder, "localhost");
    Identity client = Identity.make(app, folder, "client");
    var story = new ArrayList<String>();
    TcpListener listener =
        app.io().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    SSLContext context = server.trusting(client);
    TlsServer tls =
        new TlsServer(
                app.scheduler(), name -> name.filter("localhost"::equals).map(ignored -> context))
            .applicationProtocols("echo/2", "echo/1")
            .clientCertificates(ClientCertificates.REQUIRED);
    app.spawn("server", () -> serve(app, listener, tls, story));

    TlsClient trusting =
        new TlsClient(app.scheduler(), client.trusting(server)).applicationProtocols("echo/1");
    try (TlsSocket socket = trusting.connect("localhost", listener.port())) {
      Optional<String> protocol = socket.applicationProtocol();
      socket.write("hello\n");
      story.add(
          "client: %s by %s, %s"
              .formatted(
                  socket.readLine(LONGEST_LINE_BYTES),
                  protocol.orElse("no protocol"),
                  socket.session().getProtocol()));
    }
    TlsClient doubting = new TlsClient(app.scheduler(), client.trusting(client));
    try (TlsSocket socket = doubting.connect("localhost", listener.port())) {
      story.add("connected: " + socket);
    } catch (SSLHandshakeException e) {
      story.add("client: does not trust the server");
    }
    return story;
  }

  private static void serve(
      Application app, TcpListener listener, TlsServer tls, List<String> story) throws IOException {
    while (true) {
      TcpSocket accepted = listener.accept();
      app.spawn("echo", () -> echo(tls.over(accepted), story));
    }
  }

  private static void echo(TlsSocket socket, List<String> story) throws IOException {
    try (socket) {
      var certificate = (X509Certificate) socket.session().getPeerCertificates()[0];
      story.add("server: " + certificate.getSubjectX500Principal());
      socket.input().transferTo(socket.output());
    } catch (SSLHandshakeException e) {
      // the client does not trust this server
    }
  }
}
