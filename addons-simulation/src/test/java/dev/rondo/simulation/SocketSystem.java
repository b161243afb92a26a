package dev.rondo.simulation;

import java.nio.channels.spi.SelectorProvider;

/// Where the contract of sockets must hold.
enum SocketSystem {

  /// The loopback of the kernel that the tests run on.
  KERNEL {
    @Override
    SelectorProvider provider() {
      return SelectorProvider.provider();
    }
  },

  /// The loopback of a simulated host.
  SIMULATION {
    @Override
    SelectorProvider provider() {
      return SimulatedNetwork.create().host("host", "10.0.0.1").provider();
    }
  };

  /// {@return what opens channels; for one test}
  abstract SelectorProvider provider();
}
