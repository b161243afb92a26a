package com.acme.threads;

import dev.rondo.application.Chance;
import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.BlockingJava;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Threads of a pool that may be unlucky.
public final class Unlucky {

  private static final int TIMES = 200;

  private Unlucky() {}

  /// A class whose initialiser may be.
  public static final class Once {

    /// Whether it was.
    public static final boolean WAS = any();

    private Once() {}

    private static boolean any() {
      boolean was = false;
      for (int i = 0; i < TIMES; i++) {
        was |= Chance.rarely("place " + i);
      }
      return was;
    }
  }

  /// {@return when they were, in the run of a seed}
  public static List<Boolean> lots(long seed) {
    var lots = new ArrayList<Boolean>();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      world.host(
          "host",
          host -> {
            lots.add(Once.WAS);
            try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
              for (int i = 0; i < TIMES; i++) {
                int place = i % 10;
                lots.add(pool.submit(() -> Chance.rarely("place " + place)).get());
              }
            }
          });
      world.runFor(Duration.ofHours(1));
    }
    return lots;
  }
}
