package dev.rondo.simulation.threads;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.OrderProgram;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// HikariCP and the TCP server of H2 as they are, each a process on a host of a world. Each run
/// happens twice.
///
/// The long run takes many seeds, the troubles in turn: `-Dblocking.seeds=10000`, from
/// `-Dblocking.firstSeed` on. See docs/modules/threads.md.
final class DatabaseTest {

  private static final int SEEDS = 2;
  private static final int REPORTED = 100;
  private static final Duration DAY = Duration.ofDays(1);

  /// What a service has said, and the digest of its run.
  record Story(List<String> told, Duration end, long digest) {

    List<String> with(String word) {
      return told.stream()
          .filter(line -> line.startsWith(word + " "))
          .map(line -> line.substring(word.length() + 1))
          .toList();
    }

    /// What was acknowledged is in the database.
    void requireNothingLost() {
      var lost = new ArrayList<>(with("acknowledged"));
      lost.removeAll(with("stored"));
      assertEquals(List.of(), lost, "acknowledged and not stored");
    }

    void requireFailures() {
      assertFalse(with("failed").isEmpty(), "no transaction has noticed");
    }
  }

  /// What happens to the service and its database.
  enum Trouble {
    NONE(3, 5, 30, Duration.ofMinutes(6), Duration.ofMillis(50)) {
      @Override
      void check(Story story) {
        assertEquals(30, story.with("acknowledged").size());
        assertEquals(30, story.with("stored").size());
        assertTrue(story.end().compareTo(Duration.ofHours(3)) >= 0, story.end().toString());
      }
    },
    CONNECTION_LOST_IN_A_TRANSACTION(3, 5, 30, Duration.ofSeconds(3), Duration.ofSeconds(2)) {
      @Override
      void happen(World world, long seed) {
        world.runFor(Duration.ofMillis(20_000 + 100 * (seed % MOMENTS)));
        List<WorldHost> hosts = world.hosts();
        var link = world.network().link(hosts.get(0).simulated(), hosts.get(1).simulated());
        link.cut();
        world.runFor(Duration.ofSeconds(15));
        link.heal();
      }

      @Override
      void check(Story story) {
        story.requireFailures();
        assertTrue(story.with("acknowledged").size() > 15, story.toString());
      }
    },
    SERVER_STANDS_STILL(2, 5, 30, Duration.ofSeconds(3), Duration.ofSeconds(1)) {
      @Override
      void happen(World world, long seed) {
        world.runFor(Duration.ofMillis(20_000 + 100 * (seed % MOMENTS)));
        world.hosts().getFirst().pause();
        world.runFor(Duration.ofMinutes(1));
        world.hosts().getFirst().resume();
      }

      @Override
      void check(Story story) {
        story.requireFailures();
        assertTrue(story.with("acknowledged").size() >= 8, story.toString());
      }
    },
    POOL_EXHAUSTED(2, 10, 20, Duration.ofMillis(100), Duration.ofSeconds(20)) {
      @Override
      void check(Story story) {
        assertTrue(
            story.with("failed").stream()
                .anyMatch(line -> line.contains("SQLTransientConnectionException")),
            story.toString());
      }
    };

    /// When it happens: one of so many moments.
    private static final int MOMENTS = 100;

    private final int connections;
    private final int threads;
    private final int orders;
    private final Duration pause;
    private final Duration work;

    Trouble(int connections, int threads, int orders, Duration pause, Duration work) {
      this.connections = connections;
      this.threads = threads;
      this.orders = orders;
      this.pause = pause;
      this.work = work;
    }

    private WorldHost.Main service(Consumer<String> told) {
      return BlockingJava.program(
          OrderProgram.class, connections, threads, orders, pause, work, told);
    }

    /// Happens from outside, while the programs run.
    void happen(World world, long seed) {
      // The programs have it of themselves.
    }

    /// What every run must have said.
    abstract void check(Story story);

    /// Runs with a seed, once. The line that the database prints is not of interest.
    final Story run(long seed) {
      PrintStream out = System.out;
      System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, UTF_8));
      try {
        return runQuietly(seed);
      } finally {
        System.setOut(out);
      }
    }

    private Story runQuietly(long seed) {
      var told = new ArrayList<String>();
      try (World world = BlockingJava.in(World.withSeed(seed))) {
        world.host(
            "database",
            BlockingJava.main("org.h2.tools.Server", "-tcp", "-tcpAllowOthers", "-ifNotExists"));
        world.host("service", service(told::add));
        happen(world, seed);
        world.runUntil(() -> told.contains("end"), DAY);
        return new Story(List.copyOf(told), world.elapsed(), world.digest());
      }
    }

    final void runTwice(long seed) {
      String name = this + " with seed " + seed;
      Story story = run(seed);
      assertEquals(story, run(seed), name);
      assertAll(name, story::requireNothingLost, () -> check(story));
    }
  }

  @ParameterizedTest
  @EnumSource
  void service_andItsDatabase_twiceWithEachSeed(Trouble trouble) {
    for (long seed = 0; seed < SEEDS; seed++) {
      trouble.runTwice(seed);
    }
  }

  /// For hours, if need be: it says how far it is.
  @Test
  @EnabledIfSystemProperty(named = "blocking.seeds", matches = "\\d+")
  void manySeeds_eachTwice() {
    int first = Integer.getInteger("blocking.firstSeed", 0);
    int count = Integer.getInteger("blocking.seeds");
    for (int i = 1; i <= count; i++) {
      int seed = first + i - 1;
      Trouble.values()[seed % Trouble.values().length].runTwice(seed);
      if (i % REPORTED == 0) {
        System.out.printf("%d seeds from %d on, each twice, without a difference%n", i, first);
      }
    }
  }
}
