package dev.rondo.io;

import java.io.EOFException;

/// The peer ended the stream in the middle of a message.
public final class EndOfStreamException extends EOFException {

  private static final long serialVersionUID = 1L;

  /// How many bytes had arrived.
  private final int bytesRead;

  /// For authors of channels that are layered on this package's channels.
  ///
  /// @param message what was tried, on what
  /// @param bytesRead how many bytes had arrived
  public EndOfStreamException(String message, int bytesRead) {
    super(message);
    this.bytesRead = bytesRead;
  }

  /// {@return how many bytes had arrived, at least zero} The method that throws this exception
  /// documents where they are.
  public int bytesRead() {
    return bytesRead;
  }
}
