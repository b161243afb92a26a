package dev.rondo.condition.channel;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/// Nothing more will come out of a channel: it was closed and what was in it has been received, or
/// its receiver gave up. The cause is what it was closed or cancelled with, if with anything.
public final class ClosedForReceiveException extends NoSuchElementException {

  private static final long serialVersionUID = 1L;

  ClosedForReceiveException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
