package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.scheduler.Task;
import org.junit.jupiter.api.BeforeEach;

/// Tests of one mutex.
abstract class MutexFixture extends OnEveryBackend {

  Mutex mutex;

  @BeforeEach
  final void makeMutex() {
    mutex = new Mutex(scheduler, "m");
  }

  /// A task that locks, logs, holds the lock for a while, and unlocks.
  final Task<Void> user(String name) {
    return scheduler.spawn(
        name,
        () -> {
          try (var _ = mutex.lock()) {
            log(name);
            time.sleep(ms(10));
          }
        });
  }

  static String message(Class<? extends Throwable> type, Runnable code) {
    return assertThrows(type, code::run).getMessage();
  }
}
