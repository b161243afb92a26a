package dev.rondo.http.server;

import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Map;

/// A request's target, taken apart.
///
/// @param authority the host and port of a whole URI, as they were sent; empty if there are none
/// @param path as it was sent, still encoded
/// @param query as it was sent, empty if there is none
record RequestTarget(String authority, String path, String query) {

  /// Whether a target is a whole URI.
  static boolean isAbsolute(String target) {
    return authorityStart(target) > 0;
  }

  private static int authorityStart(String target) {
    for (String scheme : List.of("http://", "https://")) {
      if (target.regionMatches(true, 0, scheme, 0, scheme.length())) {
        return scheme.length();
      }
    }
    return 0;
  }

  static RequestTarget of(String target) {
    int start = target.startsWith("/") ? 0 : authorityStart(target);
    int host = start;
    if (start > 0) {
      while (start < target.length() && "/?".indexOf(target.charAt(start)) < 0) {
        start++;
      }
    }
    int end = target.indexOf('?', start);
    String path = target.substring(start, end < 0 ? target.length() : end);
    return new RequestTarget(
        target.substring(host, start),
        path.isEmpty() ? "/" : path,
        end < 0 ? "" : target.substring(end + 1));
  }

  /// {@return the parameters of the query, decoded}
  ///
  /// @throws IllegalArgumentException if the query cannot be decoded
  Map<String, List<String>> parameters() {
    return new QueryStringDecoder(query, false).parameters();
  }

  /// {@return a part of a path, decoded}
  ///
  /// @throws IllegalArgumentException if it cannot be decoded
  static String decoded(String part) {
    return part.indexOf('%') < 0
        ? part
        : QueryStringDecoder.decodeComponent(part.replace("+", "%2B"));
  }

  /// Whether a path has encoded slashes, which would divide it in other parts after decoding.
  ///
  /// @param path as it was sent
  static boolean hasEncodedSlash(String path) {
    for (int i = path.indexOf('%'); i >= 0; i = path.indexOf('%', i + 1)) {
      if (path.regionMatches(true, i, "%2f", 0, 3)) {
        return true;
      }
    }
    return false;
  }
}
