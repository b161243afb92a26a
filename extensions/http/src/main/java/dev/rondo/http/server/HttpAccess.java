package dev.rondo.http.server;

import java.net.SocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One answered request, for an access log.
///
/// @param begun when the head had been read
/// @param taken the time from `begun` to the end of the response
/// @param peer the client's address; null if it is not known
/// @param protocol `HTTP/2`, `HTTP/1.1` or `HTTP/1.0`
/// @param method of the request; `?` if its head was malformed
/// @param target of the request, as it was sent, with control characters escaped as in `\u001b`;
///   `?` if its head was malformed
/// @param route the path of the handler's route, such as `/a/{name}`; empty if there is none
/// @param status of the response; 0 if the connection ended before the response had begun
/// @param firstByte the time from `begun` to the beginning of the response; null if the response
///   has not begun
/// @param requestBytes the number of bytes that were read of the request's body
/// @param responseBytes of the response's body
/// @param complete whether the response was sent to its end
public record HttpAccess(
    Instant begun,
    Duration taken,
    @Nullable SocketAddress peer,
    String protocol,
    String method,
    String target,
    String route,
    int status,
    @Nullable Duration firstByte,
    long requestBytes,
    long responseBytes,
    boolean complete) {

  /// Checks the arguments.
  public HttpAccess {
    Objects.requireNonNull(begun, "begun is null");
    Objects.requireNonNull(taken, "taken is null");
    Objects.requireNonNull(protocol, "protocol is null");
    Objects.requireNonNull(method, "method is null");
    Objects.requireNonNull(target, "target is null");
    Objects.requireNonNull(route, "route is null");
  }
}
