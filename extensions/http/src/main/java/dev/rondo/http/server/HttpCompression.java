package dev.rondo.http.server;

import dev.rondo.http.internal.ContentCoding;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The responses that a server compresses for clients that accept `gzip` or `deflate`. While a
/// response is compressed it holds about 256 KiB outside of the heap.
///
/// A response is sent as it is if its handler has set `Content-Encoding`, `Content-Range`,
/// `Content-Length` or `Cache-Control: no-transform`, if it has no body, or if it is shorter than
/// [#leastBytes()]. A strong `ETag` becomes weak, because the bytes differ.
///
/// A page that contains both a secret and text from the client reveals the secret by its compressed
/// length, also over TLS (CVE-2013-3587): do not compress such pages.
///
/// @param level 1 for fast to 9 for small
/// @param leastBytes of a body that is given as a whole, at least 0
/// @param contentTypes in lower case and without parameters, such as `application/json`; `text/*`
///   stands for all text types
public record HttpCompression(int level, int leastBytes, Set<String> contentTypes) {

  private static final int FASTEST = 1;
  private static final int SMALLEST = 9;
  private static final Pattern TYPE = Pattern.compile("[^\\s/;A-Z]+/[^\\s/;A-Z]+");

  /// Level 4, bodies from 1 KiB on; texts, scripts, JSON, XML, SVG and WebAssembly.
  public static final HttpCompression USUAL =
      new HttpCompression(
          4,
          1 << 10,
          Set.of(
              "text/*",
              "application/javascript",
              "application/json",
              "application/manifest+json",
              "application/problem+json",
              "application/wasm",
              "application/xhtml+xml",
              "application/xml",
              "image/svg+xml"));

  /// Checks the arguments.
  ///
  /// @throws IllegalArgumentException if a number is out of its range, or a type has another form
  public HttpCompression {
    if (level < FASTEST || level > SMALLEST) {
      throw new IllegalArgumentException(
          "level=%d; required: %d to %d".formatted(level, FASTEST, SMALLEST));
    }
    if (leastBytes < 0) {
      throw new IllegalArgumentException("leastBytes=%d; required >= 0".formatted(leastBytes));
    }
    contentTypes = Set.copyOf(Objects.requireNonNull(contentTypes, "contentTypes is null"));
    for (String each : contentTypes) {
      if (!TYPE.matcher(each).matches()) {
        throw new IllegalArgumentException(
            "contentType='%s'; required: lower case, without parameters, as text/html or text/*"
                .formatted(each));
      }
    }
  }

  /// Whether responses of the type may be compressed.
  boolean covers(@Nullable String contentType) {
    if (contentType == null) {
      return false;
    }
    int end = contentType.indexOf(';');
    String type =
        (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    int slash = type.indexOf('/');
    return contentTypes.contains(type)
        || (slash > 0 && contentTypes.contains(type.substring(0, slash) + "/*"));
  }

  /// Whether the headers of a response allow it.
  boolean covers(HttpHeaders headers) {
    return covers(headers.get(HttpHeaderNames.CONTENT_TYPE))
        && !headers.contains(HttpHeaderNames.CONTENT_ENCODING)
        && !headers.contains(HttpHeaderNames.CONTENT_RANGE)
        && !headers.containsValue(
            HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_TRANSFORM, true);
  }

  /// Tells caches that the response depends on the codings that the client accepts.
  static void vary(HttpHeaders headers) {
    if (!headers.containsValue(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING, true)
        && !headers.containsValue(HttpHeaderNames.VARY, "*", true)) {
      headers.add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING);
    }
  }

  /// Says in the headers that the body is compressed.
  static void announce(HttpHeaders headers, ContentCoding coding) {
    headers.set(HttpHeaderNames.CONTENT_ENCODING, coding.token());
    String tag = headers.get(HttpHeaderNames.ETAG);
    if (tag != null) {
      headers.set(HttpHeaderNames.ETAG, ContentCoding.weak(tag));
    }
  }
}
