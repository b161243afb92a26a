package dev.rondo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.application.Application;
import dev.rondo.cluster.WaitForCluster;
import dev.rondo.scheduler.Task;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// The members have a thread each here, and not a process.
final class OrdersTest {

  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void ordersOfATill_arriveAtTheStockInOrder() throws Exception {
    var stock = new CompletableFuture<InetSocketAddress>();
    Thread till =
        Thread.ofPlatform()
            .start(() ->
                Application.run(app -> {
                  InetSocketAddress there = app.await(app.scheduler().completion(stock));
                  Orders.till(app, Orders.cluster(app, "till", ANY_PORT, List.of(there)));
                }));
    Application.run(app -> {
      WaitForCluster cluster = Orders.cluster(app, "stock", ANY_PORT, List.of());
      Task<List<String>> taken = app.spawn("stock", () -> Orders.stock(cluster));
      app.waitFor(cluster::isJoined);
      stock.complete(cluster.address().orElseThrow());
      assertEquals(List.of("three apples", "a pear"), taken.join());
    });
    till.join();
  }
}
