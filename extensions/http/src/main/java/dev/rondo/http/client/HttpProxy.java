package dev.rondo.http.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An HTTP proxy, through which a client reaches servers: see [HttpClientBuilder#proxy].
///
/// A request to a server of `http` is sent to the proxy, which passes it on. To a server of `https`
/// the proxy opens a tunnel (CONNECT, RFC 9110, 9.3.6), and sees only the name and the port of the
/// server. The same holds for `http` with [HttpClientBuilder#http2PriorKnowledge()]. The connection
/// to the proxy itself is not encrypted. The proxy looks up the names of servers.
///
/// Immutable.
public final class HttpProxy {

  private static final int LARGEST_PORT = 0xffff;

  private final String host;
  private final int port;

  /// Null for no credentials.
  private final @Nullable String authorization;

  private final Predicate<String> direct;

  private HttpProxy(
      String host, int port, @Nullable String authorization, Predicate<String> direct) {
    this.host = host;
    this.port = port;
    this.authorization = authorization;
    this.direct = direct;
  }

  /// {@return a proxy without credentials, for all hosts}
  ///
  /// @param host its name or its address; an IPv6 address without brackets
  /// @param port from 1 to 65535
  /// @throws IllegalArgumentException if the port is out of range, or the host is empty
  public static HttpProxy of(String host, int port) {
    Objects.requireNonNull(host, "host is null");
    if (host.isEmpty() || port < 1 || port > LARGEST_PORT) {
      throw new IllegalArgumentException(
          "host=%s, port=%d; required: a host, and a port from 1 to 65535".formatted(host, port));
    }
    return new HttpProxy(host, port, null, _ -> false);
  }

  /// {@return the same proxy, with credentials for it (Basic, RFC 7617)} The credentials are sent
  /// to the proxy with each request, not encrypted.
  ///
  /// @param user without a colon
  /// @param password of the user
  /// @throws IllegalArgumentException if the user has a colon
  public HttpProxy withCredentials(String user, String password) {
    Objects.requireNonNull(user, "user is null");
    Objects.requireNonNull(password, "password is null");
    if (user.indexOf(':') >= 0) {
      throw new IllegalArgumentException("user=" + user + "; required: one without a colon");
    }
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    String encoded = Base64.getEncoder().encodeToString(both);
    return new HttpProxy(host, port, "Basic " + encoded, direct);
  }

  /// {@return the same proxy, with direct connections to some hosts}
  ///
  /// @param hosts tests the host of a URI, in lower case
  public HttpProxy except(Predicate<String> hosts) {
    Objects.requireNonNull(hosts, "hosts is null");
    return new HttpProxy(host, port, authorization, hosts);
  }

  String host() {
    return host;
  }

  int port() {
    return port;
  }

  /// {@return the value of the header; null if there are no credentials}
  @Nullable String authorization() {
    return authorization;
  }

  boolean isFor(Origin origin) {
    return !direct.test(origin.host());
  }

  /// {@return its address, without the credentials}
  @Override
  public String toString() {
    return "proxy %s:%d".formatted(host.indexOf(':') < 0 ? host : "[" + host + "]", port);
  }
}
