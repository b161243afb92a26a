package dev.rondo.io;

import java.nio.channels.ClosedChannelException;

/// This side has closed the channel while a task was waiting on it, or a task used the channel
/// after that, or used a direction that was shut down. The peer is not at fault.
///
/// A [ClosedChannelException], as `java.nio.channels` requires, whose message says what was closed.
public final class ChannelClosedException extends ClosedChannelException {

  private static final long serialVersionUID = 1L;

  /// The attempted operation and its channel.
  private final String message;

  /// For authors of channels that are layered on this package's channels.
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
