package dev.rondo.io;

import java.net.SocketException;

/// The peer broke the connection: it sent a reset, or was gone at the time of a write. Bytes that
/// were sent before and not answered may or may not have arrived. An end of stream that the peer
/// announces is not an exception, see [TcpSocket#read].
public final class ConnectionResetException extends SocketException {

  private static final long serialVersionUID = 1L;

  /// For authors of channels that are layered on this package's channels.
  ///
  /// @param message what was tried, on what
  /// @param cause the failure that showed it
  public ConnectionResetException(String message, Throwable cause) {
    super(message, cause);
  }
}
