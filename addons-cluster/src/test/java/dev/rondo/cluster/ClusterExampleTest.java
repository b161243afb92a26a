package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.Scheduler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The programs of docs/cluster.md.
final class ClusterExampleTest {

  private static WaitForCluster join(
      Scheduler scheduler, String name, InetSocketAddress here, List<InetSocketAddress> others)
      throws IOException {
    ClusterConfig config = ClusterConfig.of(name).in("shop").at(here).with(others);
    WaitForCluster cluster = WaitForCluster.on(scheduler, config);
    cluster.join();
    return cluster;
  }

  private static List<String> twoOrders(WaitForCluster cluster) {
    try (Mailbox<String> orders = cluster.mailbox("orders", Codec.utf8())) {
      return List.of(orders.receive(), orders.receive());
    }
  }

  private static void order(WaitForCluster cluster) {
    RemoteMailbox<String> orders = cluster.to("stock", "orders", Codec.utf8());
    var _ = orders.send("three apples"); // at most once
    orders.send("a pear").awaitTaken(); // returns when a task of `stock` has it
  }

  @Test
  void orders_arrive() throws Exception {
    try (Scheduler stock = Scheduler.create()) {
      var received =
          stock.spawn(() -> {
            WaitForCluster cluster = join(stock, "stock", ClusterRig.anyPort(), List.of());
            till(cluster.address().orElseThrow());
            return twoOrders(cluster);
          });
      stock.start();
      assertEquals(List.of("three apples", "a pear"), received.join());
    }
  }

  /// The other member has a thread of its own.
  private static void till(InetSocketAddress stock) {
    var _ =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try (Scheduler till = Scheduler.create()) {
                till.spawn(() -> order(join(till, "till", ClusterRig.anyPort(), List.of(stock))));
                till.start();
              }
            });
  }
}
