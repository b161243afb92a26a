package dev.rondo.simulation.threads;

import java.util.concurrent.atomic.AtomicInteger;

/// How many runs there were: one class for all of them, fresh classes or not.
public final class CountedRuns {

  private static final AtomicInteger COUNT = new AtomicInteger();

  private CountedRuns() {}

  /// One more.
  public static void count() {
    int _ = COUNT.incrementAndGet();
  }

  /// {@return how many there were since the last call}
  static int take() {
    return COUNT.getAndSet(0);
  }
}
