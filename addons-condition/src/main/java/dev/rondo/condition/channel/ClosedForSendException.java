package dev.rondo.condition.channel;

import org.jspecify.annotations.Nullable;

/// Something was sent, or waited to be sent, into a channel that takes no more: it was closed, or
/// its receiver gave up. The element was not sent. The cause is what it was closed or cancelled
/// with, if with anything.
public final class ClosedForSendException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  ClosedForSendException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
