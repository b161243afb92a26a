package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Host;
import dev.rondo.simulation.internal.net.SystemError;
import java.io.IOException;

/// The descriptors that a channel, pipe or selector holds until it is closed.
final class Descriptors {

  private final Host host;
  private final int count;
  private boolean closed;

  private Descriptors(Host host, int count) {
    this.host = host;
    this.count = count;
  }

  /// Opens some.
  ///
  /// @throws IOException if the host has not so many left
  static Descriptors open(Host host, int count) throws IOException {
    host.network().enter();
    if (!host.openDescriptors(count)) {
      throw SystemError.TOO_MANY_FILES.exception();
    }
    return new Descriptors(host, count);
  }

  /// Closes them.
  ///
  /// @return false if they were closed before
  boolean close() {
    if (closed) {
      return false;
    }
    closed = true;
    host.closeDescriptors(count);
    return true;
  }
}
