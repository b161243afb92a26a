package dev.rondo.http.client;

import dev.rondo.scheduler.internal.ReportText;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import java.net.ProtocolException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rules of RFC 9112 for a response's head that Netty's decoder does not check. A lenient client
/// may take a part of one response for the next response.
final class ResponseRules {

  private static final String NO_LENGTH = "0";

  private ResponseRules() {}

  /// Checks a response.
  ///
  /// @param stream whether the response came in an HTTP/2 stream, whose frames give its length
  /// @throws ProtocolException if the response is refused; the connection must be closed then
  static void check(HttpResponse response, boolean stream) throws ProtocolException {
    DecoderResult decoded = response.decoderResult();
    if (decoded.isFailure()) {
      throw refused(String.valueOf(decoded.cause().getMessage()), decoded.cause());
    }
    if (response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
      throw refused("it changes the protocol", null);
    }
    if (response.status().codeClass() == HttpStatusClass.UNKNOWN) {
      throw refused("its status is " + response.status().code(), null);
    }
    if (!stream) {
      checkVersion(response.protocolVersion());
      checkLength(response);
    }
  }

  private static void checkVersion(HttpVersion version) throws ProtocolException {
    if (!version.equals(HttpVersion.HTTP_1_1) && !version.equals(HttpVersion.HTTP_1_0)) {
      throw refused("its version is " + version, null);
    }
  }

  /// The length of the body must be certain.
  private static void checkLength(HttpResponse response) throws ProtocolException {
    List<String> codings = response.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    List<String> lengths = response.headers().getAll(HttpHeaderNames.CONTENT_LENGTH);
    if (lengths.size() > 1 || codings.size() > 1 || (!lengths.isEmpty() && !codings.isEmpty())) {
      throw refused("the length of its body is not certain", null);
    }
    if (allowsNoCoding(response.status())
        && !(codings.isEmpty() && (lengths.isEmpty() || lengths.contains(NO_LENGTH)))) {
      throw refused("its status allows no body", null);
    }
    if (codings.isEmpty()) {
      return;
    }
    if (!response.protocolVersion().equals(HttpVersion.HTTP_1_1)
        || !HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst())) {
      throw refused("its transfer encoding is not supported: " + codings.getFirst(), null);
    }
  }

  /// Whether a response of this status has no body, and describes none.
  static boolean allowsNoCoding(HttpResponseStatus status) {
    return status.equals(HttpResponseStatus.NO_CONTENT)
        || status.codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  /// Whether a response has no body, whatever its headers say.
  static boolean hasNoBody(HttpMethod method, HttpResponseStatus status) {
    return method.equals(HttpMethod.HEAD)
        || status.equals(HttpResponseStatus.NO_CONTENT)
        || status.equals(HttpResponseStatus.NOT_MODIFIED);
  }

  static ProtocolException refused(String why, @Nullable Throwable cause) {
    var refused = new ProtocolException("the response is refused: " + ReportText.escaped(why));
    refused.initCause(cause);
    return refused;
  }
}
