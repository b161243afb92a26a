package dev.rondo.http.server;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Objects;

/// Ends the handling of a request with a status. A handler throws it. The server throws it from
/// reads of a body that is too large, malformed or late.
public final class HttpStatusException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// The status, which is not serializable.
  private final int code;

  /// Makes one, to be thrown.
  ///
  /// @param status that the client receives
  /// @param message the text of the response, without secrets
  public HttpStatusException(HttpResponseStatus status, String message) {
    super(Objects.requireNonNull(message, "message is null"));
    this.code = Objects.requireNonNull(status, "status is null").code();
  }

  private HttpStatusException(HttpResponseStatus status, String message, boolean stack) {
    super(message, null, true, stack);
    this.code = status.code();
  }

  /// {@return the server's answer to a refused request, without a stack} A stack would not help,
  /// and costs a fifth of the time of such a request.
  static HttpStatusException refusal(HttpResponseStatus status, String message) {
    return new HttpStatusException(status, message, false);
  }

  /// {@return the status that the client receives}
  public HttpResponseStatus status() {
    return HttpResponseStatus.valueOf(code);
  }
}
