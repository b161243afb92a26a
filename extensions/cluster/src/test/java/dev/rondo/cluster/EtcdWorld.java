package dev.rondo.cluster;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterTls;
import dev.rondo.cluster.config.EtcdServers;
import dev.rondo.cluster.simulation.SimulatedEtcd;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// The etcd of a world in a test, on a host of its own.
final class EtcdWorld {

  static final String ADDRESS = "10.0.0.99";

  private EtcdWorld() {}

  static WorldHost addTo(World world) {
    return world.host("etcd", ADDRESS, SimulatedEtcd::run);
  }

  static EtcdServers servers() {
    return EtcdServers.secured(
        ClusterTls.simulated(),
        new InetSocketAddress(InetAddress.ofLiteral(ADDRESS), SimulatedEtcd.PORT));
  }

  static ClusterConfig by(ClusterConfig config) {
    return config.withEtcd(servers());
  }
}
