package dev.rondo.benchmarks;

import java.util.ArrayDeque;

/// The limit of all stackless tasks: objects with one method in an `ArrayDeque`.
final class BareSteps {

  /// A step. Each lambda has its own class, so calls from a mixed queue are megamorphic.
  @FunctionalInterface
  interface Step {
    void step();
  }

  private final ArrayDeque<Step> ready = new ArrayDeque<>();

  void schedule(Step step) {
    ready.add(step);
  }

  /// Runs until no step is ready.
  void run() {
    for (Step next; (next = ready.poll()) != null; ) {
      next.step();
    }
  }

  /// Gives a number of turns to a ring of steps that never end.
  void run(int turns) {
    for (int i = 0; i < turns; i++) {
      Step next = ready.poll();
      next.step();
      ready.add(next);
    }
  }
}
