package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Initialised;
import com.acme.threads.Races;
import com.acme.threads.Spinning;
import dev.rondo.exploration.ChoiceKind;
import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.exploration.picture.RecordingPicture;
import dev.rondo.observe.Recorder;
import dev.rondo.simulation.SimulationFailedError;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Races on memory: found, made simple, told of; and right programs, that never fail.
/// `-Draces.rightRuns=10000` takes more runs of the right ones.
final class RacesTest {

  private static final String PACKAGE = "com.acme..";
  private static final int RUNS = 10_000;
  private static final int RIGHT_RUNS = Integer.getInteger("races.rightRuns", 500);

  /// To make a run simpler. A number, because time differs.
  private static final int ATTEMPTS = 200;

  /// What a message says of the race that loses an update.
  private static final Pattern TOLD =
      Pattern.compile(
          """
          races on memory: 1
            thread '(thread-[01])' writes com.acme.threads.Races\\$1.balance, which is 0
                at com.acme.threads.Races\\$1.lambda\\$run\\$0\\(Races.java:\\d+\\)
                at com.acme.threads.Races.lambda\\$together\\$0\\(Races.java:\\d+\\)
              meanwhile thread 'thread-[01]' \\w+ com.acme.threads.Races\\$1.balance, which is 0
                at com.acme.threads.Races\\$1.lambda\\$run\\$0\\(Races.java:\\d+\\)
                at com.acme.threads.Races.lambda\\$together\\$0\\(Races.java:\\d+\\)
              then it is 1
          """
              .strip());

  private static void run(Choices choices, Races program, boolean mended, boolean races) {
    run(World.with(choices), program, mended, races);
  }

  private static void run(World made, Races program, boolean mended, boolean races) {
    var done = new ArrayList<Boolean>();
    try (World world = races ? BlockingJava.racing(made, PACKAGE) : BlockingJava.in(made)) {
      world.host(
          "host",
          host -> {
            program.start(mended);
            done.add(true);
          });
      world.runUntil(() -> !done.isEmpty(), Duration.ofMinutes(1));
    }
  }

  private static Exploration explore(
      Strategy strategy, int runs, Races program, boolean mended, boolean races) {
    return new Explorer(strategy)
        .runs(runs)
        .shrinking(Duration.ofDays(1), ATTEMPTS)
        .explore(choices -> run(choices, program, mended, races));
  }

  @ParameterizedTest
  @EnumSource
  void mistake_isFound_andRepeated(Races program) {
    Exploration found = explore(Strategy.uniform(1), RUNS, program, false, true);
    assertTrue(found.failure().isPresent(), () -> "not found in " + found.runs() + " runs");
    assertEquals("", found.divergence().map(Throwable::toString).orElse(""));
  }

  @ParameterizedTest
  @EnumSource
  void mistake_isFound_byPartialOrderSampling(Races program) {
    Exploration found = explore(Strategy.pos(1), RUNS, program, false, true);
    assertTrue(found.failure().isPresent(), () -> "not found in " + found.runs() + " runs");
  }

  /// One thread has to lose its turn amid three turns of the other one.
  @Test
  void aba_isFound_byPct() {
    Exploration found = explore(Strategy.pct(1, 4), RUNS, Races.ABA, false, true);
    assertTrue(found.failure().isPresent(), () -> "not found in " + found.runs() + " runs");
  }

  @ParameterizedTest
  @EnumSource
  void mistake_isFound_bySelectivelyUniformWalk(Races program) {
    Exploration found = explore(Strategy.surw(1), RUNS, program, false, true);
    assertTrue(found.failure().isPresent(), () -> "not found in " + found.runs() + " runs");
  }

  @ParameterizedTest
  @EnumSource
  void rightProgram_doesNotFail(Races program) {
    Exploration passed = explore(Strategy.uniform(1), RIGHT_RUNS, program, true, true);
    assertEquals("", passed.failure().map(Throwable::toString).orElse(""));
  }

  /// The simplest run that fails has a switch or two, and its message says what happened there.
  @Test
  void failure_namesBothAccesses_withStacksAndValues() {
    Exploration found = explore(Strategy.uniform(1), RUNS, Races.LOST_UPDATE, false, true);
    String message = String.valueOf(found.failure().orElseThrow().getMessage());
    Matcher told = TOLD.matcher(message);
    assertTrue(told.find(), message + found);
    assertTrue(found.shrunk().orElseThrow().deviations() <= 2, found::toString);
  }

  @Test
  void failure_isDrawn_withTheRace() {
    Exploration found = explore(Strategy.uniform(1), RUNS, Races.LOST_UPDATE, false, true);
    var recorder = Recorder.ofCapacity(10_000);
    World world = World.with(Choices.replay(found.shrunk().orElseThrow())).recorder(recorder);
    assertThrows(SimulationFailedError.class, () -> run(world, Races.LOST_UPDATE, false, true));
    String drawn = RecordingPicture.text(recorder.recording(), 1_000);
    assertTrue(drawn.contains("race: thread 'thread-"), drawn);
  }

  @Test
  void failure_isRepeated_inAnotherJvm() throws Exception {
    Exploration found = explore(Strategy.uniform(1), RUNS, Races.STACK, false, true);
    var flags = new ArrayList<>(AgentTest.EQUAL_HASH_CODES);
    flags.add(AgentTest.AGENT);
    String said =
        AgentTest.run(
            "com.acme.threads.RaceReplay", 0, flags, "STACK", found.shrunk().orElseThrow().print());
    Throwable failure = found.failure().orElseThrow().getCause();
    assertEquals(
        failure.toString(),
        said.lines().filter(each -> !each.contains(" VM warning: ")).toList().getLast());
  }

  /// A class is initialised in the first run only: its points would be choices there.
  @Test
  void classInitialiser_hasNoChoice() {
    long first = digest(host -> Initialised.together());
    assertEquals(first, digest(host -> Initialised.together()));
  }

  private static long digest(WorldHost.Main program) {
    try (World world = BlockingJava.racing(World.withSeed(7), PACKAGE)) {
      world.host("host", program);
      world.runFor(Duration.ofMinutes(1));
      return world.digest();
    }
  }

  /// Zero is to go on, but not for ever.
  @Test
  void loop_thatWaitsForAnotherThread_ends() {
    Choices calm = Choices.replay(ChoiceSequence.empty());
    var done = new ArrayList<Boolean>();
    try (World world = BlockingJava.racing(World.with(calm), PACKAGE)) {
      world.host("host", host -> done.add(Spinning.run()));
      world.runUntil(() -> !done.isEmpty(), Duration.ofMinutes(1));
    }
    assertEquals(List.of(true), done);
  }

  /// Another world of the same JVM has none of their choices.
  @Test
  void packages_thatAreNotAskedFor_doNotRace() {
    Choices choices = Choices.random(1);
    run(Choices.random(1), Races.REORDER_3, true, true);
    run(choices, Races.REORDER_3, true, false);
    ChoiceSequence made = choices.sequence();
    for (int i = 0; i < made.size(); i++) {
      assertNotEquals(ChoiceKind.SWITCH, made.kind(i));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"java.util", "dev.rondo.http..", "org.junit", "", "com.acme.."})
  void packages_thatAreNoneOfPrograms_areRefused(String name) {
    try (World world = World.withSeed(1)) {
      if (name.equals(PACKAGE)) {
        assertSame(world, BlockingJava.racing(world, name));
      } else {
        assertThrows(IllegalArgumentException.class, () -> BlockingJava.racing(world, name));
      }
    }
  }

  /// {@return how many runs each strategy needs for each program, and how fast they are}
  static String runsUntilFound(Races program, int seeds, int most) {
    return "%s: without points %s, uniform %s, weighted %s, PCT 3 %s, POS %s, SURW %s"
        .formatted(
            program,
            needed(program, seeds, most, false, Strategy::uniform),
            needed(program, seeds, most, true, Strategy::uniform),
            needed(program, seeds, most, true, Strategy::weighted),
            needed(program, seeds, most, true, seed -> Strategy.pct(seed, 3)),
            needed(program, seeds, most, true, Strategy::pos),
            needed(program, seeds, most, true, Strategy::surw));
  }

  private static String needed(
      Races program, int seeds, int most, boolean races, LongFunction<Strategy> strategy) {
    int all = 0;
    int found = 0;
    long begin = System.nanoTime();
    for (int i = 0; i < seeds; i++) {
      Exploration result =
          new Explorer(strategy.apply(1_000_000L * i))
              .runs(most)
              .shrinking(Duration.ZERO, 0)
              .explore(choices -> run(choices, program, false, races));
      all += result.runs();
      found += result.failure().isPresent() ? 1 : 0;
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    return "%d/%d %.1f (%,.0f/s)".formatted(found, seeds, (double) all / seeds, all / seconds);
  }
}
