package dev.rondo.simulation.blocking;

import dev.rondo.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/// HikariCP and the TCP server of H2 as they are, on hosts of a world.
final class DatabaseTest {

  @Test
  void orders_areInTheDatabase() {
    int different = 0;
    for (int seed = 0; seed < 6; seed++) {
      String a = run(seed), b = run(seed);
      if (!a.equals(b)) {
        different++;
        System.out.println(a + "\n" + b);
      }
    }
    System.out.println("different: " + different);
    World.checkDeterminism(3, w -> run(BlockingJava.in(w)));
  }

  static int db;

  static String run(long seed) {
    long begin = System.nanoTime();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      String r = run(world);
      System.out.println(r + " " + (System.nanoTime() - begin) / 1_000_000 + " ms");
      return r;
    }
  }

  static String run(World world) {
    String name = "db" + (1000 + db++);
    var counts = new ArrayList<Integer>();
    world.host(
        "database",
        BlockingJava.main("org.h2.tools.Server", "-tcp", "-tcpAllowOthers", "-ifNotExists"));
    var failed = new ArrayList<String>();
    world.host(
        "service",
        BlockingJava.program(
            com.acme.threads.OrderProgram.class,
            failed,
            (java.util.function.IntConsumer) counts::add));
    world.runUntil(() -> !counts.isEmpty(), Duration.ofHours(1));
    return world.elapsed() + " " + world.digest() + failed;
  }
}
