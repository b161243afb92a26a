package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// A [SendChannel] or [ReceiveChannel] was used after its end, or ended while a task waited on it.
/// A sender that receives this exception still owns its element, which was not sent. The cause is
/// the failure that ended the channel; null if the channel ended without a failure.
///
/// Sockets and files fail with a [java.nio.channels.ClosedChannelException] instead, as
/// `java.nio.channels` requires.
public final class ClosedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /// Describes an attempt to use a channel after its end.
  ///
  /// @param message what was tried on which channel, and which side has ended it
  /// @param cause the failure that ended the channel; null for none
  public ClosedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
