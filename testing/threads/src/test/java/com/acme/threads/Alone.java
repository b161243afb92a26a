package com.acme.threads;

import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.BlockingJava;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Runs worlds in a JVM of its own, and prints their digests, or why it cannot.
public final class Alone {

  private Alone() {}

  /// Runs a world twice.
  public static void main(String[] arguments) {
    try {
      System.out.println(run() + " " + run());
    } catch (IllegalStateException e) {
      System.out.println(e.getMessage());
    }
  }

  private static List<Object> run() {
    var told = new ArrayList<Object>();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host(
          "host",
          host -> {
            told.addAll(Threads.chance());
            told.addAll(Threads.order());
            Object _ = Threads.interrupted();
          });
      world.runFor(Duration.ofHours(1));
      told.add(world.digest());
    }
    return told;
  }
}
