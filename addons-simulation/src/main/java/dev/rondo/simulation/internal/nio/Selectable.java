package dev.rondo.simulation.internal.nio;

import dev.rondo.simulation.internal.net.Endpoint;

/// What a selector needs of a channel.
interface Selectable {

  Endpoint endpoint();

  /// {@return the operations of an interest that are ready}
  ///
  /// @param bits what [Endpoint#poll()] reports
  /// @param interest bits of [java.nio.channels.SelectionKey]
  int ready(int bits, int interest);

  /// The last selector has released the channel, which was closed before.
  void kill();

  /// {@return the operations that are ready if the system reports an error or a hang-up: all, so
  /// that the next operation shows it}
  static boolean concernsAll(int bits) {
    return (bits & (Endpoint.ERROR | Endpoint.HANG_UP)) != 0;
  }
}
