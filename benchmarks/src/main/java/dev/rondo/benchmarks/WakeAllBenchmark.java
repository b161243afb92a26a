package dev.rondo.benchmarks;

import dev.rondo.condition.Signal;
import dev.rondo.condition.WaitForSignal;
import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Ten thousand tasks wait for one signal; it is sent, and all run to their end: microseconds for
/// the whole, the making of the tasks included.
///
/// Beside it the same with a `CompletableDeferred` of kotlinx.coroutines on one event loop, and
/// with a `CountDownLatch` on virtual threads, which use all processors. What of it the sender pays
/// is [NotifyBenchmark].
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WakeAllBenchmark {
  private static final int WAITERS = 10_000;

  private final Scheduler scheduler = Scheduler.create();
  private final Signal<Integer> signal = WaitForSignal.on(scheduler).newSignal("go");
  private int sum;

  @TearDown
  public void close() {
    scheduler.close();
  }

  private void gather() {
    for (int i = 0; i < WAITERS; i++) {
      scheduler.spawn(() -> {
        sum += scheduler.await(signal);
      });
    }
  }

  @Benchmark
  public int rondo() {
    gather();
    scheduler.spawn(() -> signal.signalAll(1)); // runs when all wait
    scheduler.start();
    return sum;
  }

  @Benchmark
  public int kotlinx() {
    return CoroutinePeers.wakeAll(WAITERS);
  }

  @Benchmark
  public void virtualThreads() throws InterruptedException {
    var go = new CountDownLatch(1);
    var done = new CountDownLatch(WAITERS);
    for (int i = 0; i < WAITERS; i++) {
      Thread.startVirtualThread(() -> {
        try {
          go.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        done.countDown();
      });
    }
    go.countDown();
    done.await();
  }
}
