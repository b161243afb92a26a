package dev.rondo.junit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The thread on which the loops of tests run, one after the other. JUnit's thread waits for each
/// call up to a limit, so that it can inspect and abandon a test that hangs.
final class TestThread {

  private final ExecutorService executor = Executors.newSingleThreadExecutor(this::newThread);

  /// Written before the first call that runs there.
  private volatile @Nullable Thread thread;

  private Thread newThread(Runnable work) {
    Thread made = Thread.ofPlatform().daemon().name("rondo test").unstarted(work);
    thread = made;
    return made;
  }

  /// {@return the thread; null if there was no call yet}
  @Nullable Thread thread() {
    return thread;
  }

  /// Makes a call on the thread and waits for its end; the thread itself makes it directly.
  ///
  /// @throws TimeoutException if it takes too long; it goes on
  <T extends @Nullable Object> T call(Callable<T> work, Duration limit)
      throws Exception, TimeoutException {
    if (Thread.currentThread().equals(thread)) {
      return work.call();
    }
    Future<T> done = executor.submit(work);
    try {
      return done.get(TimeUnit.MILLISECONDS.convert(limit), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  private static Exception unwrapped(ExecutionException e) {
    return switch (e.getCause()) {
      case Exception failure -> failure;
      case Error failure -> throw failure;
      case null, default -> e;
    };
  }

  /// Adds work to be done when the thread continues after all.
  void later(Runnable work) {
    executor.execute(work);
  }

  /// Waits until the thread has ended, which [#end] has asked for, or until a limit is over.
  void awaitEnd(Duration limit) {
    try {
      boolean _ = executor.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Ends the thread after its work.
  void end() {
    executor.shutdown();
  }
}
