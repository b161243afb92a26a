package dev.rondo.simulation;

import dev.rondo.simulation.internal.nio.HostProvider;
import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where the contract of sockets must hold.
enum SocketSystem {

  /// The loopback of the kernel that the tests run on.
  KERNEL {
    @Override
    SelectorProvider provider() {
      return SelectorProvider.provider();
    }

    @Override
    void delete(SelectorProvider provider, Path path) throws IOException {
      Files.delete(path);
    }
  },

  /// The loopback of a simulated host.
  SIMULATION {
    @Override
    SelectorProvider provider() {
      return new SimulatedNetwork().host("host", "10.0.0.1").provider();
    }

    @Override
    void delete(SelectorProvider provider, Path path) {
      ((HostProvider) provider).remove(path);
    }
  };

  /// {@return what opens channels; for one test}
  abstract SelectorProvider provider();

  /// Removes the name of a Unix socket.
  abstract void delete(SelectorProvider provider, Path path) throws IOException;
}
