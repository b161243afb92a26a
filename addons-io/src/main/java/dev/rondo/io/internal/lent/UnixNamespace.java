package dev.rondo.io.internal.lent;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/// The paths of Unix sockets of a simulated host, which are not in the file system. A
/// [java.nio.channels.spi.SelectorProvider] that simulates a host implements this interface, too.
///
/// Called on the scheduler's thread. Never a suspension point.
public interface UnixNamespace {

  /// Binds a listener to a path, which appears with its permissions set and the socket listening. A
  /// path that a dead process has left is replaced.
  ///
  /// @param channel of this provider, not bound
  /// @param path where it is to listen
  /// @param permissions of the path: a process that may write may connect
  /// @param backlog how many connections may wait
  /// @return removes the path, unless another listener has replaced it; does not refer to the
  ///   caller
  /// @throws java.net.BindException if a process listens there or may do so, or if the path is not
  ///   a socket; the path stays as it is
  /// @throws IOException if the path cannot be created; nothing is left
  Closeable bind(
      ServerSocketChannel channel, Path path, Set<PosixFilePermission> permissions, int backlog)
      throws IOException;
}
