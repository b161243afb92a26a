package dev.rondo.io;

import java.io.EOFException;

/// The peer ended the stream in the middle of something.
public final class EndOfStreamException extends EOFException {

  private static final long serialVersionUID = 1L;

  /// How many had come.
  private final int bytesRead;

  EndOfStreamException(String message, int bytesRead) {
    super(message);
    this.bytesRead = bytesRead;
  }

  /// {@return how many bytes of it had come, at least zero} Where they are now says the method that
  /// threw.
  public int bytesRead() {
    return bytesRead;
  }
}
