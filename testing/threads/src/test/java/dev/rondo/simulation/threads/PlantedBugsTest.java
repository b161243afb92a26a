package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.PlantedBugs;
import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.simulation.Chaos;
import dev.rondo.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Classic mistakes of programs that are written for threads: found, made simple, and drawn.
final class PlantedBugsTest {

  private static final int RUNS = 300;

  /// To make a run simpler. A number, because time differs.
  private static final int ATTEMPTS = 100;

  /// A program with a mistake, in a world.
  enum Bug {
    LOST_WAKEUP {
      @Override
      void run(World world, boolean mended) {
        var done = new ArrayList<Boolean>();
        world.host(
            "host",
            host -> {
              new PlantedBugs.LostWakeup(mended).run();
              done.add(true);
            });
        world.runUntil(() -> !done.isEmpty(), Duration.ofMinutes(1));
      }
    },
    LEAKY_POOL {
      @Override
      void run(World world, boolean mended) {
        world.host("server", host -> PlantedBugs.echo());
        world.host("client", host -> new PlantedBugs.LeakyPool(mended).run());
        partitions(world);
        world.runFor(Duration.ofMinutes(5));
      }
    },
    DOUBLED_ORDER {
      @Override
      void run(World world, boolean mended) {
        List<Integer> taken = new ArrayList<>();
        world.host("server", host -> PlantedBugs.orders(taken, mended));
        world.host("client", host -> PlantedBugs.order());
        world.always("no order twice", () -> new HashSet<>(taken).size() == taken.size());
        partitions(world);
        world.runFor(Duration.ofMinutes(5));
      }
    };

    abstract void run(World world, boolean mended);

    private static void partitions(World world) {
      world.chaos(
          Chaos.partitions()
              .and(Chaos.latencySpikes(Duration.ofSeconds(5)))
              .every(Duration.ofSeconds(30))
              .lasting(Duration.ofSeconds(10))
              .atMostDown(1));
    }

    void run(Choices choices, boolean mended, boolean recorded) {
      World made = World.with(choices);
      if (recorded) {
        World _ = made.recorder(5_000);
      }
      try (World world = BlockingJava.in(made)) {
        run(world, mended);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void bug_isFound_madeSimple_andDrawn(Bug bug) {
    Exploration found =
        new Explorer(Strategy.uniform(1))
            .runs(RUNS)
            .shrinking(Duration.ofDays(1), ATTEMPTS)
            .explore(choices -> bug.run(choices, false, false));
    assertTrue(found.failure().isPresent(), () -> "not found in " + found.runs() + " runs");
    ChoiceSequence shrunk = found.shrunk().orElseThrow();
    assertTrue(shrunk.deviations() <= found.found().orElseThrow().deviations(), found::toString);
    assertTrue(found.shrinkRuns() > 0, found::toString);
    Throwable drawn =
        new Explorer(Strategy.replay(shrunk))
            .runs(1)
            .explore(choices -> bug.run(choices, false, true))
            .failure()
            .orElseThrow();
    assertTrue(
        Arrays.stream(drawn.getSuppressed()).anyMatch(each -> each.toString().contains(".html")),
        () -> "no page in " + Arrays.toString(drawn.getSuppressed()));
  }

  static List<Strategy> strategies() {
    return List.of(
        Strategy.weighted(1), Strategy.pct(1, 3), Strategy.exhaustive(1, 2), Strategy.uniform(2));
  }

  /// Whether a wakeup is lost depends on which thread is next where another one blocks.
  @ParameterizedTest
  @MethodSource("strategies")
  void lostWakeup_isFound_byEachStrategy(Strategy strategy) {
    Exploration found =
        new Explorer(strategy)
            .runs(RUNS)
            .explore(choices -> Bug.LOST_WAKEUP.run(choices, false, false));
    assertTrue(found.failure().isPresent(), () -> "not found in " + found.runs() + " runs");
  }

  @ParameterizedTest
  @EnumSource
  void mended_doesNotFail(Bug bug) {
    Exploration passed =
        new Explorer(Strategy.uniform(1))
            .runs(20)
            .explore(choices -> bug.run(choices, true, false));
    assertEquals("", passed.failure().map(Throwable::toString).orElse(""));
    assertEquals(20, passed.runs());
  }
}
