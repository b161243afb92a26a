package dev.rondo.http.server;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The headers of the response to one request. Most have only those of every response, for which
/// nothing is made.
///
/// Confined to the scheduler's thread, and to the task of the request.
abstract class ResponseHeaders {

  private static final HttpHeadersFactory UNCHECKED =
      DefaultHttpHeadersFactory.headersFactory().withValidation(false);

  private static final List<CharSequence> OF_A_PAGE =
      List.of(
          HttpHeaderNames.ACCEPT_RANGES,
          HttpHeaderNames.CONTENT_DISPOSITION,
          HttpHeaderNames.CONTENT_ENCODING,
          HttpHeaderNames.CONTENT_LANGUAGE,
          HttpHeaderNames.CONTENT_LENGTH,
          HttpHeaderNames.CONTENT_LOCATION,
          HttpHeaderNames.CONTENT_RANGE,
          HttpHeaderNames.ETAG,
          HttpHeaderNames.EXPIRES,
          HttpHeaderNames.LAST_MODIFIED);

  /// Null as long as none is set. What the server sets by itself is not checked again for each
  /// response.
  private @Nullable HttpHeaders headers;

  /// Whether others may have set some, which are checked.
  private boolean handedOut;

  /// Those that were sent if there are no others.
  private @Nullable UsualHeaders usual;

  /// {@return the headers, for the handler}
  final HttpHeaders headers() {
    if (!handedOut) {
      HttpHeaders before = own();
      handedOut = true;
      headers = DefaultHttpHeadersFactory.headersFactory().newHeaders().add(before);
    }
    return own();
  }

  /// {@return the headers, for the server}
  final HttpHeaders own() {
    HttpHeaders made = headers;
    if (made == null) {
      made = UNCHECKED.newHeaders();
      UsualHeaders sent = usual;
      if (sent != null) {
        sent.addTo(made);
      }
      headers = made;
    }
    return made;
  }

  final boolean areHandedOut() {
    return handedOut;
  }

  /// Whether none is set.
  final boolean hasNoHeaders() {
    return headers == null;
  }

  /// The response is sent with these, and none is set.
  final void useUsual(UsualHeaders sent) {
    usual = sent;
  }

  /// Removes the headers that describe a page, in favour of one about an error. How long the page
  /// may be kept says nothing of that.
  final void forgetPage() {
    HttpHeaders set = headers;
    if (set == null) {
      return;
    }
    if (set.contains(HttpHeaderNames.CACHE_CONTROL)) {
      set.set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE);
    }
    OF_A_PAGE.forEach(set::remove);
  }
}
