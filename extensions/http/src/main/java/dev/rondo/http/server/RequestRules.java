package dev.rondo.http.server;

import dev.rondo.http.internal.ContentCoding;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rules of RFC 9112 for a request's head that Netty's decoder does not check. A lenient server may
/// see other requests in a stream of bytes than the proxy in front of it.
final class RequestRules {

  /// The target of a request about the whole server.
  static final String WHOLE_SERVER = "*";

  private static final char FIRST_VISIBLE = '!';
  private static final char LAST_VISIBLE = '~';
  private static final int LARGEST_PORT = 0xffff;

  /// The characters that no host contains.
  private static final String RESERVED = "/\\?#@,\"<>";

  private RequestRules() {}

  /// {@return why the request is refused; null if it is accepted} The connection must be closed
  /// then.
  ///
  /// @param target of the request
  static @Nullable HttpStatusException refusal(HttpRequest request, RequestTarget target) {
    DecoderResult decoded = request.decoderResult();
    if (decoded.isFailure()) {
      return malformed(decoded.cause());
    }
    HttpVersion version = request.protocolVersion();
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      return refused(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "the version is not supported");
    }
    if (request.method().equals(HttpMethod.CONNECT)) {
      return refused(HttpResponseStatus.NOT_IMPLEMENTED, "this server is no tunnel to others");
    }
    HttpStatusException refusal = refusalOfTarget(request, target);
    if (refusal == null) {
      refusal = refusalOfHost(request.headers(), version);
    }
    if (refusal == null) {
      refusal = refusalOfLength(request.headers(), version);
    }
    return refusal == null ? refusalOfBody(request.headers()) : refusal;
  }

  /// {@return the response to bytes that Netty's decoder has refused}
  static HttpStatusException malformed(Throwable cause) {
    if (cause instanceof TooLongHttpLineException) {
      return refused(HttpResponseStatus.REQUEST_URI_TOO_LONG, "the request line is too long");
    }
    if (cause instanceof TooLongHttpHeaderException) {
      return refused(
          HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too long");
    }
    return bad("the request is malformed");
  }

  private static @Nullable HttpStatusException refusalOfTarget(
      HttpRequest request, RequestTarget target) {
    String text = request.uri();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each < FIRST_VISIBLE || each > LAST_VISIBLE || each == '#') {
        return bad("the request target has a character that is not allowed");
      }
    }
    if (text.startsWith("/")) {
      return null;
    }
    if (!RequestTarget.isAbsolute(text)) {
      return text.equals(WHOLE_SERVER) && request.method().equals(HttpMethod.OPTIONS)
          ? null
          : bad("the request target is neither a path nor an http URI");
    }
    String authority = target.authority();
    return authority.isEmpty() || authority.charAt(0) == ':' || !isAuthority(authority)
        ? bad("the host of the request target is malformed")
        : null;
  }

  private static @Nullable HttpStatusException refusalOfHost(
      HttpHeaders headers, HttpVersion version) {
    int count = 0;
    Iterator<String> hosts = headers.valueStringIterator(HttpHeaderNames.HOST);
    while (hosts.hasNext()) {
      count++;
      if (!isAuthority(hosts.next())) {
        return bad("the Host header is malformed");
      }
    }
    return count > 1 || (count == 0 && version.equals(HttpVersion.HTTP_1_1))
        ? bad("one Host header is required")
        : null;
  }

  /// Whether a text is a host, with a port or without.
  private static boolean isAuthority(String text) {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each < FIRST_VISIBLE || each > LAST_VISIBLE || RESERVED.indexOf(each) >= 0) {
        return false;
      }
    }
    boolean isAddress = text.startsWith("[");
    int colon = text.indexOf(':', isAddress ? text.indexOf(']') : 0);
    int end = colon < 0 ? text.length() : colon;
    return text.lastIndexOf('[') <= 0
        && text.indexOf(']') == (isAddress ? end - 1 : -1)
        && (colon < 0 || isPort(text, colon + 1));
  }

  /// Whether a text ends with a port, which may be empty.
  private static boolean isPort(String text, int from) {
    int port = 0;
    for (int i = from; i < text.length() && port <= LARGEST_PORT; i++) {
      int digit = text.charAt(i) - '0';
      port = digit < 0 || digit > 9 ? LARGEST_PORT + 1 : port * 10 + digit;
    }
    return port <= LARGEST_PORT;
  }

  /// The length of the body must be certain.
  private static @Nullable HttpStatusException refusalOfLength(
      HttpHeaders headers, HttpVersion version) {
    if (!headers.contains(HttpHeaderNames.TRANSFER_ENCODING)
        && !headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
      return null;
    }
    List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
    List<String> lengths = headers.getAll(HttpHeaderNames.CONTENT_LENGTH);
    if (lengths.size() > 1 || (!lengths.isEmpty() && !codings.isEmpty())) {
      return bad("the length of the body is not certain");
    }
    if (codings.isEmpty()) {
      return null;
    }
    if (version.equals(HttpVersion.HTTP_1_0) || codings.size() > 1) {
      return bad("the Transfer-Encoding header is not allowed here");
    }
    return HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst())
        ? null
        : refused(HttpResponseStatus.NOT_IMPLEMENTED, "the transfer encoding is not supported");
  }

  private static @Nullable HttpStatusException refusalOfBody(HttpHeaders headers) {
    String expected = headers.get(HttpHeaderNames.EXPECT);
    if (expected != null && !HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expected)) {
      return refused(HttpResponseStatus.EXPECTATION_FAILED, "only 100-continue can be expected");
    }
    return !headers.contains(HttpHeaderNames.CONTENT_ENCODING) || ContentCoding.isReadable(headers)
        ? null
        : refused(
            HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
            "the coding of the body is not supported; supported: " + ContentCoding.SUPPORTED);
  }

  private static HttpStatusException bad(String why) {
    return refused(HttpResponseStatus.BAD_REQUEST, why);
  }

  private static HttpStatusException refused(HttpResponseStatus status, String why) {
    return HttpStatusException.refusal(status, why);
  }
}
