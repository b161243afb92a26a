package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.engine.Loop;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A result for which no task waits any more. See docs/inside/semantics.md, rule 42.
///
/// @param name of the wait
/// @param taker receives the result, on a thread other than the loop's; it may block
record LateResult<T extends @Nullable Object>(
    Loop loop, String name, T value, Consumer<? super T> taker) implements Runnable {

  /// Starts virtual threads. This is not the common pool, because a program may block all of its
  /// few threads.
  private static final Executor STARTER = newStarter();

  private static Executor newStarter() {
    var starter =
        new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), LateResult::newThread);
    starter.allowCoreThreadTimeOut(true);
    return starter;
  }

  private static Thread newThread(Runnable body) {
    return Thread.ofPlatform().daemon().name("rondo-starter").unstarted(body);
  }

  /// Gives the result to the taker, later. Any thread.
  void arrived() {
    if (!loop.post(this::post)) {
      run(); // the scheduler is closed
    }
  }

  /// Gives the result to the taker, later. On the loop.
  void post() {
    if (!BlockingCall.runsBlocking(loop, "late result of " + name, this)) {
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

  /// Starts a virtual thread. A virtual thread inherits the scheduler of the virtual thread that
  /// makes it. On the BOUND backend that scheduler is the loop. So on BOUND a platform thread makes
  /// the virtual thread, a moment later.
  static void beginThread(Runnable start) {
    if (Thread.currentThread().isVirtual()) {
      STARTER.execute(start);
    } else {
      start.run();
    }
  }
}
