package dev.rondo.io;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketException;

/// Tells the operating system's failures by type, with what was tried in the message.
final class Failures {

  private Failures() {}

  /// @param operation what was tried, on what
  /// @param e as the JDK tells it
  static IOException of(Object operation, IOException e) {
    String message = operation + ": " + reason(e);
    IOException told =
        switch (e) {
          case ConnectException refused -> new ConnectException(message);
          case NoRouteToHostException unreachable -> new NoRouteToHostException(message);
          case PortUnreachableException nobody -> new PortUnreachableException(message);
          case BindException inUse -> new BindException(message);
          default ->
              isReset(e)
                  ? new ConnectionResetException(message, e)
                  : e instanceof SocketException
                      ? new SocketException(message, e)
                      : new IOException(message, e);
        };
    if (told.getCause() == null) {
      told.initCause(e);
    }
    return told;
  }

  /// A reset that a read has found is told in the JDK's own words, one that a write has found in
  /// the system's, see [SystemErrors]; neither by a type.
  static boolean isReset(IOException e) {
    if (e.getCause() instanceof IOException cause && isReset(cause)) {
      return true; // told by something between
    }
    String text = reason(e);
    return text.equals("Connection reset")
        || text.equals("Broken pipe")
        || text.equals("Connection reset by peer")
        || (e.getClass() == IOException.class && SystemErrors.ofResets().contains(text));
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /// Throws what a [java.util.function.Function] cannot declare: the caller's caller does.
  @SuppressWarnings("unchecked")
  static <X extends Throwable> RuntimeException rethrow(Throwable failure) throws X {
    throw (X) failure;
  }
}
