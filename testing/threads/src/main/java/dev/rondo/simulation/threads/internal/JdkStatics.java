package dev.rondo.simulation.threads.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Collections;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;

/// What the JDK keeps for all programs, and counts or draws, where no program can have its own: it
/// begins again with each world.
final class JdkStatics {

  private JdkStatics() {}

  /// @param seed of the world
  /// @throws IllegalStateException if this JDK keeps them in another way
  static void begin(long seed) {
    var seeds = new SplittableRandom(seed);
    try {
      variable(ForkJoinPool.class, "poolIds", int.class).set(0);
      variable(Collections.class, "r", Random.class).set(new Random(seeds.nextLong()));
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "Java " + Runtime.version() + " keeps its counters in another way", e);
    }
  }

  private static VarHandle variable(Class<?> type, String field, Class<?> of)
      throws ReflectiveOperationException {
    return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
        .findStaticVarHandle(type, field, of);
  }
}
