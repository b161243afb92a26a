package dev.rondo.http.server;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Decides which pages may open a WebSocket in a browser (RFC 6455, 10.2): pages of the server's
/// own origin, and pages of the listed origins. A browser sends the server's cookies for any page,
/// and lets that page read the answers. A client without an `Origin` is not a browser.
///
/// @param any whether all pages may
/// @param listed origins besides the server's own
record WebSocketOrigins(boolean any, Set<String> listed) {

  static final WebSocketOrigins SAME = new WebSocketOrigins(false, Set.of());

  /// Stands for all pages.
  private static final String ANY = "*";

  /// A browser sends this for a page without an origin, such as a file.
  private static final String NONE = "null";

  private static final String HTTP = "http://";
  private static final String HTTPS = "https://";

  /// @throws IllegalArgumentException if an origin is malformed
  static WebSocketOrigins of(String... origins) {
    return new WebSocketOrigins(
        Arrays.asList(origins).contains(ANY),
        Stream.of(origins)
            .filter(each -> !ANY.equals(each))
            .map(each ->
                normal(checked(Objects.requireNonNull(each, "an element of others is null"))))
            .collect(Collectors.toUnmodifiableSet()));
  }

  private static String checked(String origin) {
    URI uri = origin.equals(NONE) ? URI.create(HTTP + NONE) : URI.create(origin);
    if (uri.getScheme() == null
        || uri.getHost() == null
        || uri.getUserInfo() != null
        || !uri.getRawPath().isEmpty()
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw new IllegalArgumentException(
          "origin=%s; required: a scheme, a host, and a port unless it is the usual one, such as"
                  .formatted(origin)
              + " https://example.com");
    }
    return origin;
  }

  /// A browser leaves out the default ports.
  private static String normal(String origin) {
    String lower = origin.toLowerCase(Locale.ROOT);
    String port = lower.startsWith(HTTPS) ? ":443" : lower.startsWith(HTTP) ? ":80" : NONE;
    return lower.endsWith(port) && !lower.equals(NONE)
        ? lower.substring(0, lower.length() - port.length())
        : lower;
  }

  /// Refuses a request for a WebSocket by a page of another origin.
  ///
  /// @param secure whether the client speaks TLS with this server; if not, it may speak TLS with a
  ///   proxy
  void check(HttpHeaders headers, boolean secure) {
    List<String> origins = headers.getAll(HttpHeaderNames.ORIGIN);
    if (any || origins.isEmpty()) {
      return;
    }
    String origin = normal(origins.getFirst());
    String host = String.valueOf(headers.get(HttpHeaderNames.HOST));
    boolean same =
        origin.equals(normal(HTTPS + host)) || (!secure && origin.equals(normal(HTTP + host)));
    if (origins.size() > 1 || !(same || listed.contains(origin))) {
      throw new HttpStatusException(
          HttpResponseStatus.FORBIDDEN, "pages of this origin may not open a WebSocket here");
    }
  }
}
