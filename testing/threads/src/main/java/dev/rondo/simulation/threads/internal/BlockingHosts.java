package dev.rondo.simulation.threads.internal;

import dev.rondo.application.ApplicationBuilder;
import dev.rondo.exploration.Choices;
import dev.rondo.exploration.internal.RunChoices;
import dev.rondo.exploration.internal.SwitchingPolicy;
import org.jspecify.annotations.Nullable;

/// The hosts of a world whose programs are written for threads.
public final class BlockingHosts {

  private final Choices choices;
  private final WorldThreads threads = new WorldThreads();
  private final @Nullable RaceReport races;
  private final boolean detects;

  /// The hosts of a world.
  ///
  /// @param choices of the world
  /// @param racing the packages whose threads race, a bit for each
  /// @param detects whether it is a failure that their accesses are not ordered
  public BlockingHosts(Choices choices, int racing, boolean detects) {
    this.detects = detects;
    this.choices = choices;
    this.races = racing == 0 ? null : new RaceReport(racing, choices.isReplay());
    JdkStatics.begin(choices.nextLong());
    TurnWatch.start();
  }

  /// Lets the tasks of an application be the threads of a program, in an order that is chosen.
  public void configure(ApplicationBuilder builder) {
    RaceReport told = races;
    if (told == null) {
      builder
          .backend(new ThreadLoop(threads, null))
          .scheduler(scheduler -> scheduler.policy(choices::policy));
    } else {
      SwitchingPolicy policy = RunChoices.of(choices).switchingPolicy();
      builder
          .backend(
              new ThreadLoop(
                  threads,
                  new RaceSearch(
                      told, policy, threads.monitors(), detects ? new DataRaces() : null)))
          .scheduler(scheduler -> scheduler.policy(() -> policy));
    }
  }
}
