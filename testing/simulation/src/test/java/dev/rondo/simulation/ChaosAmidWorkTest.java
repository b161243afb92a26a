package dev.rondo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Faults that begin while a host does something.
@EveryBackend
final class ChaosAmidWorkTest extends BackendTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private World world(long seed) {
    return World.withSeed(seed).applications(it -> it.backend(backend));
  }

  private void assumeMortal() {
    assumeTrue(backend.sharesThread());
  }

  /// Eight bytes, of which the second half is written after the first, in one turn.
  private static void writes(WorldHost host) throws IOException {
    Path path = host.disk().path("/pair");
    while (true) {
      host.application().sleep(SECOND);
      try (FileChannel file = FileChannel.open(path, CREATE, WRITE)) {
        String count = "%04d".formatted(host.random().nextInt(1_000));
        file.write(ByteBuffer.wrap(count.getBytes(UTF_8)));
        file.write(ByteBuffer.wrap(count.getBytes(UTF_8)));
      }
    }
  }

  /// How often the program was found to have stopped between its two writes.
  private int halves(Chaos chaos) throws IOException {
    int halves = 0;
    try (World world = world(42)) {
      WorldHost host = world.host("host", ChaosAmidWorkTest::writes);
      world.chaos(chaos.lasting(Duration.ofSeconds(5)).atMostDown(1));
      for (int i = 0; i < 100; i++) {
        world.runUntil(() -> !host.isUp(), Duration.ofHours(1));
        Path path = host.disk().path("/pair");
        String left = Files.exists(path) ? Files.readString(path) : "";
        halves += left.length() < 8 || !left.startsWith(left.substring(4)) ? 1 : 0;
        world.runUntil(host::isUp, Duration.ofHours(1));
      }
    }
    return halves;
  }

  @Test
  void crash_codeThatDoesNotSuspend_isHitBetweenTwoOperations() throws IOException {
    assumeMortal();
    assertEquals(0, halves(Chaos.crashes()));
    int halves = halves(Chaos.crashes().amidWork());
    assertTrue(halves > 10, "halves: " + halves);
  }

  @Test
  void crash_codeThatHoldsAMonitor_endsItsTurnFirst() throws IOException {
    assumeMortal();
    Object monitor = new Object();
    var whole = new ArrayList<Boolean>();
    try (World world = world(1)) {
      WorldHost host =
          world.host(
              "host",
              it -> {
                Path path = it.disk().path("/pair");
                while (true) {
                  it.application().sleep(SECOND);
                  synchronized (monitor) {
                    Files.writeString(path, "one");
                    Files.writeString(path, "other");
                  }
                }
              });
      world.chaos(Chaos.crashes().amidWork().lasting(Duration.ofSeconds(5)).atMostDown(1));
      for (int i = 0; i < 50; i++) {
        world.runUntil(() -> !host.isUp(), Duration.ofHours(1));
        Path path = host.disk().path("/pair");
        whole.add(!Files.exists(path) || Files.readString(path).equals("other"));
        world.runUntil(host::isUp, Duration.ofHours(1));
      }
    }
    assertEquals(50, whole.stream().filter(it -> it).count());
  }

  /// Both are to come in one turn, which goes on after the first one because of the monitor.
  @Test
  void crashAndPowerFailure_ofOneTurn_areOneDeath() {
    assumeMortal();
    Object monitor = new Object();
    for (int seed = 0; seed < 20; seed++) {
      try (World world = world(seed)) {
        WorldHost _ =
            world.host(
                "host",
                it -> {
                  Path path = it.disk().path("/file");
                  while (true) {
                    it.application().sleep(SECOND);
                    synchronized (monitor) {
                      for (int i = 0; i < 200; i++) {
                        Files.writeString(path, "x");
                      }
                    }
                  }
                });
        world.chaos(Chaos.crashes().every(SECOND).lasting(SECOND).amidWork().atMostDown(1));
        world.chaos(Chaos.powerFailures().every(SECOND).lasting(SECOND).amidWork().atMostDown(1));
        world.runFor(Duration.ofMinutes(2));
      }
    }
  }

  /// As the JDK on Linux, [Files#move] deletes the target first.
  @Test
  void crash_moveThatReplaces_mayLeaveNoTarget() throws IOException {
    assumeMortal();
    var left = new TreeSet<Boolean>();
    try (World world = world(3)) {
      WorldHost host =
          world.host(
              "host",
              it -> {
                Path target = it.disk().path("/target");
                Path source = it.disk().path("/source");
                Files.writeString(target, "old");
                while (true) {
                  it.application().sleep(SECOND);
                  Files.writeString(source, "new");
                  Files.move(source, target, StandardCopyOption.REPLACE_EXISTING);
                }
              });
      world.chaos(Chaos.crashes().amidWork().atMostDown(1));
      for (int i = 0; i < 100; i++) {
        world.runUntil(() -> !host.isUp(), Duration.ofHours(1));
        left.add(Files.exists(host.disk().path("/target")));
        world.runUntil(host::isUp, Duration.ofHours(1));
      }
    }
    assertEquals(new TreeSet<>(List.of(false, true)), left);
  }

  /// A program that does nothing has no work for a fault to be amid.
  @Test
  void faults_idleHost_waitForItsTurns() {
    try (World world = world(4)) {
      WorldHost idle = world.host("idle", host -> host.application().sleep(Duration.ofDays(100)));
      WorldHost busy =
          world.host(
              "busy",
              host -> {
                while (true) {
                  host.application().sleep(SECOND);
                }
              });
      world.chaos(Chaos.pauses().amidWork().atMostDown(2));
      var paused = new int[2];
      for (int i = 0; i < 3_600; i++) {
        world.runFor(SECOND);
        paused[0] += idle.isPaused() ? 1 : 0;
        paused[1] += busy.isPaused() ? 1 : 0;
      }
      assertTrue(paused[1] > 100, "busy: " + paused[1]);
      world.heal();
      assertTrue(!idle.isPaused() && !busy.isPaused());
      world.runFor(Duration.ofHours(1));
      assertTrue(!idle.isPaused() && !busy.isPaused());
    }
  }

  @Test
  void faults_neverMoreThanTheRulesAllow() {
    for (long seed = 0; seed < 20; seed++) {
      try (World world = world(seed)) {
        List<WorldHost> hosts =
            world.hosts(
                "host",
                3,
                host -> {
                  while (true) {
                    host.application().sleep(Duration.ofMillis(1 + host.random().nextInt(5_000)));
                  }
                });
        Chaos chaos = Chaos.pauses().and(Chaos.partitions()).every(Duration.ofSeconds(5));
        world.chaos(chaos.amidWork());
        world.always(
            "one at most is paused", () -> hosts.stream().filter(WorldHost::isPaused).count() <= 1);
        world.runFor(Duration.ofMinutes(5));
      }
    }
  }

  @Test
  void sameSeed_sameRun() {
    World.checkDeterminism(
        5,
        world -> {
          world.applications(it -> it.backend(backend));
          WorldHost host = world.host("host", ChaosAmidWorkTest::writes);
          Chaos chaos = backend.sharesThread() ? Chaos.powerFailures() : Chaos.diskErrors(0.5);
          host.tolerate(IOException.class::isInstance);
          world.chaos(chaos.amidWork().every(Duration.ofSeconds(10)).atMostDown(1));
          world.runFor(Duration.ofMinutes(10));
        });
  }
}
