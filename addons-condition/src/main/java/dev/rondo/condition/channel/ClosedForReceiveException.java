package dev.rondo.condition.channel;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Thrown by receivers when no more elements will come: the channel was closed and has been
/// emptied, or its receiver has cancelled it. The cause is the failure that it was closed or
/// cancelled with, if any.
public final class ClosedForReceiveException extends NoSuchElementException {

  private static final long serialVersionUID = 1L;

  ClosedForReceiveException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
