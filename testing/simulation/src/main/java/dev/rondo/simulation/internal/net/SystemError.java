package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;

/// Errors of Linux, as the JDK reports them.
public enum SystemError {
  ADDRESS_IN_USE("Address already in use"),
  ADDRESS_NOT_AVAILABLE("Cannot assign requested address"),
  BROKEN_PIPE("Broken pipe"),
  CONNECTION_REFUSED("Connection refused"),
  CONNECTION_RESET("Connection reset by peer"),
  MESSAGE_TOO_LONG("Message too long"),
  NO_ROUTE("No route to host"),
  NO_SUCH_FILE("No such file or directory"),
  NETWORK_UNREACHABLE("Network is unreachable"),
  PATH_TOO_LONG("Unix domain path too long"),
  PERMISSION_DENIED("Permission denied"),
  PORT_UNREACHABLE("Connection refused"),
  TIMED_OUT("Connection timed out"),
  TOO_MANY_FILES("Too many open files"),
  TRY_AGAIN("Resource temporarily unavailable");

  private final String text;

  SystemError(String text) {
    this.text = text;
  }

  /// {@return whether a failure says that the peer has reset a connection}
  ///
  /// @param e made by [#exception()]
  public static boolean isReset(IOException e) {
    return CONNECTION_RESET.text.equals(e.getMessage());
  }

  /// {@return the exception for this error of a connection that was established}
  public IOException ioException() {
    return new IOException(text);
  }

  /// {@return the exception for this error}
  public IOException exception() {
    return switch (this) {
      case ADDRESS_IN_USE, ADDRESS_NOT_AVAILABLE, PERMISSION_DENIED -> new BindException(text);
      case CONNECTION_REFUSED, TIMED_OUT -> new ConnectException(text);
      case NO_ROUTE -> new NoRouteToHostException(text);
      case PORT_UNREACHABLE -> new PortUnreachableException();
      case MESSAGE_TOO_LONG,
          NETWORK_UNREACHABLE,
          NO_SUCH_FILE,
          PATH_TOO_LONG,
          TOO_MANY_FILES,
          TRY_AGAIN ->
          new SocketException(text);
      case BROKEN_PIPE, CONNECTION_RESET -> new IOException(text);
    };
  }
}
