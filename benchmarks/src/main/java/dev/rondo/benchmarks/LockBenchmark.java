package dev.rondo.benchmarks;

import dev.rondo.condition.Mutex;
import dev.rondo.condition.Semaphore;
import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// One task locks and unlocks what nobody else wants: nanoseconds for the pair.
///
/// `rondo` gives way once in 128 times, as everything does that never has to wait; `rondoTry` never
/// does. Beside them the fair and the unfair `ReentrantLock`, and the `Mutex` of
/// kotlinx.coroutines.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LockBenchmark {
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
  public int rondo() {
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
  public int rondoTry() {
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
