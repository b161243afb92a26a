package dev.rondo.io;

import java.nio.channels.ClosedChannelException;

/// This side has closed it: the channel was closed under a waiting operation, or used after it was
/// closed, or used in a direction that was shut down. The peer is not to blame.
///
/// A [ClosedChannelException], as the contracts of `java.nio.channels` ask for, but one that says
/// what was closed.
public final class ChannelClosedException extends ClosedChannelException {

  private static final long serialVersionUID = 1L;

  /// What was closed, and by whom.
  private final String message;

  /// For channels that are built upon those here.
  ///
  /// @param message what was tried, on what
  public ChannelClosedException(String message) {
    this.message = message;
  }

  /// {@return what was tried, on what}
  @Override
  public String getMessage() {
    return message;
  }
}
