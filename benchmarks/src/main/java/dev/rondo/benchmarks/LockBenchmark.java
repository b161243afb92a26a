package dev.rondo.benchmarks;

import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.TearDown;

/// One task locks and unlocks what nobody else wants: nanoseconds for the pair.
///
/// `rondoMutex` gives way once in 128 times, as everything does that never has to wait: to count
/// that is 4 ns of its time. The rest are two looks at who asks (which thread, which task), and the
/// lock's place among what the task holds. The handle is not made: nothing else knows of it, so the
/// compiler sees that it is closed. `rondoMutexTry` never gives way, and with no call in the way
/// the compiler sees through the pair. Beside them the fair and the unfair `ReentrantLock`, whose
/// time is one compare-and-set, and the `Mutex` of kotlinx.coroutines, which makes no handle.
/// Nobody waits, so the backend does not come into it.
public class LockBenchmark extends NanosPerOperation {
  private static final int PAIRS = 100_000;

  private final Scheduler scheduler = Scheduler.create();
  private final Mutex mutex = Mutex.create(scheduler, "m");
  private final Semaphore semaphore = Semaphore.create(scheduler, "s", 1);
  private final ReentrantLock fair = new ReentrantLock(true);
  private final ReentrantLock unfair = new ReentrantLock();
  private int inside;

  @TearDown
  public void close() {
    scheduler.close();
  }

  @Benchmark
  @OperationsPerInvocation(PAIRS)
  public int rondoMutex() {
    scheduler.spawn(() -> {
      for (int i = 0; i < PAIRS; i++) {
        try (var _ = mutex.lock()) {
          inside++;
        }
      }
    });
    scheduler.start();
    return inside;
  }

  @Benchmark
  @OperationsPerInvocation(PAIRS)
  public int rondoMutexTry() {
    scheduler.spawn(() -> {
      for (int i = 0; i < PAIRS; i++) {
        try (var _ = mutex.tryLock()) {
          inside++;
        }
      }
    });
    scheduler.start();
    return inside;
  }

  @Benchmark
  @OperationsPerInvocation(PAIRS)
  public int rondoSemaphore() {
    scheduler.spawn(() -> {
      for (int i = 0; i < PAIRS; i++) {
        try (var _ = semaphore.acquire()) {
          inside++;
        }
      }
    });
    scheduler.start();
    return inside;
  }

  @Benchmark
  @OperationsPerInvocation(PAIRS)
  public int reentrantLock() {
    return pairs(unfair);
  }

  @Benchmark
  @OperationsPerInvocation(PAIRS)
  public int fairReentrantLock() {
    return pairs(fair);
  }

  private int pairs(ReentrantLock lock) {
    for (int i = 0; i < PAIRS; i++) {
      lock.lock();
      try {
        inside++;
      } finally {
        lock.unlock();
      }
    }
    return inside;
  }

  @Benchmark
  @OperationsPerInvocation(PAIRS)
  public int kotlinx() {
    return CoroutinePeers.lockAndUnlock(PAIRS);
  }
}
