package dev.rondo.benchmarks;

import dev.rondo.condition.Signal;
import dev.rondo.scheduler.Scheduler;
import java.util.concurrent.CountDownLatch;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The sender's cost of waking all waiters of a signal, few or many: nanoseconds for one call. Each
/// call is measured alone, so the clock itself accounts for some 30 ns.
///
/// Rondo settles one wait after the other, and a `CountDownLatch` unparks one thread after the
/// other. No task switches while the call is measured, so the backend does not matter.
@BenchmarkMode(Mode.SampleTime)
public class NotifyBenchmark extends NanosPerOperation {

  /// The number of waiting tasks.
  @Param({"1", "100", "10000"})
  public int waiters;

  /// Rondo.
  @State(Scope.Thread)
  public static class Signalled {
    private final Scheduler scheduler = Scheduler.create();
    private final Signal<Integer> signal = new Signal<>(scheduler, "go");

    /// Makes all tasks wait again.
    @Setup(Level.Invocation)
    public void gather(NotifyBenchmark benchmark) {
      while (scheduler.step()) {
        // the tasks woken by the last call
      }
      for (int i = signal.waiterCount(); i < benchmark.waiters; i++) {
        scheduler.spawn(() -> {
          while (true) {
            scheduler.await(signal);
          }
        });
      }
      while (scheduler.step()) {
        // the tasks that were just made
      }
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  /// Virtual threads.
  @State(Scope.Thread)
  public static class Latched {
    private CountDownLatch go = new CountDownLatch(1);
    private CountDownLatch done = new CountDownLatch(0);

    /// Makes all threads wait, now or in a moment.
    @Setup(Level.Invocation)
    public void gather(NotifyBenchmark benchmark) throws InterruptedException {
      done.await();
      var nextGo = new CountDownLatch(1);
      var nextDone = new CountDownLatch(benchmark.waiters);
      var here = new CountDownLatch(benchmark.waiters);
      for (int i = 0; i < benchmark.waiters; i++) {
        Thread.startVirtualThread(() -> {
          here.countDown();
          try {
            nextGo.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          nextDone.countDown();
        });
      }
      here.await();
      go = nextGo;
      done = nextDone;
    }
  }

  @Benchmark
  public int rondo(Signalled state) {
    return state.signal.signalAll(1);
  }

  @Benchmark
  public void virtualThreads(Latched state) {
    state.go.countDown();
  }
}
