package dev.rondo.http.client;

import java.net.URI;
import java.util.Locale;

/// The scheme, host and port of requests, which share connections.
///
/// @param secure whether connections are encrypted
/// @param host in lower case; a numeric IPv6 address without brackets
/// @param port of the server
record Origin(boolean secure, String host, int port) {

  private static final String HTTP = "http";
  private static final String HTTPS = "https";
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int LARGEST_PORT = 0xffff;

  /// {@return the origin of a URI}
  ///
  /// @throws IllegalArgumentException if it is not an HTTP URI with a host
  static Origin of(URI uri) {
    String scheme = uri.getScheme();
    boolean secure = HTTPS.equalsIgnoreCase(scheme);
    if (!secure && !HTTP.equalsIgnoreCase(scheme)) {
      throw refused(uri, "scheme http or https");
    }
    String host = uri.getHost();
    if (host == null) {
      throw refused(uri, "a host");
    }
    if (uri.getRawUserInfo() != null) {
      throw refused(uri, "no user in it; set the Authorization header");
    }
    int port = uri.getPort() >= 0 ? uri.getPort() : defaultPort(secure);
    if (port < 1 || port > LARGEST_PORT) {
      throw refused(uri, "a port from 1 to 65535");
    }
    String plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    return new Origin(secure, plain.toLowerCase(Locale.ROOT), port);
  }

  private static IllegalArgumentException refused(URI uri, String required) {
    return new IllegalArgumentException("uri=%s; required: %s".formatted(uri, required));
  }

  private static int defaultPort(boolean secure) {
    return secure ? HTTPS_PORT : HTTP_PORT;
  }

  /// {@return the value of the Host header}
  String authority() {
    String name = host.indexOf(':') < 0 ? host : "[" + host + "]";
    return port == defaultPort(secure) ? name : name + ":" + port;
  }

  @Override
  public String toString() {
    return (secure ? HTTPS : HTTP) + "://" + authority();
  }
}
