package dev.rondo.application;

import java.io.IOException;
import java.net.InetSocketAddress;

/// One loop of a [LoopGroup], as the tasks on it see it. A loop that is restarted is another one,
/// with the same index and name.
///
/// Confined to the thread of the loop, except where a method says otherwise.
public final class GroupLoop {

  private final LoopGroup group;
  private final Application app;
  private final int index;
  private final String name;

  GroupLoop(LoopGroup group, Application app, int index, String name) {
    this.group = group;
    this.app = app;
    this.index = index;
    this.name = name;
  }

  /// {@return the group it belongs to} Any thread.
  public LoopGroup group() {
    return group;
  }

  /// {@return the application that runs on it} Any thread.
  public Application app() {
    return app;
  }

  /// {@return its number in the group, from 0} Any thread.
  public int index() {
    return index;
  }

  /// {@return the name of its thread} Any thread.
  public String name() {
    return name;
  }

  /// Listens on a port that all loops of the group share, see [AcceptSharing]. A connection stays
  /// on the loop that accepts it. On the loop's thread. Never a suspension point.
  ///
  /// @param address resolved; with port 0 the first loop finds a free port, and the others share
  ///   it. If a loop does so several times on one interface, the first is shared with the first of
  ///   the others, and so on
  /// @return the listener of this loop, which the caller closes; the loop closes it at its end
  /// @throws UnsupportedOperationException if the group is to reuse ports, and the system cannot
  /// @throws java.net.BindException if the port is in use, also by this loop
  /// @throws IOException if it failed otherwise
  public LoopListener listen(InetSocketAddress address) throws IOException {
    return LoopPorts.of(this, group.ports()).listen(address);
  }

  @Override
  public String toString() {
    return "loop '" + name + "'";
  }
}
