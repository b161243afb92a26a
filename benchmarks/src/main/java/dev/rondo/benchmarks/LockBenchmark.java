package dev.rondo.benchmarks;

import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.TearDown;

/// One task locks and unlocks without contention: nanoseconds for the pair.
///
/// `rondoMutex` yields once in 128 times, like every operation that need not wait. The rest is two
/// checks of the caller (its thread, its task), and the entry in the task's list of locks. The
/// guard is not allocated: it does not escape, so the compiler sees that it is closed.
/// `rondoMutexTry` never yields, and without a call in between the compiler moves most of the
/// checks out of the loop. The peers are the fair and the unfair `ReentrantLock`, whose time is one
/// compare-and-set, and the `Mutex` of kotlinx.coroutines, which makes no guard. No task waits, so
/// the backend does not matter.
public class LockBenchmark extends NanosPerOperation {
  private static final int PAIRS = 100_000;

  private final Scheduler scheduler = Scheduler.create();
  private final Mutex mutex = new Mutex(scheduler, "m");
  private final Semaphore semaphore = new Semaphore(scheduler, "s", 1);
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
