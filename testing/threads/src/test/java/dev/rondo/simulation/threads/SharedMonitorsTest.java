package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.acme.threads.Entering;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Monitors that hosts share with each other, or with the test, because their programs are lambdas.
final class SharedMonitorsTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /// Which threads have entered, when, and the digest of the run.
  private record Story(List<String> entered, long digest) {}

  /// The test has the turn between two runs.
  private static Story notified(long seed) {
    var entered = new ArrayList<String>();
    var monitor = new Object();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      for (String name : List.of("one", "other", "third")) {
        world.host(
            name,
            host -> {
              Entering.await(monitor, 0);
              entered.add(name + " " + world.elapsed().toSeconds());
            });
      }
      world.runFor(MINUTE);
      Entering.notify(monitor);
      world.runFor(MINUTE);
      Entering.notifyAll(monitor);
      world.runFor(MINUTE);
      return new Story(List.copyOf(entered), world.digest());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void notification_byTheTest_betweenTwoRuns_isSeenAtOnce(long seed) {
    Story story = notified(seed);
    assertEquals(story, notified(seed));
    assertEquals(
        List.of("60", "120", "120"),
        story.entered().stream().map(each -> each.split(" ", 2)[1]).toList());
  }

  /// Three processes: one has the monitor, two wait for it, the first of these is killed.
  ///
  /// @param next whether it is the next one to enter then
  private static Story killed(long seed, boolean next) {
    var entered = new ArrayList<String>();
    var monitor = new Object();
    try (World world = BlockingJava.in(World.withSeed(seed))) {
      world.host("holder", host -> Entering.hold(monitor, 10, () -> entered.add("left")));
      WorldHost killed = world.host("killed", host -> pass(monitor, 1, entered));
      world.host("waiter", host -> pass(monitor, 2, entered));
      if (next) {
        world.runUntil(() -> entered.contains("left"), MINUTE);
      } else {
        world.runFor(Duration.ofMillis(5));
      }
      killed.crash();
      world.runUntil(() -> entered.contains("2"), MINUTE);
      world.host("late", host -> Entering.hold(monitor, 10, () -> {}));
      world.host("later", host -> pass(monitor, 3, entered));
      world.runUntil(() -> entered.contains("3"), MINUTE);
      assertFalse(entered.contains("1"), entered.toString());
      return new Story(List.copyOf(entered), world.digest());
    }
  }

  private static void pass(Object monitor, int number, List<String> entered)
      throws InterruptedException {
    Thread.sleep(number);
    Entering.pass(monitor);
    entered.add("" + number);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void process_killedWhileItIsNext_leavesTheMonitorToAnother(long seed) {
    assertEquals(killed(seed, true), killed(seed, true));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void process_killedWhileItWaits_leavesTheMonitorToAnother(long seed) {
    assertEquals(killed(seed, false), killed(seed, false));
  }
}
