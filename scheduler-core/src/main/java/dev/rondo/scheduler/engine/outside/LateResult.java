package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.engine.Loop;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A result for which no task waits any more. See docs/inside/semantics.md, rule 42.
///
/// @param name of the wait
/// @param taker receives the result, on another thread than the loop's: it may block
record LateResult<T extends @Nullable Object>(
    Loop loop, String name, T value, Consumer<? super T> taker) implements Runnable {

  /// Gives the result to the taker, later. Any thread.
  void arrived() {
    if (!loop.postChange(this::post)) {
      run(); // the scheduler is closed
    }
  }

  /// Gives the result to the taker, later. On the loop.
  void post() {
    if (!loop.runsBlocking("late result of " + name, this)) {
      beginThread(() -> Thread.ofVirtual().name("late result of " + name).start(this));
    }
  }

  /// Gives the result to the taker. Not on the loop's thread.
  @Override
  public void run() {
    try {
      taker.accept(value);
    } catch (Throwable e) {
      loop.report("the late result of " + name, e);
    }
  }

  /// Starts a virtual thread. It inherits the scheduler of the virtual thread that makes it; on the
  /// BOUND backend that is the loop. So on BOUND a platform thread makes the virtual thread, a
  /// moment later.
  static void beginThread(Runnable start) {
    if (Thread.currentThread().isVirtual()) {
      ForkJoinPool.commonPool().execute(start);
    } else {
      start.run();
    }
  }
}
