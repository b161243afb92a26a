package dev.rondo.http.client;

import dev.rondo.scheduler.internal.ReportText;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import java.net.ProtocolException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One request of a chain of redirects.
///
/// @param uri of the request
/// @param origin of that URI
/// @param method of the request
/// @param headers of the caller; not changed
/// @param body of the request
/// @param patience the time that the body waits until the server asks for it; null for no wait
record Hop(
    URI uri,
    Origin origin,
    HttpMethod method,
    HttpHeaders headers,
    ClientBody body,
    @Nullable Duration patience) {

  private static final int MOVED_PERMANENTLY = 301;
  private static final int FOUND = 302;
  private static final int SEE_OTHER = 303;
  private static final int TEMPORARY_REDIRECT = 307;
  private static final int PERMANENT_REDIRECT = 308;

  private static final String PARENT = "/../";
  private static final char LAST_ASCII = '~';
  private static final char LAST_BYTE = 0xff;
  private static final String NOT_IN_URIS = "\"<>\\^`{|}";

  /// Headers that other origins must not receive.
  private static final List<CharSequence> OF_THE_ORIGIN =
      List.of(
          HttpHeaderNames.AUTHORIZATION,
          HttpHeaderNames.COOKIE,
          HttpHeaderNames.HOST,
          HttpHeaderNames.PROXY_AUTHORIZATION);

  private static final List<CharSequence> OF_THE_BODY =
      List.of(
          HttpHeaderNames.CONTENT_ENCODING,
          HttpHeaderNames.CONTENT_LANGUAGE,
          HttpHeaderNames.CONTENT_LOCATION,
          HttpHeaderNames.CONTENT_TYPE);

  static Hop of(
      URI uri,
      HttpMethod method,
      HttpHeaders headers,
      ClientBody body,
      @Nullable Duration patience) {
    return new Hop(uri, Origin.of(uri), method, headers, body, patience);
  }

  /// {@return the same request, whose body does not wait}
  Hop withoutPatience() {
    return new Hop(uri, origin, method, headers, body, null);
  }

  /// {@return the target of the request: path and query}
  String target() {
    URI ascii = URI.create(uri.toASCIIString());
    String path = ascii.getRawPath();
    String query = ascii.getRawQuery();
    return (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query);
  }

  /// {@return the request to which a response redirects, by RFC 9110, 15.4; null if it does not
  /// redirect, or if the body cannot be sent again}
  ///
  /// @param bodyLeftOut whether the body was neither sent nor written
  /// @throws ProtocolException if the redirect is not allowed
  @Nullable Hop next(int status, HttpHeaders response, HttpRedirects followed, boolean bodyLeftOut)
      throws ProtocolException {
    String location = response.get(HttpHeaderNames.LOCATION);
    if (location == null || followed == HttpRedirects.NEVER) {
      return null;
    }
    return switch (status) {
      case MOVED_PERMANENTLY, FOUND ->
          to(target(location, followed), method.equals(HttpMethod.POST), bodyLeftOut);
      case SEE_OTHER ->
          to(target(location, followed), !method.equals(HttpMethod.HEAD), bodyLeftOut);
      case TEMPORARY_REDIRECT, PERMANENT_REDIRECT ->
          to(target(location, followed), false, bodyLeftOut);
      default -> null;
    };
  }

  private URI target(String location, HttpRedirects followed) throws ProtocolException {
    URI target;
    Origin next;
    try {
      target = resolved(encoded(location));
      next = Origin.of(target);
    } catch (IllegalArgumentException e) {
      throw refused(location, e);
    }
    if (origin.secure() && !next.secure() && followed != HttpRedirects.ALWAYS) {
      throw refused(location, null);
    }
    return target;
  }

  /// Servers send characters, and bytes of UTF-8, that a URI cannot have. Browsers encode them.
  ///
  /// @param location each character is a byte
  private static String encoded(String location) {
    var encoded = new StringBuilder(location.length());
    for (int i = 0; i < location.length(); i++) {
      char each = location.charAt(i);
      if (each <= ' '
          || (each > LAST_ASCII && each <= LAST_BYTE)
          || NOT_IN_URIS.indexOf(each) >= 0) {
        encoded.append("%%%02X".formatted((int) each));
      } else {
        encoded.append(each);
      }
    }
    return encoded.toString();
  }

  /// The JDK resolves neither a bare query nor a path against an empty path, and keeps `..` above
  /// the root.
  private URI resolved(String location) {
    String base = origin + target();
    int query = base.indexOf('?');
    String path = query < 0 ? base : base.substring(0, query);
    URI target =
        location.startsWith("?") ? URI.create(path + location) : URI.create(base).resolve(location);
    String up = target.getRawPath();
    if (up == null || !up.startsWith(PARENT)) {
      return target;
    }
    while (up.startsWith(PARENT)) {
      up = up.substring(PARENT.length() - 1);
    }
    String rest = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    return URI.create(Origin.of(target) + up + rest);
  }

  private ProtocolException refused(String location, @Nullable Exception cause) {
    var refused =
        new ProtocolException(
            "%s redirects to '%s'; required: %s"
                .formatted(
                    uri,
                    ReportText.escaped(location),
                    cause == null ? "https" : "a URI of http or https"));
    refused.initCause(cause);
    return refused;
  }

  /// @param asGet whether the method becomes GET, without a body
  private @Nullable Hop to(URI target, boolean asGet, boolean bodyLeftOut) {
    if (!asGet && !bodyLeftOut && !body.isRepeatable()) {
      return null;
    }
    HttpHeaders kept = headers.copy();
    if (asGet) {
      OF_THE_BODY.forEach(kept::remove);
    }
    Origin next = Origin.of(target);
    if (!next.equals(origin)) {
      OF_THE_ORIGIN.forEach(kept::remove);
    }
    return new Hop(
        target,
        next,
        asGet ? HttpMethod.GET : method,
        kept,
        asGet ? ClientBody.NONE : body,
        patience);
  }
}
