package dev.rondo.examples.network;

import dev.rondo.application.Application;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.io.process.ChildProcess;
import dev.rondo.io.process.WaitForProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A key and a self-signed certificate, made by the JDK's `keytool`, for TLS examples. A real
/// server has a certificate from a certificate authority.
///
/// @param name the host of the certificate
/// @param keys the key and the certificate
/// @param trusted the certificate, for programs that trust it
record Identity(String name, KeyStore keys, KeyStore trusted) {

  private static final String ALIAS = "key";
  private static final String TYPE = "PKCS12";

  /// The password of a file that is deleted at once.
  private static final String PASSWORD = "changeit";

  /// Makes an identity. A suspension point.
  ///
  /// @param folder for a temporary file
  /// @param name of the host
  static Identity make(Application app, Path folder, String name) throws Exception {
    Path file = folder.resolve(name + ".p12");
    var keytool =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "EC",
            "-alias",
            ALIAS,
            "-dname",
            "CN=" + name,
            "-ext",
            "san=dns:" + name + ",ip:127.0.0.1",
            "-storetype",
            TYPE,
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString());
    try (ChildProcess process = WaitForProcess.on(app.scheduler()).start(keytool)) {
      String said = new String(process.error().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.awaitExit().isSuccess()) {
        throw new IOException(process + ": " + said);
      }
    }
    var files = WaitForFile.on(app.scheduler());
    byte[] bytes = files.readAll(file);
    files.delete(file);
    KeyStore keys = KeyStore.getInstance(TYPE);
    keys.load(new ByteArrayInputStream(bytes), PASSWORD.toCharArray());
    KeyStore trusted = KeyStore.getInstance(TYPE);
    trusted.load(null, null);
    trusted.setCertificateEntry(name, keys.getCertificate(ALIAS));
    return new Identity(name, keys, trusted);
  }

  /// {@return the password of the key}
  char[] password() {
    return PASSWORD.toCharArray();
  }

  /// {@return a context that presents this identity and trusts another identity}
  SSLContext trusting(Identity other) throws GeneralSecurityException {
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, password());
    var others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    others.init(other.trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), others.getTrustManagers(), null);
    return context;
  }

  /// Writes the certificate as most certificate authorities send it.
  ///
  /// @return the file, which the caller deletes
  Path writeCertificate(WaitForFile files, Path folder) throws Exception {
    Certificate certificate = keys.getCertificate(ALIAS);
    return write(files, folder.resolve(name + ".crt"), "CERTIFICATE", certificate.getEncoded());
  }

  /// Writes the key as most certificate authorities send it.
  ///
  /// @return the file, which the caller deletes
  Path writeKey(WaitForFile files, Path folder) throws Exception {
    byte[] key = keys.getKey(ALIAS, password()).getEncoded();
    return write(files, folder.resolve(name + ".key"), "PRIVATE KEY", key);
  }

  private static Path write(WaitForFile files, Path file, String type, byte[] der)
      throws IOException {
    String text =
        "-----BEGIN %s-----%n%s%n-----END %s-----%n"
            .formatted(type, Base64.getMimeEncoder().encodeToString(der), type);
    files.writeAll(file, text.getBytes(StandardCharsets.US_ASCII));
    return file;
  }
}
