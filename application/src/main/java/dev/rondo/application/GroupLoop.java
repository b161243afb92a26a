package dev.rondo.application;

import dev.rondo.io.TcpListener;
import java.io.IOException;
import java.net.InetSocketAddress;

/// One loop of a [LoopGroup], as the tasks on it see it.
///
/// @param group it belongs to
/// @param app the application that runs on it
/// @param index from 0
/// @param name of its thread
public record GroupLoop(LoopGroup group, Application app, int index, String name) {

  private static final int BACKLOG = 1_024;

  /// Listens on a port that all loops of the group share: by `SO_REUSEPORT` the system deals new
  /// connections out, by a hash of their addresses; a connection stays on its loop. When one loop
  /// closes its listener, connections in that listener's backlog are reset, so end all loops
  /// together. Linux deals out evenly; some systems give all connections to one listener.
  ///
  /// On the loop's thread. Never a suspension point.
  ///
  /// @param address resolved; with port 0 the first loop gets any free port, and the others the
  ///   same: one such listener per group and interface
  /// @return the listener of this loop, which the caller closes
  /// @throws UnsupportedOperationException if the system has no `SO_REUSEPORT`
  /// @throws IOException if the port is in use, also without that option
  public TcpListener listen(InetSocketAddress address) throws IOException {
    return group.listen(app, address, BACKLOG);
  }
}
