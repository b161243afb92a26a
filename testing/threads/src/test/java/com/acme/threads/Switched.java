package com.acme.threads;

import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.BlockingJava;
import dev.rondo.simulation.threads.hook.Hook;

/// Tells whether threads are simulated before and after there is a first world, in a JVM of its
/// own.
public final class Switched {

  private Switched() {}

  /// Prints `false, true`.
  public static void main(String[] arguments) {
    boolean before = isSimulated();
    World world = BlockingJava.in(World.withSeed(7));
    boolean after = isSimulated();
    world.close();
    System.out.println(before + ", " + after);
  }

  /// Says that the calling thread is one of a program, and asks for what that sees.
  private static boolean isSimulated() {
    var shown = new Thread(() -> {});
    Thread own = Thread.currentThread();
    Hook.enter(own, shown, null);
    try {
      return Hook.currentThread() == shown;
    } finally {
      Hook.leave();
    }
  }
}
