package com.acme.bugs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Threads that begin together.
final class Together {

  private Together() {}

  /// What a thread does.
  @FunctionalInterface
  interface Body {
    void run(int number) throws Exception;
  }

  /// Runs them, waits until all have ended, and fails if one has failed.
  static void run(int count, Body body) throws Exception {
    List<Exception> failures = new CopyOnWriteArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .unstarted(() -> {
                try {
                  body.run(number);
                } catch (Exception e) {
                  failures.add(e);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread each : threads) {
      each.join();
    }
    if (!failures.isEmpty()) {
      throw failures.getFirst();
    }
  }
}
