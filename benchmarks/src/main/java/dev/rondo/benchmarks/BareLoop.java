package dev.rondo.benchmarks;

import java.util.ArrayDeque;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;

/// The limit of everything that has a stack: the JDK's continuations in an `ArrayDeque`, and
/// nothing else. No other class of the benchmarks uses `jdk.internal.vm`.
final class BareLoop {
  private static final ContinuationScope SCOPE = new ContinuationScope("bare");

  private final ArrayDeque<Fiber> ready = new ArrayDeque<>();
  private boolean residentIsReady;

  /// Code with its own stack.
  static final class Fiber extends Continuation {
    Fiber(Runnable code) {
      super(SCOPE, code);
    }
  }

  /// Suspends; other code has scheduled this fiber, or will.
  static void pause() {
    Continuation.yield(SCOPE);
  }

  void schedule(Fiber fiber) {
    ready.add(fiber);
  }

  /// Runs until no fiber is ready.
  void run() {
    for (Fiber next; (next = ready.poll()) != null; ) {
      next.run();
    }
  }

  /// Gives a number of turns to a ring of fibers that never end.
  void run(int turns) {
    for (int i = 0; i < turns; i++) {
      Fiber next = ready.poll();
      next.run();
      ready.add(next);
    }
  }

  // The mounted fiber: the caller, on whose frames the others run. Its stack is never copied.

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
