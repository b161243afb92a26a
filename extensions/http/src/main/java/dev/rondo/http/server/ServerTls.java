package dev.rondo.http.server;

import dev.rondo.http.internal.TlsContexts;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/// Makes contexts for servers of HTTP/2 and HTTP/1.1.
final class ServerTls {

  private ServerTls() {}

  static SslContext forServers(SslContext context) {
    Objects.requireNonNull(context, "context is null");
    if (context.isClient()) {
      throw new IllegalArgumentException("the context is for clients; required: for servers");
    }
    return context;
  }

  static SslContext of(Path certificates, Path privateKey) throws IOException {
    try (var chain = Files.newInputStream(certificates);
        var key = Files.newInputStream(privateKey)) {
      return built(SslContextBuilder.forServer(chain, key));
    } catch (IllegalArgumentException e) {
      throw new SSLException(
          "no certificates in %s, or no key in PKCS#8 in %s".formatted(certificates, privateKey),
          e);
    }
  }

  static SslContext of(KeyStore keys, char[] password) throws IOException {
    try {
      var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, password);
      return built(SslContextBuilder.forServer(managers));
    } catch (GeneralSecurityException e) {
      throw new SSLException("the key cannot be used: " + e.getMessage(), e);
    }
  }

  private static SslContext built(SslContextBuilder builder) throws SSLException {
    return TlsContexts.built(
        builder, ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);
  }

  /// {@return the certificates that the client of a connection has shown, its own first}
  static List<X509Certificate> clientCertificates(Channel connection) {
    SslHandler secure = connection.pipeline().get(SslHandler.class);
    if (secure == null) {
      return List.of();
    }
    try {
      return Stream.of(secure.engine().getSession().getPeerCertificates())
          .map(X509Certificate.class::cast)
          .toList();
    } catch (SSLPeerUnverifiedException e) {
      return List.of(); // the client has no certificate, or was not asked for it
    }
  }
}
