package dev.rondo.simulation.threads.internal;

import dev.rondo.application.ApplicationBuilder;
import dev.rondo.exploration.Choices;

/// The hosts of a world whose programs are written for threads.
public final class BlockingHosts {

  private final Choices choices;
  private final WorldThreads threads = new WorldThreads();

  /// Those of a world.
  ///
  /// @param choices of the world
  public BlockingHosts(Choices choices) {
    this.choices = choices;
    JdkStatics.begin(choices.nextLong());
    TurnWatch.start();
  }

  /// Lets the tasks of an application be the threads of a program, in an order that is chosen.
  public void configure(ApplicationBuilder builder) {
    builder
        .backend(new ThreadLoop(threads))
        .scheduler(scheduler -> scheduler.policy(choices::policy));
  }
}
