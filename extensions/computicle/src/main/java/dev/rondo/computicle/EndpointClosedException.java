package dev.rondo.computicle;

import org.jspecify.annotations.Nullable;

/// Thrown by senders and receivers at an endpoint that was closed. A message that was to be sent
/// was not taken: it is still the sender's. The cause is the failure that the endpoint was closed
/// with, if any.
public final class EndpointClosedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  EndpointClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
