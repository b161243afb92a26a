package dev.rondo.io;

import java.nio.channels.ClosedChannelException;

/// This side has closed the channel: it was closed while a task waits on it, or used after it was
/// closed, or used in a direction that was shut down. It is no fault of the peer.
///
/// A [ClosedChannelException], as `java.nio.channels` requires, whose message says what was closed.
public final class ChannelClosedException extends ClosedChannelException {

  private static final long serialVersionUID = 1L;

  /// What was tried, on what.
  private final String message;

  /// For authors of channels that are layered on those of this package.
  ///
  /// @param message what was tried, on what
  public ChannelClosedException(String message) {
    this.message = message;
  }

  /// {@return the operation that failed, and its channel}
  @Override
  public String getMessage() {
    return message;
  }
}
