package com.acme.threads;

import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.BlockingJava;
import java.time.Duration;

/// Runs a world that stands still for ever, in a JVM of its own.
public final class Stuck {

  private Stuck() {}

  /// One thread keeps a monitor and sleeps, the other one wants it and cannot leave its stack.
  public static void main(String[] arguments) {
    var monitor = new Object();
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host(
          "host",
          host -> {
            new Thread(() -> keep(monitor)).start();
            Thread.sleep(1);
            Threads.entering(monitor);
          });
      world.runFor(Duration.ofHours(1));
    }
  }

  private static void keep(Object monitor) {
    synchronized (monitor) {
      try {
        Thread.sleep(1000);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
