package dev.rondo.http.client;

import dev.rondo.http.internal.TlsContexts;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Makes contexts for clients of HTTP/2 and HTTP/1.1.
final class ClientTls {

  private ClientTls() {}

  /// {@return a trust manager for the certificates of a store}
  static TrustManagerFactory trust(KeyStore trusted) throws IOException {
    try {
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(trusted);
      return managers;
    } catch (GeneralSecurityException e) {
      throw new SSLException("the certificates cannot be used: " + e.getMessage(), e);
    }
  }

  /// {@return a trust manager for the certificates of a PEM file}
  static TrustManagerFactory trust(Path certificates) throws IOException {
    try (var in = Files.newInputStream(certificates)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      var all =
          CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (all.isEmpty()) {
        throw new SSLException("no certificates in " + certificates);
      }
      for (X509Certificate each : all) {
        trusted.setCertificateEntry(
            each.getSubjectX500Principal() + " " + each.getSerialNumber(), each);
      }
      return trust(trusted);
    } catch (CertificateException e) {
      throw new SSLException("no certificates in " + certificates, e);
    } catch (GeneralSecurityException e) {
      throw new SSLException("the certificates cannot be used: " + e.getMessage(), e);
    }
  }

  /// {@return a context of the JDK's provider}
  ///
  /// @param trusted null for the certificates that the JDK trusts
  static SslContext context(@Nullable TrustManagerFactory trusted, boolean offersHttp2) {
    SslContextBuilder builder = SslContextBuilder.forClient();
    if (trusted != null) {
      builder.trustManager(trusted);
    }
    List<String> protocols =
        offersHttp2
            ? List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1)
            : List.of(ApplicationProtocolNames.HTTP_1_1);
    try {
      return TlsContexts.built(builder, protocols.toArray(String[]::new));
    } catch (SSLException e) {
      throw new UncheckedIOException(e);
    }
  }
}
