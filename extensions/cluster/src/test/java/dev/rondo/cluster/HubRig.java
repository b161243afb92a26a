package dev.rondo.cluster;

import dev.rondo.cluster.config.ClusterConfig;
import org.junit.jupiter.api.AfterEach;

/// Nodes of a cluster in one JVM, whose frames a thread carries.
abstract class HubRig extends ClusterRig {

  final MemoryHub hub = new MemoryHub();

  /// The nodes need it to give back their leases.
  @Override
  @AfterEach
  void end() throws Exception {
    super.end();
    hub.close();
  }

  /// A voter that has joined, of `a`, `b` and `c`.
  Node member(String name) throws Exception {
    ClusterConfig config = ClusterConfig.of(name).at(anyPort());
    Node node = node(config, hub::engine);
    node.join();
    return node;
  }
}
