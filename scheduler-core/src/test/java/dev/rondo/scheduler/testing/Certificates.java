package dev.rondo.scheduler.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Self-signed certificates, created by the JDK's `keytool` once per JVM.
public final class Certificates {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Map<String, KeyStore> MADE = new HashMap<>();

  private Certificates() {}

  /// A key, and its certificate for a host's name and the loopback addresses.
  private static synchronized KeyStore of(String name) throws Exception {
    KeyStore made = MADE.get(name);
    if (made == null) {
      made = make(name);
      MADE.put(name, made);
    }
    return made;
  }

  private static KeyStore make(String name) throws Exception {
    Path file = Files.createTempDirectory("rondo-tls").resolve("keys.p12");
    try {
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-J-XX:TieredStopAtLevel=1",
                  "-J-XX:+UseSerialGC",
                  "-genkeypair",
                  "-alias",
                  "key",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=" + name,
                  "-ext",
                  "san=dns:" + name + ",ip:127.0.0.1",
                  "-validity",
                  "10000",
                  "-storetype",
                  "PKCS12",
                  "-storepass",
                  new String(PASSWORD),
                  "-keystore",
                  file.toString())
              .redirectErrorStream(true)
              .start();
      String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new IOException("keytool: " + said);
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        store.load(in, PASSWORD);
      }
      return store;
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.getParent());
    }
  }

  /// {@return the store with a name's key and certificate; the password is `changeit`}
  ///
  /// @param name of a host
  public static KeyStore keys(String name) throws Exception {
    return of(name);
  }

  /// {@return the certificate of a name}
  ///
  /// @param name of a host
  public static Certificate certificate(String name) throws Exception {
    return of(name).getCertificate("key");
  }

  /// {@return a store that trusts the certificates of names}
  ///
  /// @param names of hosts
  public static KeyStore trusting(String... names) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (String each : names) {
      store.setCertificateEntry(each, certificate(each));
    }
    return store;
  }

  /// {@return a context for TLS}
  ///
  /// @param me the name whose certificate it shows; null for none
  /// @param trusted the names whose certificates it trusts
  public static SSLContext context(@Nullable String me, String... trusted) throws Exception {
    var keys = KeyManagerFactory.getInstance("PKIX");
    if (me != null) {
      keys.init(of(me), PASSWORD);
    } else {
      keys.init(null, null);
    }
    var trusting = TrustManagerFactory.getInstance("PKIX");
    trusting.init(trusting(trusted));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusting.getTrustManagers(), null);
    return context;
  }

  /// Writes the key and the certificate as text, for openssl.
  ///
  /// @param name of a host
  /// @param file is created
  public static void writePem(String name, Path file) throws Exception {
    Files.write(
        file,
        List.of(
            pem("PRIVATE KEY", of(name).getKey("key", PASSWORD).getEncoded()),
            pem("CERTIFICATE", certificate(name).getEncoded())));
  }

  private static String pem(String kind, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----"
        .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), kind);
  }
}
