package dev.rondo.exploration.internal;

import static java.util.Objects.requireNonNull;

import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The choices of a run, as seen by the drivers of schedulers and hosts.
///
/// Confined to the thread of the run.
public abstract class RunChoices {

  /// Set by the class of the choices, before there is an object of it.
  private static volatile @Nullable Function<RandomGenerator, RunChoices> finder;

  /// For the class of the choices.
  protected RunChoices() {}

  /// Sets how the view of a run's choices is found.
  ///
  /// @param found of the choices, their view
  public static void findBy(Function<RandomGenerator, RunChoices> found) {
    finder = found;
  }

  /// {@return the view of a run's choices}
  ///
  /// @param choices a `Choices`
  public static RunChoices of(RandomGenerator choices) {
    return requireNonNull(finder, "there are no choices yet").apply(choices);
  }

  /// Chooses the host that has the next turn. Strategies such as PCT give priorities to hosts.
  ///
  /// @param count how many hosts are ready, at least 1
  /// @param hosts their numbers, greater than 0
  /// @return from 0 to `count - 1`; 0 should be the usual order
  public abstract int chooseHost(int count, Candidates hosts);

  /// {@return a policy for one scheduler, by which a task may lose its turn in the middle of it}
  public abstract SwitchingPolicy switchingPolicy();

  /// Ends the run, which has exceeded its limit of real time: its next step fails. Any thread.
  public abstract void giveUp();

  /// {@return whether the run is shown: its output and its events} A search shows the run that
  /// repeats its failure, and no other. All else is shown.
  public abstract boolean isShown();

  /// {@return a number that follows from the choices made so far} Runs with other choices have
  /// other numbers.
  public abstract long digest();
}
