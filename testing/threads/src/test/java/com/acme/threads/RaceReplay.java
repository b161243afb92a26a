package com.acme.threads;

import dev.rondo.exploration.ChoiceSequence;
import dev.rondo.exploration.Choices;
import dev.rondo.simulation.SimulationFailedError;
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
    Choices choices = Choices.replay(ChoiceSequence.parse(arguments[1]));
    try (World world = BlockingJava.racing(World.with(choices), "com.acme..")) {
      world.host("host", host -> Races.valueOf(arguments[0]).start(false));
      world.runFor(Duration.ofMinutes(1));
    } catch (SimulationFailedError e) {
      choices.requireNoDivergence();
      System.out.println(e.getCause());
    }
  }
}
