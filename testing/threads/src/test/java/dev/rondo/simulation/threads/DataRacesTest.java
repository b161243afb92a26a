package dev.rondo.simulation.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.threads.Handover;
import com.acme.threads.Races;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Accesses that no happens-before orders fail a run that passes otherwise; ordered ones do not.
final class DataRacesTest {

  private static final int RUNS = 60;

  private static final Pattern TOLD =
      Pattern.compile(
          """
          data race, which no happens-before orders:
            thread '(teller|hearer)' (reads|writes) com.acme.threads.Handover\\$Data.value, which is [01]
                at com.acme.threads.Handover\\$Data.(read|write)\\(Handover.java:\\d+\\)
          (      at .*
          )*  thread '(teller|hearer)' (reads|writes) com.acme.threads.Handover\\$Data.value, which is [01]
                at com.acme.threads.Handover\\$Data.(read|write)\\(Handover.java:\\d+\\)
          """
              .strip());

  private static void run(Choices choices, WorldHost.Main program) {
    var done = new ArrayList<Boolean>();
    try (World world = BlockingJava.detectingDataRaces(World.with(choices), "com.acme..")) {
      world.host(
          "host",
          host -> {
            program.run(host);
            done.add(true);
          });
      world.runUntil(() -> !done.isEmpty(), Duration.ofMinutes(1));
    }
  }

  private static Exploration explore(WorldHost.Main program) {
    return new Explorer(Strategy.uniform(1))
        .runs(RUNS)
        .shrinking(Duration.ofDays(1), 100)
        .explore(choices -> run(choices, program));
  }

  private static String failure(Exploration explored) {
    return explored.failure().map(Throwable::toString).orElse("");
  }

  @ParameterizedTest
  @EnumSource
  void writeBeforeHandover_isNoRace(Handover by) {
    assertEquals("", failure(explore(_ -> by.start(false))));
  }

  @ParameterizedTest
  @EnumSource
  void writeAfterHandover_isRace(Handover by) {
    String failure = failure(explore(_ -> by.start(true)));
    assertTrue(failure.contains("data race"), failure);
  }

  @Test
  void executors_handOver() {
    assertEquals("", failure(explore(_ -> Handover.executors())));
  }

  @Test
  void race_isTold_withBothAccesses() {
    String failure = failure(explore(_ -> Handover.VOLATILE.start(true)));
    assertTrue(TOLD.matcher(failure).find(), failure);
  }

  @ParameterizedTest
  @EnumSource
  void rightProgram_hasNoRace(Races program) {
    String failure = failure(explore(_ -> program.start(true)));
    boolean isBenign = program == Races.DOUBLE_CHECKED;
    assertEquals(isBenign, failure.contains("data race"), failure);
  }
}
