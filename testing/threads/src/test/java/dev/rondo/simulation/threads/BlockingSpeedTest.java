package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import com.acme.threads.Load;
import com.acme.threads.PlantedBugs;
import com.acme.threads.Races;
import com.acme.threads.SpeedCases;
import com.acme.threads.Started;
import dev.rondo.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.platform.testkit.engine.EngineTestKit;

/// How fast it is: `-Dtest=BlockingSpeedTest -Dblocking.speed=true` prints it. A measurement, and
/// no check.
@EnabledIfSystemProperty(named = "blocking.speed", matches = "true")
@Timeout(3_600)
final class BlockingSpeedTest {

  private static final int ROUNDS = 5;
  private static final int PAIRS = 5;
  private static final int SEEDS = 20;
  private static final int MOST_RUNS = 2_000;
  private static final Pattern LINE = Pattern.compile(" *(.*): ([0-9.]+) ns *");

  private interface Code {
    void run() throws Exception;
  }

  private static void best(String what, int count, Code code) throws Exception {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      long begin = System.nanoTime();
      code.run();
      best = Math.min(best, System.nanoTime() - begin);
    }
    System.out.printf("%s: %,.1f ns%n", what, (double) best / count);
  }

  @Test
  void prints() throws Exception {
    int runs = 500;
    best(
        "a run of three threads",
        runs,
        () -> {
          for (int i = 0; i < runs; i++) {
            inWorld(i, () -> new PlantedBugs.LostWakeup(true).run());
          }
        });
    best("a run of a process with classes of its own", runs, () -> processes(runs));
    int databases = 20;
    best("a run of HikariCP and H2, two processes", databases, () -> databases(databases));
    int passes = 100_000;
    best("a number passed to another thread", passes, () -> inWorld(7, () -> Load.pass(passes)));
    for (String each :
        List.of("trivial", "trivialWithFreshClasses", "small", "smallWithFreshClasses")) {
      runs(each);
    }
  }

  @Test
  void printsRaces() {
    for (Races each : Races.values()) {
      System.out.println(RacesTest.runsUntilFound(each, SEEDS, MOST_RUNS));
    }
  }

  /// In JVMs of their own, without the agent, with it, and with it after a world, in turn: the
  /// least of each.
  @Test
  void printsRealThreads() throws Exception {
    var without = new LinkedHashMap<String, Double>();
    var with = new LinkedHashMap<String, Double>();
    var after = new LinkedHashMap<String, Double>();
    var flags = new ArrayList<>(AgentTest.EQUAL_HASH_CODES);
    flags.addAll(List.of(AgentTest.AGENT, "-Dblocking.world=true"));
    for (int i = 0; i < PAIRS; i++) {
      addLeast(without, List.of());
      addLeast(with, List.of(AgentTest.AGENT));
      addLeast(after, flags);
    }
    without.forEach((what, least) ->
        System.out.printf(
            "%s: %.2f ns, with the agent %.2f, after a world %.2f%n",
            what, least, with.get(what), after.get(what)));
  }

  private static void addLeast(Map<String, Double> least, List<String> flags) throws Exception {
    for (String line : AgentTest.run("com.acme.threads.Load", 0, flags).lines().toList()) {
      Matcher found = LINE.matcher(line);
      if (found.matches()) {
        least.merge(found.group(1), Double.valueOf(found.group(2)), Math::min);
      }
    }
  }

  /// Runs of a test by JUnit.
  private static void runs(String method) {
    double best = 0;
    for (int i = 0; i < ROUNDS; i++) {
      int _ = CountedRuns.take();
      long begin = System.nanoTime();
      EngineTestKit.engine("junit-jupiter")
          .selectors(selectMethod(SpeedCases.class, method, World.class.getName()))
          .execute()
          .testEvents()
          .assertStatistics(it -> it.failed(0));
      double seconds = (System.nanoTime() - begin) / 1e9;
      best = Math.max(best, CountedRuns.take() / seconds);
    }
    System.out.printf("@RondoTest, %s: %,.0f runs a second%n", method, best);
  }

  private static void processes(int runs) {
    for (int i = 0; i < runs; i++) {
      var starts = new ArrayList<Integer>();
      IntConsumer tell = starts::add;
      try (World world = BlockingJava.in(World.withSeed(i))) {
        world.host("host", BlockingJava.program(Started.class, tell));
        world.runUntil(() -> !starts.isEmpty(), Duration.ofHours(1));
      }
      assertEquals(1, starts.getFirst());
    }
  }

  private static void databases(int runs) {
    for (int i = 0; i < runs; i++) {
      Object _ = DatabaseTest.Trouble.POOL_EXHAUSTED.run(i);
    }
  }

  private static void inWorld(long seed, Code code) {
    var done = new ArrayList<Boolean>();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      world.host(
          "host",
          host -> {
            code.run();
            done.add(true);
          });
      world.runUntil(() -> !done.isEmpty(), Duration.ofHours(1));
    }
  }
}
