package dev.rondo.io;

import java.io.IOException;

/// The peer sent a message that is longer than allowed, without its delimiter. The bytes can still
/// be read.
public final class DelimiterNotFoundException extends IOException {

  private static final long serialVersionUID = 1L;

  /// For authors of channels that are layered on this package's channels.
  ///
  /// @param message what was tried, on what
  public DelimiterNotFoundException(String message) {
    super(message);
  }
}
