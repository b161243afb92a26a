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

/// Decides which pages may open a WebSocket in a browser (RFC 6455, 10.2): those of the server's
/// own origin, and those of a list. A browser sends the cookies of the server along whichever page
/// asks it to, and lets that page read the answers. A client without an `Origin` is no browser.
///
/// @param any whether all may
/// @param listed besides the server's own
record WebSocketOrigins(boolean any, Set<String> listed) {

  static final WebSocketOrigins SAME = new WebSocketOrigins(false, Set.of());

  /// Stands for all pages.
  private static final String ANY = "*";

  /// What a browser sends for a page that has no origin, of a file for instance.
  private static final String NONE = "null";

  private static final String HTTP = "http://";
  private static final String HTTPS = "https://";

  /// @throws IllegalArgumentException if one is malformed
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

  /// A browser leaves the usual ports out.
  private static String normal(String origin) {
    String lower = origin.toLowerCase(Locale.ROOT);
    String port = lower.startsWith(HTTPS) ? ":443" : lower.startsWith(HTTP) ? ":80" : NONE;
    return lower.endsWith(port) && !lower.equals(NONE)
        ? lower.substring(0, lower.length() - port.length())
        : lower;
  }

  /// Refuses a request for a WebSocket by a page of another origin.
  ///
  /// @param secure whether the client speaks TLS with this server: otherwise a proxy may do so
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
