package dev.rondo.simulation.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.acme.threads.TimedWaits;
import dev.rondo.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each wait of the JDK that ends by itself, in virtual time.
final class TimedWaitsTest {

  private static final long SEED = 7;

  static Collection<String> waits() {
    return TimedWaits.all().keySet();
  }

  @ParameterizedTest
  @MethodSource("waits")
  void wait_ofTenSeconds_takesTenSecondsOfVirtualTime(String name) {
    var elapsed = new ArrayList<Duration>();
    long first = run(name, elapsed);
    long second = run(name, elapsed);
    assertEquals(List.of(Duration.ofSeconds(10), Duration.ofSeconds(10)), elapsed);
    assertEquals(first, second, "the digests of two runs with the same seed");
  }

  /// {@return the digest}
  private static long run(String name, List<Duration> elapsed) {
    try (World world = BlockingJava.in(World.withSeed(SEED))) {
      int before = elapsed.size();
      world.host(
          "host",
          host -> {
            TimedWaits.all().get(name).run();
            elapsed.add(world.elapsed());
          });
      world.runUntil(() -> elapsed.size() > before, Duration.ofHours(1));
      return world.digest();
    }
  }
}
