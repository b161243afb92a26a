package dev.rondo.io;

import java.net.SocketException;

/// The peer broke the connection: it reset it, or was gone when we wrote. What was sent before and
/// not answered may or may not have arrived. Not an end of stream, which a peer announces, see
/// [TcpSocket#read].
public final class ConnectionResetException extends SocketException {

  private static final long serialVersionUID = 1L;

  ConnectionResetException(String message, Throwable cause) {
    super(message, cause);
  }
}
