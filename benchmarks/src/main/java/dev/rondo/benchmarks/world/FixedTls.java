package dev.rondo.benchmarks.world;

import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.util.Objects;
import java.util.random.RandomGenerator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// TLS whose bytes follow from a seed. What the JDK's implementation does not take from a generator
/// that it is given is avoided:
///
/// - signatures by Ed25519 draw nothing (RFC 8032); those by ECDSA differ, in their length, too;
/// - session tickets are not sent: their keys have numbers that follow from `System.nanoTime()`,
///   and resuming a session sends its age in real time.
final class FixedTls {

  /// The name in the certificate, which is valid until 2125.
  static final String NAME = "rondo";

  private static final char[] PASSWORD = "changeit".toCharArray();

  static {
    System.setProperty("jdk.tls.server.newSessionTicketCount", "0");
  }

  private static final KeyStore KEYS = keys();

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

  /// {@return a context that shows the certificate, and trusts it}
  ///
  /// @param random what all that is random is drawn from
  static SSLContext context(RandomGenerator random) {
    try {
      var keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(KEYS, PASSWORD);
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(NAME, KEYS.getCertificate("key"));
      var trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      SSLContext made = SSLContext.getInstance("TLSv1.3");
      made.init(keys.getKeyManagers(), trust.getTrustManagers(), new Seeded(random));
      return made;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JVM has no TLS 1.3 with Ed25519", e);
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
