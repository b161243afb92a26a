package dev.rondo.application;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Makes a call on a virtual thread with the calling thread's name, and waits until the call ends.
final class OnVirtualThread {

  private OnVirtualThread() {}

  static <T> T call(Callable<T> call) {
    var task = new FutureTask<>(call);
    Thread thread = Thread.ofVirtual().name(Thread.currentThread().getName()).start(task);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
          thread.interrupt(); // stops the loop
        } catch (ExecutionException e) {
          throw unchecked(e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(ExecutionException e) {
    return switch (e.getCause()) {
      case RuntimeException failure -> failure;
      case Error failure -> throw failure;
      case null, default -> new IllegalStateException(e);
    };
  }
}
