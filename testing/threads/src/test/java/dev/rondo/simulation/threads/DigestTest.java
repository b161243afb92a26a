package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Writes;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// The digest of a world with programs that are written for threads.
final class DigestTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void digest_otherBytesWritten_isAnother() {
    Writes.ways()
        .forEach((name, way) -> {
          assertEquals(digest(way, "one"), digest(way, "one"), name);
          assertNotEquals(digest(way, "one"), digest(way, "two"), name);
        });
  }

  private static long digest(Writes.Way way, String text) {
    try (World world = BlockingJava.in(World.withSeed(7))) {
      world.host("host", host -> way.write(text));
      world.runFor(HOUR);
      return world.digest();
    }
  }

  @Test
  void checkDeterminism_somethingFromOutside_saysWhichThreadHasReadIt() {
    var millis = new AtomicLong(1_000);
    var error =
        assertThrows(
            SimulationFailedError.class,
            () ->
                World.checkDeterminism(
                    7,
                    given -> {
                      World world = BlockingJava.in(given);
                      world.host("host", host -> Writes.sleep(millis::getAndIncrement));
                      world.runFor(HOUR);
                    }));
    String[] said = error.getMessage().split("the turn before was that of ", -1);
    assertEquals(2, said.length, error.getMessage());
    String culprit = said[1];
    assertTrue(culprit.contains("task 'sleeper' of host 'host'"), culprit);
    assertTrue(culprit.contains("has read last the memory of the JVM = "), culprit);
    assertTrue(culprit.contains("at com.acme.threads.Writes.sleepFor("), culprit);
  }
}
