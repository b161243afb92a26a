package dev.rondo.condition.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/// The seed of the randomised tests: printed, settable with `-Drondo.test.seed=N`, and the same for
/// all backends of a run, so that their traces can be compared.
final class Seeds {

  private static final long SEED = Long.getLong("rondo.test.seed", new Random().nextLong());

  /// The trace of each test on the first backend that it ran on.
  private static final Map<String, String> TRACES = new ConcurrentHashMap<>();

  static {
    System.out.println("channel tests: -Drondo.test.seed=" + SEED);
  }

  private Seeds() {}

  static Random random(String test) {
    return new Random(SEED ^ test.hashCode());
  }

  static String hint() {
    return "-Drondo.test.seed=" + SEED;
  }

  /// The same seed makes the same trace on every backend.
  static void assertSameTrace(String test, String trace) {
    String earlier = TRACES.putIfAbsent(test, trace);
    if (earlier != null) {
      assertEquals(earlier, trace, hint());
    }
  }
}
