package dev.rondo.benchmarks.world;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/// TLS whose bytes follow from a seed. It avoids all values that the JDK's implementation does not
/// take from the given generator:
///
/// - Ed25519 signatures use no random numbers (RFC 8032); ECDSA signatures differ, even in their
///   length;
/// - session tickets are not sent, because the numbers of their keys follow from
///   `System.nanoTime()`, and a resumed session sends its age in real time.
///
/// It also avoids slow parts of a handshake: the JDK's key manager decrypts the key again in each
/// handshake, which takes 40 % of the time, and a client makes a key for each of two groups.
final class FixedTls {

  /// The name in the certificate, which is valid until 2125.
  static final String NAME = "rondo";

  private static final char[] PASSWORD = "changeit".toCharArray();

  static {
    System.setProperty("jdk.tls.server.newSessionTicketCount", "0");
    System.setProperty("jdk.tls.namedGroups", "x25519");
  }

  private static final KeyStore KEYS = keys();
  private static final KeyManager[] MANAGER = {new OneKey()};
  private static final TrustManager[] TRUST = trust();

  private FixedTls() {}

  private static KeyStore keys() {
    try (InputStream file =
        Objects.requireNonNull(FixedTls.class.getResourceAsStream("keys.p12"), "keys.p12")) {
      KeyStore made = KeyStore.getInstance("PKCS12");
      made.load(file, PASSWORD);
      return made;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the key of the benchmarks cannot be read", e);
    }
  }

  private static TrustManager[] trust() {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(NAME, KEYS.getCertificate(OneKey.ALIAS));
      var trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      return trust.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the certificate of the benchmarks cannot be trusted", e);
    }
  }

  /// {@return a context that presents the certificate, and trusts it}
  ///
  /// @param random the source of all random values
  static SSLContext context(RandomGenerator random) {
    try {
      SSLContext made = SSLContext.getInstance("TLSv1.3");
      made.init(MANAGER, TRUST, new Seeded(random));
      return made;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no TLS 1.3 with Ed25519", e);
    }
  }

  /// Always the key of [#KEYS], decrypted once.
  private static final class OneKey extends X509ExtendedKeyManager {

    static final String ALIAS = "key";

    private final PrivateKey key;
    private final X509Certificate[] chain;

    OneKey() {
      try {
        key = (PrivateKey) KEYS.getKey(ALIAS, PASSWORD);
        chain = new X509Certificate[] {(X509Certificate) KEYS.getCertificate(ALIAS)};
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("the key of the benchmarks cannot be read", e);
      }
    }

    private static @Nullable String aliasFor(String... types) {
      return List.of(types).contains("EdDSA") ? ALIAS : null;
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal[] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal[] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public @Nullable String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return aliasFor(type);
    }

    @Override
    public @Nullable String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return aliasFor(types);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
        String type, Principal[] issuers, SSLEngine engine) {
      return aliasFor(type);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] types, Principal[] issuers, SSLEngine engine) {
      return aliasFor(types);
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return chain;
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }
  }

  private static final class Seeded extends SecureRandom {

    private static final long serialVersionUID = 1;

    Seeded(RandomGenerator random) {
      super(new Spi(random), null);
    }
  }

  private static final class Spi extends SecureRandomSpi {

    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial") // never serialized
    private final RandomGenerator random;

    Spi(RandomGenerator random) {
      this.random = random;
    }

    @Override
    protected void engineSetSeed(byte[] seed) {}

    @Override
    protected void engineNextBytes(byte[] bytes) {
      random.nextBytes(bytes);
    }

    @Override
    protected byte[] engineGenerateSeed(int bytes) {
      byte[] made = new byte[bytes];
      random.nextBytes(made);
      return made;
    }
  }
}
