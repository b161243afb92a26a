package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.coroutine.CoroutineBackend;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// A ring of stackful tasks that do nothing but yield: the price of one switch.
///
/// Nearly all of it is the two stack copies inside the virtual machine, which `bare` shows: a loop
/// over continuations in an `ArrayDeque`, the least code that does the job. `continuation`, `bound`
/// and `handoff` are Rondo's backends.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class SwitchBenchmark {
  private static final int SWITCHES = 100_000;

  /// How many tasks take turns.
  @Param({"2", "100", "10000"})
  public int ring;

  /// The limit.
  @State(Scope.Thread)
  public static class Bare {
    private static final ContinuationScope SCOPE = new ContinuationScope("bare");
    private final ArrayDeque<Continuation> ready = new ArrayDeque<>();

    @Setup
    public void fill(SwitchBenchmark benchmark) {
      for (int i = 0; i < benchmark.ring; i++) {
        ready.add(new Continuation(SCOPE, Bare::body));
      }
    }

    @SuppressWarnings("InfiniteLoopStatement")
    private static void body() {
      while (true) {
        Continuation.yield(SCOPE);
      }
    }
  }

  /// Rondo on one of its backends.
  @State(Scope.Thread)
  public abstract static class Ours {
    private final Scheduler scheduler;
    private int left;

    Ours(CoroutineBackend backend) {
      scheduler = Scheduler.builder().backend(backend).build();
    }

    @Setup
    public void fill(SwitchBenchmark benchmark) {
      for (int i = 0; i < benchmark.ring; i++) {
        scheduler.spawn(this::body);
      }
    }

    @SuppressWarnings("InfiniteLoopStatement")
    private void body() {
      while (true) {
        if (--left == 0) {
          scheduler.stop();
        }
        scheduler.yield();
      }
    }

    void turn() {
      left = SWITCHES;
      scheduler.start();
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  /// Rondo on CONTINUATION.
  public static class OnContinuation extends Ours {
    public OnContinuation() {
      super(CoroutineBackends.continuation());
    }
  }

  /// Rondo on BOUND.
  public static class OnBound extends Ours {
    public OnBound() {
      super(CoroutineBackends.bound());
    }
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void bare(Bare state) {
    ArrayDeque<Continuation> ready = state.ready;
    for (int i = 0; i < SWITCHES; i++) {
      Continuation next = ready.poll();
      next.run();
      ready.add(next);
    }
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void continuation(OnContinuation state) {
    state.turn();
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void bound(OnBound state) {
    state.turn();
  }

  /// The loop on a virtual thread, as `Application.run` has it; with the making of the ring.
  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void handoff() throws InterruptedException {
    Thread.ofVirtual()
        .start(() -> {
          try (Scheduler scheduler =
              Scheduler.builder().backend(CoroutineBackends.handoff()).build()) {
            for (int i = 0; i < ring; i++) {
              scheduler.spawn(() -> {
                for (int k = 0; k < SWITCHES / ring; k++) {
                  scheduler.yield();
                }
              });
            }
            scheduler.start();
          }
        })
        .join();
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void kotlinx() {
    CoroutinePeers.ring(ring, SWITCHES);
  }
}
