package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What a world checks while it runs, that runs are the same, and disks of hosts.
@EveryBackend
final class WorldChecksTest extends BackendTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private World world(long seed) {
    return World.withSeed(seed).applications(it -> it.backend(backend));
  }

  private static void counts(WorldHost host, AtomicInteger counter) {
    while (true) {
      host.application().sleep(SECOND);
      counter.incrementAndGet();
    }
  }

  // Reports.

  @Test
  void report_saysTheSeedTheTimeTheFaultsAndTheTasks() {
    try (World world = world(42)) {
      world.host("host", host -> counts(host, new AtomicInteger()));
      world.hosts().getFirst().pause();
      world.runFor(SECOND);
      world.hosts().getFirst().resume();
      world.runFor(SECOND);
      List<String> lines = world.report().lines().toList();
      assertEquals(
          List.of(
              "seed 42: at 2 s",
              "faults so far: 2:",
              "  at 0 s: pause of host 'host'",
              "  at 1 s: resume of host 'host'",
              "what the tasks are doing:"),
          lines.subList(0, 5));
      assertTrue(lines.get(5).startsWith("host 'host'"), () -> lines.get(5));
      assertTrue(lines.stream().anyMatch(each -> each.contains("'main' WAITING")), lines::toString);
    }
  }

  @Test
  void report_withoutFaultsOrHosts_saysTheSeedAndTheTime() {
    try (World world = world(7)) {
      assertEquals("seed 7: at 0 s\nwhat the tasks are doing:", world.report().strip());
    }
  }

  // Always and eventually.

  @Test
  void always_broken_endsTheRunAtOnce() {
    try (World world = world(42)) {
      var counter = new AtomicInteger();
      world.host("host", host -> counts(host, counter)).pause();
      world.hosts().getFirst().resume();
      world.always("fewer than five", () -> counter.get() < 5);
      var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
      List<String> lines = error.getMessage().lines().toList();
      assertEquals(
          List.of(
              "seed 42: at 5 s 'fewer than five' does not hold",
              "faults so far: 2:",
              "  at 0 s: pause of host 'host'",
              "  at 0 s: resume of host 'host'",
              "what the tasks are doing:",
              "host 'host' (10.0.0.1)"),
          lines.subList(0, 6));
      List<String> tasks =
          lines.stream().filter(it -> it.strip().startsWith("#")).map(String::strip).toList();
      assertTrue(tasks.getFirst().startsWith("#1 'WaitForTime' IDLING"), error.getMessage());
      assertTrue(tasks.get(1).contains("'main'"), error.getMessage());
      assertEquals(2, tasks.size(), error.getMessage());
    }
  }

  /// An add-on that has just been woken is no more in use than one that never was.
  @Test
  void always_brokenByAnAddOnThatSuspends_doesNotShowTheAddOn() {
    try (World world = world(42)) {
      var counter = new AtomicInteger();
      world.host(
          "host",
          host -> {
            StepTask<Void> task = host.scheduler().host().install(new Counting(counter));
            host.application().sleep(SECOND);
            boolean _ = task.wake();
            host.application().sleep(HOUR);
          });
      world.always("not woken", () -> counter.get() == 0);
      var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
      assertEquals(
          List.of("#1 'WaitForTime' IDLING", "#5 'main' WAITING"),
          error
              .getMessage()
              .lines()
              .filter(it -> it.strip().startsWith("#"))
              .map(it -> it.replaceFirst(" *(#\\d+ '[^']*' \\w+).*", "$1"))
              .toList());
    }
  }

  private record Counting(AtomicInteger turns) implements AddOn {
    @Override
    public StepResult turn(StepTask<Void> self) {
      turns.incrementAndGet();
      return StepResult.SUSPEND;
    }
  }

  @Test
  void eventually_inTime_isForgotten() {
    try (World world = world(42)) {
      var counter = new AtomicInteger();
      world.host("host", host -> counts(host, counter));
      world.eventually("five", () -> counter.get() == 5, SECOND.multipliedBy(5));
      world.runFor(HOUR);
      assertEquals(3600, counter.get());
    }
  }

  @Test
  void eventually_late_endsTheRun() {
    try (World world = world(42)) {
      var counter = new AtomicInteger();
      world.host("host", host -> counts(host, counter));
      world.eventually("six", () -> counter.get() == 6, Duration.ofMillis(5500));
      var error = assertThrows(SimulationFailedError.class, () -> world.runFor(HOUR));
      assertTrue(
          error.getMessage().startsWith("seed 42: at 5.5 s 'six' has not held within 5.5 s\n"),
          error.getMessage());
    }
  }

  @Test
  void eventually_negative_isRefused() {
    try (World world = world(42)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> world.eventually("never", () -> true, Duration.ofNanos(-1)));
    }
  }

  // The same run.

  private void shuffled(World world) {
    world.applications(it -> it.backend(backend));
    world.hosts(
        "host",
        4,
        host -> {
          for (int i = 0; i < 10; i++) {
            host.application().spawn(() -> host.scheduler().yield());
            host.application().sleep(Duration.ofMillis(host.random().nextInt(3)));
          }
        });
    world.runFor(HOUR);
  }

  @Test
  void digest_sameSeed_isTheSame() {
    assertEquals(digest(7), digest(7));
    assertNotEquals(digest(7), digest(8));
  }

  private long digest(long seed) {
    try (World world = World.withSeed(seed)) {
      shuffled(world);
      return world.digest();
    }
  }

  /// The turns and their instants are the same.
  @Test
  void digest_otherRandomNumbers_isAnother() {
    assertNotEquals(digestOfDraws(7), digestOfDraws(8));
  }

  private long digestOfDraws(long bound) {
    try (World world = World.withSeed(7)) {
      world.host(
          "host",
          host -> {
            long _ = host.random().nextLong(bound);
          });
      world.runFor(SECOND);
      return world.digest();
    }
  }

  @Test
  void checkDeterminism_otherRandomNumbers_namesTheTurnThatDrewThem() {
    var runs = new AtomicInteger();
    var error =
        assertThrows(
            SimulationFailedError.class,
            () ->
                World.checkDeterminism(
                    7,
                    world -> {
                      int bound = 1_000_000 + runs.incrementAndGet();
                      world.host(
                          "host",
                          host -> {
                            host.application().sleep(SECOND);
                            int _ = host.random().nextInt(bound);
                            host.scheduler().spawn("next", () -> {});
                          });
                      world.runFor(HOUR);
                    }));
    String[] told = error.getMessage().split("drew or left ready differs:", -1);
    assertEquals(2, told.length, error.getMessage());
    String[] turns =
        told[1].split("\nthe turn before was that of task 'main' of host 'host'; ", -1);
    assertEquals(2, turns.length, error.getMessage());
    List<String> events = turns[0].lines().toList();
    assertTrue(events.getLast().contains("turn of task 'next'"), error.getMessage());
    assertTrue(events.get(events.size() - 2).contains("turn of task 'main'"), error.getMessage());
  }

  @Test
  void checkDeterminism_sameRuns_passes() {
    World.checkDeterminism(7, this::shuffled);
  }

  @Test
  void checkDeterminism_differentRuns_showsTheFirstDifference() {
    var runs = new AtomicInteger();
    var error =
        assertThrows(
            SimulationFailedError.class,
            () ->
                World.checkDeterminism(
                    7,
                    world -> {
                      String leak = "leak " + runs.incrementAndGet();
                      world.applications(it -> it.backend(backend));
                      world.host(
                          "host",
                          host -> {
                            host.application().sleep(SECOND);
                            host.scheduler().spawn(leak, () -> {});
                          });
                      world.runFor(HOUR);
                    }));
    assertTrue(
        error
            .getMessage()
            .contains(
                """
                then first run:
                  at 1 s: host 'host', turn of task 'leak 1'
                and second run:
                  at 1 s: host 'host', turn of task 'leak 2'\
                """),
        error.getMessage());
  }

  // Disks.

  @Test
  void disk_powerOff_losesWhatWasNotForced() throws IOException {
    assumeTrue(backend.sharesThread());
    var lost = new ArrayList<Boolean>();
    for (int seed = 0; seed < 20; seed++) {
      try (World world = world(seed)) {
        WorldHost host =
            world.host(
                "host",
                it -> {
                  if (Files.notExists(it.disk().path("/forced"))) {
                    write(it.disk().path("/forced"), true);
                    write(it.disk().path("/cached"), false);
                  }
                  it.application().sleep(HOUR);
                });
        world.runFor(SECOND);
        host.powerOff();
        host.restart();
        assertEquals(1, Files.size(host.disk().path("/forced")));
        Path cached = host.disk().path("/cached");
        lost.add(!Files.exists(cached) || Files.size(cached) == 0);
      }
    }
    assertTrue(lost.contains(true), lost.toString());
    assertEquals(20, lost.size());
  }

  @Test
  void disk_crash_losesNothing() throws IOException {
    assumeTrue(backend.sharesThread());
    try (World world = world(1)) {
      List<Integer> open = new ArrayList<>();
      WorldHost host =
          world.host(
              "host",
              it -> {
                write(it.disk().path("/cached"), false);
                FileChannel _ = FileChannel.open(it.disk().path("/cached"));
                open.add(it.disk().openFiles());
                it.application().sleep(HOUR);
              });
      world.runFor(SECOND);
      host.crash();
      assertEquals(List.of(1), open);
      assertEquals(0, host.disk().openFiles());
      assertEquals(1, Files.size(host.disk().path("/cached")));
    }
  }

  private static void write(Path file, boolean forced) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.wrap(new byte[] {42}));
      if (forced) {
        channel.force(true);
      }
    }
    if (forced) {
      try (FileChannel directory = FileChannel.open(file.getParent())) {
        directory.force(true);
      }
    }
  }
}
