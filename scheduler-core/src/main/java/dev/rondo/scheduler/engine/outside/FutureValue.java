package dev.rondo.scheduler.engine.outside;

import dev.rondo.scheduler.engine.Throwables;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Blocks until a future of an unknown kind is done. Throws the failure of the future unwrapped.
final class FutureValue {

  private FutureValue() {}

  static <T extends @Nullable Object> T of(Future<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw Throwables.rethrow(e.getCause() == null ? e : e.getCause());
    }
  }
}
