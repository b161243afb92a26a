package dev.rondo.simulation;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.application.Application;
import dev.rondo.io.file.OpenFile;
import dev.rondo.io.file.WaitForFile;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Chaos on the disks of hosts, as a program that writes a growing file experiences it.
@EveryBackend
final class ChaosOfDisksTest extends BackendTest {

  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String BROKEN = "Input/output error";
  private static final String FULL = "No space left on device";
  private static final int BLOCK = 4096;

  private World world;
  private WorldHost host;

  /// How often an operation has failed, as `write: reason`.
  private final TreeMap<String, Integer> failures = new TreeMap<>();

  private int rounds;
  private Duration slowest = Duration.ZERO;

  @BeforeEach
  void open() {
    world = World.withSeed(42).applications(it -> it.backend(backend));
    host = world.host("host", this::write);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void write(WorldHost own) throws IOException {
    Application app = own.application();
    WaitForFile files = WaitForFile.on(app.scheduler());
    try (OpenFile file = files.open(own.disk().path("/file"), CREATE, WRITE, READ)) {
      while (true) {
        app.sleep(PERIOD);
        Duration begin = world.elapsed();
        long at = (long) rounds * BLOCK;
        attempt("write", () -> file.write(ByteBuffer.allocate(BLOCK), at));
        attempt("read", () -> file.read(ByteBuffer.allocate(1), 0));
        attempt("sync", file::sync);
        Duration passed = world.elapsed().minus(begin);
        slowest = passed.compareTo(slowest) > 0 ? passed : slowest;
        rounds++;
      }
    }
  }

  private interface Attempt {
    void make() throws IOException;
  }

  private void attempt(String name, Attempt attempt) {
    try {
      attempt.make();
    } catch (IOException e) {
      String reason = e.getMessage().substring(e.getMessage().lastIndexOf(':'));
      int _ = failures.merge(name + reason, 1, Integer::sum);
    }
  }

  /// Lets an hour of chaos pass, and checks that nothing of it is left afterwards.
  private void anHourOf(Chaos chaos) {
    world.chaos(chaos.atMostDown(0));
    world.runFor(HOUR);
    world.heal();
    world.runFor(PERIOD.multipliedBy(2)); // what was written back in part is reported
    TreeMap<String, Integer> before = new TreeMap<>(failures);
    int roundsBefore = rounds;
    slowest = Duration.ZERO;
    world.runFor(Duration.ofMinutes(1));
    assertEquals(before, failures, "failed after heal()");
    assertEquals(Duration.ZERO, slowest);
    assertEquals(12, rounds - roundsBefore);
  }

  /// A fault is under way 1/7 of the time.
  private void assertSome(double part, String failure) {
    int count = failures.getOrDefault(failure, 0);
    assertEquals(part * rounds / 7, count, part * rounds / 14, failures::toString);
  }

  @Test
  void diskErrors_failSomeReadsAndWrites() {
    anHourOf(Chaos.diskErrors(0.5));
    assertEquals(Set.of("read: " + BROKEN, "write: " + BROKEN), failures.keySet());
    assertSome(0.5, "read: " + BROKEN);
    assertSome(0.5, "write: " + BROKEN);
  }

  @Test
  void forceFailures_failSomeForces() {
    anHourOf(Chaos.forceFailures(0.5));
    assertEquals(Set.of("sync: " + BROKEN), failures.keySet());
    assertSome(0.5, "sync: " + BROKEN);
  }

  @Test
  void fullDisks_haveNoRoom() {
    anHourOf(Chaos.fullDisks());
    assertEquals(Set.of("write: " + FULL), failures.keySet());
    assertSome(1, "write: " + FULL);
  }

  @Test
  void slowDisks_takeLonger() {
    Duration most = Duration.ofMillis(300);
    world.chaos(Chaos.slowDisks(most).atMostDown(0));
    world.runFor(HOUR);
    assertTrue(slowest.compareTo(most) > 0, slowest::toString);
    assertTrue(slowest.compareTo(most.multipliedBy(3)) <= 0, slowest::toString);
    world.heal();
    anHourOf(Chaos.slowDisks(most));
    assertEquals(Set.of(), failures.keySet());
  }

  @Test
  void settingsOfTheTest_stay() {
    host.disk().capacity(10 * BLOCK);
    world.chaos(
        Chaos.diskErrors(1)
            .and(Chaos.fullDisks())
            .and(Chaos.slowDisks(HOUR))
            .every(PERIOD)
            .lasting(HOUR)
            .atMostDown(0));
    world.runFor(Duration.ofMinutes(1));
    host.disk().noFailures();
    failures.clear();
    world.runUntil(() -> failures.containsKey("read: " + BROKEN), HOUR.multipliedBy(10));
    world.heal();
    world.runFor(HOUR.multipliedBy(4)); // slow operations end
    rounds = 0;
    world.runUntil(() -> rounds == 20, HOUR);
    failures.clear();
    rounds = 0;
    world.runUntil(() -> rounds == 20, HOUR);
    // the file has its blocks, and the test's capacity leaves no room for more
    assertEquals(Set.of("write: " + FULL), failures.keySet());
    assertEquals(10, failures.get("write: " + FULL));
  }

  @Test
  void badSizes_areRefused() {
    for (double part : new double[] {0, -0.1, 1.1, Double.NaN}) {
      assertThrows(IllegalArgumentException.class, () -> Chaos.diskErrors(part));
      assertThrows(IllegalArgumentException.class, () -> Chaos.forceFailures(part));
    }
    assertThrows(IllegalArgumentException.class, () -> Chaos.slowDisks(Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> Chaos.slowDisks(Duration.ofDays(366)));
  }
}
