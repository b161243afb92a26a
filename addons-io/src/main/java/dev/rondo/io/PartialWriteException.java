package dev.rondo.io;

import java.io.IOException;

/// How many bytes were written when a write was cancelled, timed out, closed or broken. It is never
/// thrown; it is a suppressed exception of the thrown one.
public final class PartialWriteException extends IOException {

  private static final long serialVersionUID = 1L;

  /// How many bytes the system has taken.
  private final long bytesWritten;

  /// How many bytes it has not taken.
  private final long bytesLeft;

  /// For authors of channels that are layered on this package's channels.
  ///
  /// @param what what was tried, on what
  /// @param bytesWritten how many bytes the system has taken
  /// @param bytesLeft how many bytes it has not taken
  public PartialWriteException(String what, long bytesWritten, long bytesLeft) {
    super("%s: written=%d bytes, left=%d bytes".formatted(what, bytesWritten, bytesLeft), null);
    this.bytesWritten = bytesWritten;
    this.bytesLeft = bytesLeft;
  }

  /// {@return how many bytes the operating system has taken, at least zero}
  public long bytesWritten() {
    return bytesWritten;
  }

  /// {@return how many bytes it has not taken}
  public long bytesLeft() {
    return bytesLeft;
  }
}
