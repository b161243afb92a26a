package dev.rondo.simulation.blocking.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.Collections;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// What the JDK keeps for all programs, and counts or draws: it begins again with each world.
final class JdkStatics {

  private JdkStatics() {}

  /// @param seed of the world
  /// @throws IllegalStateException if this JDK keeps them in another way
  static void begin(long seed) {
    var seeds = new SplittableRandom(seed);
    try {
      ((AtomicInteger) of("java.util.concurrent.Executors$DefaultThreadFactory", "poolNumber"))
          .set(1);
      ((AtomicInteger) of(Timer.class.getName(), "nextSerialNumber")).set(0);
      ((AtomicLong) of(Random.class.getName(), "seedUniquifier")).set(seeds.nextLong());
      ((AtomicLong) of(SplittableRandom.class.getName(), "defaultGen")).set(seeds.nextLong());
      variable(ForkJoinPool.class, "poolIds", int.class).set(0);
      variable(Collections.class, "r", Random.class).set(new Random(seeds.nextLong()));
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new IllegalStateException(
          "Java " + Runtime.version() + " keeps its counters in another way", e);
    }
  }

  private static Object of(String type, String field) throws ReflectiveOperationException {
    Field found = Class.forName(type).getDeclaredField(field);
    found.setAccessible(true);
    return found.get(null);
  }

  private static VarHandle variable(Class<?> type, String field, Class<?> of)
      throws ReflectiveOperationException {
    return MethodHandles.privateLookupIn(type, MethodHandles.lookup())
        .findStaticVarHandle(type, field, of);
  }
}
