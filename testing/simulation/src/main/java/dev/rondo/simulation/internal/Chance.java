package dev.rondo.simulation.internal;

import dev.rondo.exploration.ChoiceKind;
import dev.rondo.exploration.Choices;
import java.util.function.DoublePredicate;
import java.util.random.RandomGenerator;

/// Where all that is random comes from. What is drawn as 0, or as false, is the calm choice.
///
/// @param random draws sizes and times
/// @param strikes draws whether a fault of a probability happens, from 0 to 1
public record Chance(RandomGenerator random, DoublePredicate strikes) {

  /// {@return chance from a generator}
  ///
  /// @param random draws all
  public static Chance of(RandomGenerator random) {
    return new Chance(
        random, probability -> probability > 0 && random.nextDouble() >= 1 - probability);
  }

  /// {@return chance from the choices of a run}
  ///
  /// @param kind of what is not whether a fault happens
  public static Chance of(Choices choices, ChoiceKind kind) {
    return new Chance(
        choices.generator(kind, 0), probability -> choices.chance(ChoiceKind.FAULT, probability));
  }

  /// {@return whether a fault happens}
  ///
  /// @param probability from 0 to 1
  public boolean strikes(double probability) {
    return strikes.test(probability);
  }
}
