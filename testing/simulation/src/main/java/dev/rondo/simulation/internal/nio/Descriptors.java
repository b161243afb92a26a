package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.SystemError;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;

/// The descriptors that a channel or selector holds until it is closed.
final class Descriptors {

  private final Host host;
  private final Closeable owner;
  private final int count;
  private boolean closed;

  private Descriptors(Host host, Closeable owner, int count) {
    this.host = host;
    this.owner = owner;
    this.count = count;
  }

  /// Opens some.
  ///
  /// @param owner is closed if the host crashes
  /// @throws IOException if the host has not so many left, or no program runs on it
  static Descriptors open(Host host, Closeable owner, int count) throws IOException {
    host.network().enter();
    if (!host.isRunning()) {
      throw new SocketException("Network is down: host '%s' %s".formatted(host, host.condition()));
    }
    if (!host.files().open(owner, count)) {
      throw SystemError.TOO_MANY_FILES.exception();
    }
    return new Descriptors(host, owner, count);
  }

  /// Closes them.
  ///
  /// @return false if they were closed before
  boolean close() {
    if (closed) {
      return false;
    }
    closed = true;
    host.files().close(owner, count);
    return true;
  }
}
