package com.acme.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/// Threads that enter monitors, unmodified.
public final class Entering {

  private static final int THREADS = 6;

  private Entering() {}

  /// Starts threads that pass a place. Every other one does so in a monitor.
  ///
  /// @param before is called with the number of a thread, before it wants the monitor
  /// @param passes is called with the number of a thread
  public static void inAndOut(Object monitor, IntConsumer before, IntConsumer passes)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      threads.add(
          new Thread(() -> {
            if (number % 2 == 0) {
              before.accept(number);
              pass(monitor, number, passes);
            } else {
              passes.accept(number);
            }
          }));
    }
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
  }

  private static void pass(Object monitor, int number, IntConsumer passes) {
    synchronized (monitor) {
      passes.accept(number);
    }
  }
}
