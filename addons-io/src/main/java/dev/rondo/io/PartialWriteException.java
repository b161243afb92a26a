package dev.rondo.io;

import java.io.IOException;

/// How far a write came that was cancelled, timed out, closed or broken. Never thrown itself: it is
/// found among the suppressed exceptions of what was thrown.
public final class PartialWriteException extends IOException {

  private static final long serialVersionUID = 1L;

  /// How many were handed over.
  private final long bytesWritten;

  /// How many were not.
  private final long bytesLeft;

  PartialWriteException(String what, long bytesWritten, long bytesLeft) {
    super("%s: written=%d bytes, left=%d bytes".formatted(what, bytesWritten, bytesLeft), null);
    this.bytesWritten = bytesWritten;
    this.bytesLeft = bytesLeft;
  }

  /// {@return how many bytes were handed to the operating system, at least zero}
  public long bytesWritten() {
    return bytesWritten;
  }

  /// {@return how many bytes were not}
  public long bytesLeft() {
    return bytesLeft;
  }
}
