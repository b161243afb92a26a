package dev.rondo.simulation.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.OrderProgram;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// HikariCP and the TCP server of H2 as they are, each a process on a host of a world. Each run
/// happens twice. `-Dblocking.seeds=10000` takes so many seeds, which is hours: see
/// docs/blocking.md.
final class DatabaseTest {

  private static final int FIRST = Integer.getInteger("blocking.firstSeed", 0);
  private static final int SEEDS = Integer.getInteger("blocking.seeds", 2);
  private static final Duration DAY = Duration.ofDays(1);

  /// What a service has said, and the digest of its run.
  private record Story(List<String> told, Duration end, long digest) {

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
  }

  /// Runs a service and its database, twice with each seed.
  ///
  /// @param service receives what the program says
  /// @param trouble from outside, until the service has ended
  private static List<Story> stories(
      Function<Consumer<String>, WorldHost.Main> service, BiConsumer<World, Long> trouble) {
    var stories = new ArrayList<Story>();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Story first = story(seed, service, trouble);
      assertEquals(first, story(seed, service, trouble), "two runs with seed " + seed);
      stories.add(first);
    }
    return stories;
  }

  private static Story story(
      long seed,
      Function<Consumer<String>, WorldHost.Main> service,
      BiConsumer<World, Long> trouble) {
    var told = new ArrayList<String>();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      world.host(
          "database",
          BlockingJava.main("org.h2.tools.Server", "-tcp", "-tcpAllowOthers", "-ifNotExists"));
      world.host("service", service.apply(told::add));
      trouble.accept(world, seed);
      world.runUntil(() -> told.contains("end"), DAY);
      return new Story(List.copyOf(told), world.elapsed(), world.digest());
    }
  }

  private static Function<Consumer<String>, WorldHost.Main> service(
      int connections, int threads, int orders, Duration pause, Duration work) {
    return told ->
        BlockingJava.program(OrderProgram.class, connections, threads, orders, pause, work, told);
  }

  @Test
  void orders_withoutTrouble_areAllStored() {
    for (Story each :
        stories(
            service(3, 5, 30, Duration.ofMinutes(6), Duration.ofMillis(50)), (world, seed) -> {})) {
      assertEquals(30, each.with("acknowledged").size());
      assertEquals(30, each.with("stored").size());
      assertTrue(each.end().compareTo(Duration.ofHours(3)) >= 0, each.end().toString());
    }
  }

  @Test
  void connection_lostInTheMiddleOfATransaction_losesNothingAcknowledged() {
    for (Story each :
        stories(
            service(3, 5, 30, Duration.ofSeconds(3), Duration.ofSeconds(2)),
            (world, seed) -> {
              world.runFor(Duration.ofMillis(20_000 + 100 * seed));
              cut(world, true);
              world.runFor(Duration.ofSeconds(15));
              cut(world, false);
            })) {
      each.requireNothingLost();
      assertFalse(each.with("failed").isEmpty(), "no transaction has noticed");
      assertTrue(each.with("acknowledged").size() > 15, each.toString());
    }
  }

  private static void cut(World world, boolean on) {
    List<WorldHost> hosts = world.hosts();
    var link = world.network().link(hosts.get(0).simulated(), hosts.get(1).simulated());
    if (on) {
      link.cut();
    } else {
      link.heal();
    }
  }

  @Test
  void server_thatStandsStill_isWaitedForWithinTheTimeouts() {
    for (Story each :
        stories(
            service(2, 5, 30, Duration.ofSeconds(3), Duration.ofSeconds(1)),
            (world, seed) -> {
              world.runFor(Duration.ofMillis(20_000 + 100 * seed));
              world.hosts().getFirst().pause();
              world.runFor(Duration.ofMinutes(1));
              world.hosts().getFirst().resume();
            })) {
      each.requireNothingLost();
      assertFalse(each.with("failed").isEmpty(), "no transaction has noticed");
      assertTrue(each.with("acknowledged").size() >= 8, each.toString());
    }
  }

  private static Function<Consumer<String>, WorldHost.Main> moreThreadsThanConnections() {
    return service(2, 10, 20, Duration.ofMillis(100), Duration.ofSeconds(20));
  }

  /// One run, for a measurement.
  static void run(long seed) {
    Story _ = story(seed, moreThreadsThanConnections(), (world, same) -> {});
  }

  @Test
  void pool_exhausted_failsAfterItsTimeout() {
    for (Story each : stories(moreThreadsThanConnections(), (world, seed) -> {})) {
      each.requireNothingLost();
      assertTrue(
          each.with("failed").stream()
              .anyMatch(line -> line.contains("SQLTransientConnectionException")),
          each.toString());
    }
  }
}
