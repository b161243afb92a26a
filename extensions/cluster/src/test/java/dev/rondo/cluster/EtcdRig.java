package dev.rondo.cluster;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Nodes in one JVM, and an etcd by which they agree.
abstract class EtcdRig extends ClusterRig {

  @TempDir Path folder;
  EtcdProcess etcd;
  ClusterLimits limits = ClusterLimits.USUAL;

  @BeforeEach
  void startEtcd() throws Exception {
    etcd = new EtcdProcess(folder);
  }

  @Override
  @AfterEach
  void end() throws Exception {
    try {
      super.end();
    } finally {
      if (etcd != null) {
        etcd.close();
      }
    }
  }

  ClusterConfig config(String name, List<InetSocketAddress> members) {
    return ClusterConfig.of(name)
        .at(anyPort())
        .with(members)
        .limited(limits)
        .withEtcd(etcd.servers());
  }
}
