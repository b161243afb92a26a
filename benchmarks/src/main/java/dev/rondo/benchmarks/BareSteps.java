package dev.rondo.benchmarks;

import java.util.ArrayDeque;

/// The limit of everything that has no stack: objects with one method in an `ArrayDeque`.
final class BareSteps {

  /// One turn. Each lambda is a class of its own, so the call of a mixed queue is megamorphic.
  @FunctionalInterface
  interface Step {
    void step();
  }

  private final ArrayDeque<Step> ready = new ArrayDeque<>();

  void schedule(Step step) {
    ready.add(step);
  }

  /// Runs until nobody is ready.
  void run() {
    for (Step next; (next = ready.poll()) != null; ) {
      next.step();
    }
  }

  /// Gives so many turns to a ring of steps that never end.
  void run(int turns) {
    for (int i = 0; i < turns; i++) {
      Step next = ready.poll();
      next.step();
      ready.add(next);
    }
  }
}
