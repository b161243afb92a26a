package dev.rondo.netty.http;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;

/// Makes contexts for servers of HTTP/2 and HTTP/1.1.
final class ServerTls {

  private ServerTls() {}

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
    return built(builder, ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1);
  }

  /// {@return a context of the JDK's provider}
  ///
  /// @param protocols that are offered or accepted by ALPN
  static SslContext built(SslContextBuilder builder, String... protocols) throws SSLException {
    return builder
        .sslProvider(SslProvider.JDK)
        .protocols("TLSv1.3", "TLSv1.2")
        .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                protocols))
        .build();
  }
}
