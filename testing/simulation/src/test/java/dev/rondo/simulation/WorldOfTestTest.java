package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import dev.rondo.application.Application;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.exploration.internal.FailureFiles;
import dev.rondo.junit.RondoTest;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.time.VirtualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/// A `RondoTest` with a world. On CONTINUATION, where hosts can crash.
final class WorldOfTestTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final List<String> LOG = new ArrayList<>();

  /// A world that crashes.
  private static final String SEED = "1";

  /// Run by the tests below.
  static final class Cases {

    @RondoTest(schedules = 3)
    void search(World world, Choices choices) {
      alone(world, choices);
    }

    @RondoTest
    void alone(World world, Choices choices) {
      assertSame(choices, world.random());
      WorldHost host =
          world.host(
              "host",
              it -> {
                try {
                  it.application().sleep(Duration.ofDays(1));
                } finally {
                  LOG.add("closed");
                }
              });
      world.runFor(MINUTE);
      LOG.add("test of " + host.name() + " at " + world.elapsed());
    }

    @RondoTest
    void failsInTheEnd(World world) {
      world.host(
          "host",
          it -> {
            try {
              it.application().sleep(Duration.ofDays(1));
            } finally {
              cleanUp();
            }
          });
      world.runFor(MINUTE);
    }

    private static void cleanUp() {
      throw new IllegalStateException("broken end");
    }

    /// The planted bug: nothing restores what a crash has destroyed.
    @RondoTest(schedules = 1_000, shrinkSeconds = 3_600)
    void losesWithACrash(World world) {
      List<WorldHost> hosts =
          world.hosts("host", 3, host -> host.application().sleep(Duration.ofDays(1)));
      world.always("all are up", () -> hosts.stream().allMatch(WorldHost::isUp));
      world.chaos(
          Chaos.crashes()
              .and(Chaos.partitions())
              .and(Chaos.pauses())
              .and(Chaos.diskErrors(0.1))
              .every(MINUTE));
      world.runFor(MINUTE.multipliedBy(10));
    }

    @RondoTest
    void hasAnApplication(World world, Application app) {
      LOG.add("not reached");
    }

    @RondoTest(schedules = 2)
    void hasAScheduler(World world, Scheduler scheduler) {
      LOG.add("not reached");
    }

    @RondoTest
    void hasAClock(VirtualClock clock, World world) {
      LOG.add("not reached");
    }
  }

  private static EngineExecutionResults run(String method, String... parameters) {
    LOG.clear();
    String types =
        Arrays.stream(Cases.class.getDeclaredMethods())
            .filter(each -> each.getName().equals(method))
            .flatMap(each -> Arrays.stream(each.getParameterTypes()))
            .map(Class::getName)
            .collect(Collectors.joining(","));
    EngineTestKit.Builder kit =
        EngineTestKit.engine("junit-jupiter")
            .selectors(selectMethod(Cases.class, method, types))
            .configurationParameter(CoroutineBackends.PROPERTY, "continuation");
    for (int i = 0; i < parameters.length; i += 2) {
      kit.configurationParameter(parameters[i], parameters[i + 1]);
    }
    return kit.execute();
  }

  private static Throwable failureOf(String method, String... parameters) {
    EngineExecutionResults results = run(method, parameters);
    results.testEvents().assertStatistics(it -> it.started(1).failed(1));
    return results.testEvents().failed().stream()
        .findFirst()
        .flatMap(event -> event.getPayload(TestExecutionResult.class))
        .flatMap(TestExecutionResult::getThrowable)
        .orElseThrow();
  }

  @Test
  void world_isOfTheRun_andClosedAfterIt() {
    List<String> ofARun = List.of("test of host at PT1M", "closed");
    run("alone").testEvents().assertStatistics(it -> it.started(1).succeeded(1));
    assertEquals(ofARun, LOG);
    run("search").testEvents().assertStatistics(it -> it.started(1).succeeded(1));
    assertEquals(6, LOG.size());
    assertEquals(ofARun, LOG.subList(4, 6));
  }

  @Test
  void failureOfTheEnd_isThatOfTheTest() {
    Throwable failure = failureOf("failsInTheEnd");
    assertInstanceOf(SimulationFailedError.class, failure);
    assertTrue(failure.getMessage().contains("broken end"), failure.getMessage());
  }

  @Test
  void plantedBug_isFound_shrunkToOneFault_andReplayed() {
    Throwable failure = failureOf("losesWithACrash", "rondo.test.seed", SEED);
    String message = failure.getMessage();
    assertTrue(message.contains("'all are up' does not hold"), message);
    assertTrue(
        message.matches(
            "(?s)[^\n]*\nfaults so far: 1:\n  at [^\n]*: crash of host 'host-1'\nwhat the tasks.*"),
        message);

    String notes =
        Arrays.stream(failure.getSuppressed())
            .map(Throwable::getMessage)
            .collect(Collectors.joining("\n"));
    Matcher replay = Pattern.compile("rondo1-[A-Za-z0-9_-]+").matcher(notes);
    assertTrue(replay.find(), notes);
    assertEquals(
        message, failureOf("losesWithACrash", "rondo.test.replay", replay.group()).getMessage());
  }

  /// When all kinds of faults had their choices in one sequence, these seeds kept another fault
  /// beside the crash: to leave it out moved the choices of the crash.
  @Test
  void plantedBug_otherFaultsBeforeIt_areLeftOut() {
    for (long seed : new long[] {16_000_000, 63_000_000, 79_000_000, 87_000_000}) {
      Exploration found =
          new Explorer(Strategy.uniform(seed))
              .shrinking(Duration.ofDays(1), 10_000)
              .explore(choices -> {
                try (World world = World.with(choices)) {
                  new Cases().losesWithACrash(world);
                }
              });
      String message = found.failure().orElseThrow().getMessage();
      assertTrue(message.contains("\nfaults so far: 1:\n"), message);
    }
  }

  private static String noteOf(Throwable failure) {
    List<String> notes =
        Stream.of(failure.getSuppressed())
            .map(Throwable::getMessage)
            .filter(each -> each != null && each.contains("drawn in "))
            .toList();
    assertEquals(1, notes.size(), failure::toString);
    return notes.getFirst();
  }

  @Test
  void failingRun_replayFile_namesHosts(@TempDir Path pictures) throws IOException {
    System.setProperty(FailureFiles.DIRECTORY_PROPERTY, pictures.toString());
    try {
      Throwable _ = failureOf("losesWithACrash", "rondo.test.seed", SEED);
      String file = Files.readString(pictures.resolve("Cases.losesWithACrash.replay"));
      assertTrue(file.contains("HOST 0 of 3, id 1: 'host-1' among 'host-1', 'host-2',"), file);
      assertTrue(file.contains(", after a turn of 'host-1'\n"), file);
      assertTrue(file.contains("$Cases.losesWithACrash(WorldOfTestTest.java:"), file);
    } finally {
      System.clearProperty(FailureFiles.DIRECTORY_PROPERTY);
    }
  }

  @Test
  void failingRun_isDrawnOnce_withItsHosts(@TempDir Path pictures) throws IOException {
    System.setProperty(FailureFiles.DIRECTORY_PROPERTY, pictures.toString());
    try {
      for (String method : List.of("losesWithACrash", "failsInTheEnd")) {
        String note = noteOf(failureOf(method));
        assertTrue(note.contains("FAILS: SimulationFailedError: "), note);
        String page =
            Files.readString(
                Path.of(note.substring(note.indexOf("drawn in ") + "drawn in ".length())));
        assertTrue(page.contains("<h1>Cases." + method + "</h1>"), method);
        assertTrue(page.contains(">host"), method);
      }
      assertTrue(
          noteOf(failureOf("losesWithACrash", "rondo.test.seed", SEED))
              .contains("crash of host 'host-1'"));
    } finally {
      System.clearProperty(FailureFiles.DIRECTORY_PROPERTY);
    }
  }

  @Test
  void whatHostsHave_besideAWorld_isRefused() {
    for (String method : List.of("hasAnApplication", "hasAScheduler", "hasAClock")) {
      String message = failureOf(method).getMessage();
      assertTrue(message.startsWith("a test with a World drives it from outside"), message);
      assertEquals(List.of(), LOG);
    }
  }
}
