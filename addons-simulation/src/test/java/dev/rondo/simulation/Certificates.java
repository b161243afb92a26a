package dev.rondo.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Self-signed certificates, created by the JDK's `keytool` once per JVM.
final class Certificates {

  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final Map<String, KeyStore> MADE = new HashMap<>();

  private Certificates() {}

  /// A key, and its certificate for a host's name and the loopback addresses.
  static synchronized KeyStore of(String name) throws Exception {
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

  static Certificate certificate(String name) throws Exception {
    return of(name).getCertificate("key");
  }

  /// Has the identity `me`, or none if that is null, and trusts these.
  static SSLContext context(String me, String... trusted) throws Exception {
    var keys = KeyManagerFactory.getInstance("PKIX");
    if (me != null) {
      keys.init(of(me), PASSWORD);
    } else {
      keys.init(null, null);
    }
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    for (String each : trusted) {
      trust.setCertificateEntry(each, certificate(each));
    }
    var trusting = TrustManagerFactory.getInstance("PKIX");
    trusting.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusting.getTrustManagers(), null);
    return context;
  }
}
