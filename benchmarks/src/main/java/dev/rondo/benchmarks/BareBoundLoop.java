package dev.rondo.benchmarks;

import java.lang.reflect.Constructor;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/// The limit of the backend BOUND: virtual threads with a bare `ArrayDeque` as their scheduler.
final class BareBoundLoop implements Executor {
  private final ArrayDeque<Runnable> ready = new ArrayDeque<>();
  private final Thread.Builder.OfVirtual threads;

  BareBoundLoop() {
    try {
      Constructor<?> builders =
          Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(Executor.class);
      builders.setAccessible(true);
      threads = (Thread.Builder.OfVirtual) builders.newInstance(this);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JDK has no virtual threads on an executor", e);
    }
  }

  @Override
  public void execute(Runnable turn) {
    ready.add(turn);
  }

  Thread start(Runnable code) {
    return threads.start(code);
  }

  /// Runs until no thread is ready.
  void run() {
    for (Runnable next; (next = ready.poll()) != null; ) {
      next.run();
    }
  }

  /// Gives a number of turns to threads that never end.
  void run(int turns) {
    for (int i = 0; i < turns; i++) {
      ready.poll().run();
    }
  }
}
