package com.acme.threads;

import dev.rondo.simulation.WorldHost;
import java.util.function.IntConsumer;

/// A program that counts its starts in a static field.
public final class Started implements WorldHost.Main {

  private final IntConsumer told;

  /// @param told receives the count
  public Started(IntConsumer told) {
    this.told = told;
  }

  @Override
  public void run(WorldHost host) {
    told.accept(Threads.started());
  }
}
