package dev.rondo.simulation.internal.net;

import java.net.InetSocketAddress;

/// The two addresses of a TCP connection, seen from one side.
///
/// @param local this side's
/// @param remote the peer's
record Flow(InetSocketAddress local, InetSocketAddress remote) {

  Flow reversed() {
    return new Flow(remote, local);
  }
}
