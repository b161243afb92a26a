package com.acme.threads;

import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.Exploration;
import dev.rondo.exploration.Explorer;
import dev.rondo.exploration.Strategy;
import dev.rondo.simulation.World;
import dev.rondo.simulation.threads.BlockingJava;
import java.time.Duration;

/// Repeats a run of [Races] that has failed, in a JVM of its own.
public final class RaceReplay {

  private RaceReplay() {}

  /// Prints the failure of the program.
  ///
  /// @param arguments the program, and the choices of the run
  public static void main(String[] arguments) {
    Strategy replay = Strategy.replay(ChoiceSequence.parse(arguments[1]));
    Exploration result =
        new Explorer(replay).explore(choices -> run(Races.valueOf(arguments[0]), choices));
    result
        .divergence()
        .ifPresent(divergence -> {
          throw divergence;
        });
    result.failure().ifPresent(failure -> System.out.println(failure.getCause()));
  }

  private static void run(Races program, Choices choices) {
    try (World world = BlockingJava.racing(World.with(choices), "com.acme..")) {
      world.host("host", host -> program.start(false));
      world.runFor(Duration.ofMinutes(1));
    }
  }
}
