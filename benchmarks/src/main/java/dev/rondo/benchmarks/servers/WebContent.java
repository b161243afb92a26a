package dev.rondo.benchmarks.servers;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// The responses and the key of all [WebServers], which all use the JDK's TLS.
public final class WebContent {

  static final String PLAIN_TEXT = "text/plain";
  static final String APPLICATION_JSON = "application/json";
  static final String HELLO = "Hello, World!";

  /// The password of the key file, which is not secret.
  static final String PASSWORD = "changeit";

  private static final String KEY_FILE = "/dev/rondo/benchmarks/world/keys.p12";
  private static final byte[] TEXT = HELLO.getBytes(StandardCharsets.US_ASCII);
  private static final Gson GSON = new Gson();

  private record Message(String message) {}

  private WebContent() {}

  static String contentType(WebJob job) {
    return job == WebJob.JSON ? APPLICATION_JSON : PLAIN_TEXT;
  }

  /// {@return the body of a response} JSON is encoded again for each request.
  static byte[] body(WebJob job) {
    return job == WebJob.JSON
        ? GSON.toJson(new Message(HELLO)).getBytes(StandardCharsets.UTF_8)
        : TEXT;
  }

  static byte[] keyFile() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(WebContent.class.getResourceAsStream(KEY_FILE), KEY_FILE)) {
      return file.readAllBytes();
    }
  }

  static KeyStore keys() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file =
        Objects.requireNonNull(WebContent.class.getResourceAsStream(KEY_FILE), KEY_FILE)) {
      keys.load(file, PASSWORD.toCharArray());
    }
    return keys;
  }

  static KeyManagerFactory keyManagers() throws IOException, GeneralSecurityException {
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys(), PASSWORD.toCharArray());
    return factory;
  }

  static SSLContext sslContext() throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keyManagers().getKeyManagers(), null, null);
    return context;
  }
}
