package dev.rondo.benchmarks;

import java.util.ArrayDeque;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/// The limit of everything that has a stack: the JDK's continuations in an `ArrayDeque`, and
/// nothing around them. No other class of the benchmarks knows `jdk.internal.vm`.
final class BareLoop {
  private static final ContinuationScope SCOPE = new ContinuationScope("bare");

  private final ArrayDeque<Fiber> ready = new ArrayDeque<>();
  private boolean residentIsReady;

  /// Code with a stack of its own.
  static final class Fiber extends Continuation {
    Fiber(Runnable code) {
      super(SCOPE, code);
    }
  }

  /// Gives way; somebody has scheduled this fiber, or will.
  static void pause() {
    Continuation.yield(SCOPE);
  }

  void schedule(Fiber fiber) {
    ready.add(fiber);
  }

  /// Runs until nobody is ready.
  void run() {
    for (Fiber next; (next = ready.poll()) != null; ) {
      next.run();
    }
  }

  /// Gives so many turns to a ring of fibers that never end.
  void run(int turns) {
    for (int i = 0; i < turns; i++) {
      Fiber next = ready.poll();
      next.run();
      ready.add(next);
    }
  }

  // The resident: whoever called, on whose frames the others run. Its stack is never copied.

  void scheduleResident() {
    residentIsReady = true;
  }

  void pauseResident() {
    while (!residentIsReady) {
      ready.poll().run();
    }
    residentIsReady = false;
  }
}
