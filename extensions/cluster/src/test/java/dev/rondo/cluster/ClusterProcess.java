package dev.rondo.cluster;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.members.MembersChange;
import dev.rondo.condition.channel.Subscription;
import dev.rondo.scheduler.Scheduler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/// A member with a process of its own. Prints its port, and the members whenever they change.
///
/// Arguments: its name, and the port of a member, or 0 to found a cluster.
final class ClusterProcess {

  private ClusterProcess() {}

  public static void main(String[] args) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    int port = Integer.parseInt(args[1]);
    List<InetSocketAddress> members =
        port == 0 ? List.of() : List.of(new InetSocketAddress(loopback, port));
    ClusterConfig config =
        ClusterConfig.of(args[0]).at(new InetSocketAddress(loopback, 0)).with(members);
    try (Scheduler scheduler = Scheduler.builder().build()) {
      WaitForCluster cluster = WaitForCluster.on(scheduler, config);
      scheduler.spawn(
          "main",
          () -> {
            cluster.join();
            IO.println("port " + cluster.address().orElseThrow().getPort());
            try (Subscription<MembersChange> changes = cluster.changes()) {
              while (true) {
                IO.println("members " + cluster.members().get().all());
                var _ = changes.receive();
              }
            }
          });
      scheduler.start();
    }
  }
}
