package dev.rondo.condition.channel;

import org.jspecify.annotations.Nullable;

/// Thrown by senders when the channel takes no more elements: it was closed, or its receiver has
/// cancelled it. The element was not sent. The cause is the failure that the channel was closed or
/// cancelled with, if any.
public final class ClosedForSendException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  ClosedForSendException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
