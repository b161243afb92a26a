package dev.rondo.simulation.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.acme.threads.Orders;
import dev.rondo.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// HikariCP and the TCP server of H2 as they are, on hosts of a world.
final class DatabaseTest {

  @Test
  void orders_areInTheDatabase() {
    var counts = new ArrayList<Integer>();
    long begin = System.nanoTime();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("database", host -> Orders.database());
      world.host(
          "service",
          host -> {
            Thread.sleep(1000);
            var service = new Orders.Service("database", "db1", 5);
            service.prepare();
            service.run(10, 100, 1000);
            counts.add(service.count());
            System.out.println(service.failed);
          });
      world.runUntil(() -> !counts.isEmpty(), Duration.ofHours(1));
      System.out.println(world.elapsed() + " " + world.digest());
    }
    System.out.println((System.nanoTime() - begin) / 1_000_000 + " ms");
    assertEquals(100, counts.getFirst());
  }
}
