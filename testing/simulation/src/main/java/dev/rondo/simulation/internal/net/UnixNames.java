package dev.rondo.simulation.internal.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// The names of the Unix sockets of a host: paths that are in no file system, so that there are no
/// directories and no permissions. A host that fails keeps them.
public final class UnixNames {

  /// The JDK accepts so many bytes of the 108 that Linux has.
  private static final int LONGEST_BYTES = 106;

  private static final class Entry {
    private final Endpoint socket;
    private boolean closed;

    Entry(Endpoint socket) {
      this.socket = socket;
    }
  }

  private final Map<Path, Entry> entries = new HashMap<>();

  private int unnamedListeners;

  UnixNames() {}

  private static Path key(Path name) {
    return name.toAbsolutePath().normalize();
  }

  private static void requireShort(Path name) throws IOException {
    if (name.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_BYTES) {
      throw SystemError.PATH_TOO_LONG.exception();
    }
  }

  /// {@return a name that no socket has had, for a listener that was given none}
  public Path free() {
    unnamedListeners++;
    return Path.of(System.getProperty("java.io.tmpdir"), "socket_" + unnamedListeners);
  }

  /// Gives a name to a socket. A name whose socket was closed is free: on a real host the program
  /// would have removed it.
  ///
  /// @throws IOException if another socket has it, or it is too long
  void bind(Path name, Endpoint socket) throws IOException {
    requireShort(name);
    Entry known = entries.get(key(name));
    if (known != null && !known.closed) {
      throw SystemError.ADDRESS_IN_USE.exception();
    }
    entries.put(key(name), new Entry(socket));
  }

  /// The socket with this name was closed. The name stays, and refuses connections.
  void closed(Path name, Endpoint socket) {
    Entry known = entries.get(key(name));
    if (known != null && known.socket == socket) {
      known.closed = true;
    }
  }

  /// Removes a name. Its socket goes on.
  ///
  /// @param name of a socket, or of none
  public void remove(Path name) {
    entries.remove(key(name));
  }

  /// Removes a name, unless another socket has it.
  ///
  /// @param name of a socket
  /// @param socket which one, closed or not
  public void remove(Path name, Endpoint socket) {
    Entry known = entries.get(key(name));
    if (known != null && known.socket == socket) {
      remove(name);
    }
  }

  /// {@return the listener with this name}
  ///
  /// @throws IOException if there is no such name, nothing listens there, or it is too long
  UnixListener listener(Path name) throws IOException {
    requireShort(name);
    Entry known = entries.get(key(name));
    if (known == null && !name.toString().isEmpty()) {
      throw SystemError.NO_SUCH_FILE.exception();
    }
    if (known != null && !known.closed && known.socket instanceof UnixListener listener) {
      return listener;
    }
    throw SystemError.CONNECTION_REFUSED.exception();
  }
}
