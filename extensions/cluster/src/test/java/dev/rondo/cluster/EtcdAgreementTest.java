package dev.rondo.cluster;

import dev.rondo.cluster.config.ClusterLimits;
import dev.rondo.cluster.config.ClusterLimits.Time;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Nodes agree by etcd.
final class EtcdAgreementTest extends EtcdRig implements AgreementContract {

  @Override
  public void inAllParts(Code code) throws Exception {
    limits = ClusterLimits.USUAL.with(Time.LEASE, TTL);
    var joined = new ArrayList<Node>();
    for (String name : List.of("a", "b", "c")) {
      List<InetSocketAddress> members =
          joined.isEmpty() ? List.of() : List.of(joined.getFirst().address());
      Node node = node(config(name, members));
      node.join();
      joined.add(node);
    }
    var parts = new ArrayList<CompletableFuture<Void>>();
    for (Node each : joined) {
      var part = new Part(parts.size(), true, each.scheduler, each.cluster);
      parts.add(
          each.begin(() -> {
            part.run(code);
            return null;
          }));
    }
    for (CompletableFuture<Void> each : parts) {
      var _ = result(each);
    }
  }
}
