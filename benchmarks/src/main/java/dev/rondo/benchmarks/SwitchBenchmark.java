package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/// A ring of stackful tasks that only yield: the cost of one switch. All peers run on one thread.
///
/// Nearly all of the cost is two stack copies inside the virtual machine, which `bare` shows. Rondo
/// adds two calls, the ring of ready tasks and the state of the task. A ring of 10,000 tasks or
/// more misses the caches with each stack. Garbage is collected once before the measurement,
/// because stacks in the young generation make the switch more expensive.
///
/// A million tasks take some 600 MB. They are measured with a young generation of 8 GB; with the
/// default heap of this machine each young collection copies them all, and a switch takes from 0.3
/// to 1 us.
///
/// On HANDOFF each switch passes control between two virtual threads, which takes some 0.8 us. That
/// backend is for JVMs that were started without the flags. Only this workload, [SpawnBenchmark]
/// and [PingPongBenchmark] include it.
public class SwitchBenchmark extends NanosPerOperation {
  private static final int SWITCHES = 100_000;

  /// The number of tasks that take turns.
  @Param({"2", "100", "10000"})
  public int ring;

  /// A ring that runs by itself.
  private interface Turns {
    void take(int turns) throws InterruptedException;
  }

  /// Waits until the ring is made and compiled, and its stacks are old.
  private static void settle(int ring, Turns turns) throws InterruptedException {
    turns.take(Math.max(SWITCHES, 2 * ring));
    System.gc();
  }

  /// The limit.
  @State(Scope.Thread)
  public static class Bare {
    private final BareLoop loop = new BareLoop();

    @Setup
    public void fill(SwitchBenchmark benchmark) throws InterruptedException {
      for (int i = 0; i < benchmark.ring; i++) {
        loop.schedule(new BareLoop.Fiber(Bare::body));
      }
      settle(benchmark.ring, loop::run);
    }

    @SuppressWarnings("InfiniteLoopStatement")
    private static void body() {
      while (true) {
        BareLoop.pause();
      }
    }
  }

  /// The limit of BOUND.
  @State(Scope.Thread)
  public static class BareBound {
    private final BareBoundLoop loop = new BareBoundLoop();

    @Setup
    public void fill(SwitchBenchmark benchmark) throws InterruptedException {
      for (int i = 0; i < benchmark.ring; i++) {
        loop.start(BareBound::body);
      }
      settle(benchmark.ring, loop::run);
    }

    @SuppressWarnings("InfiniteLoopStatement")
    private static void body() {
      while (true) {
        Thread.yield();
      }
    }
  }

  /// Rondo, on the backend named by the benchmark's name.
  @State(Scope.Thread)
  public static class Rondo {
    @SuppressWarnings("NullAway.Init") // JMH initializes it
    private Scheduler scheduler;

    private int left;

    @Setup
    public void fill(SwitchBenchmark benchmark, BenchmarkParams params)
        throws InterruptedException {
      scheduler = Kind.of(params).builder().build();
      for (int i = 0; i < benchmark.ring; i++) {
        scheduler.spawn(this::body);
      }
      settle(benchmark.ring, this::take);
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

    void take(int turns) {
      left = turns;
      scheduler.start();
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  /// Coroutines that Kotlin's compiler has turned into state machines.
  @State(Scope.Thread)
  public static class Kotlinx {
    private final FreeRing turns = new FreeRing();

    @Setup
    public void fill(SwitchBenchmark benchmark) throws InterruptedException {
      Thread.ofPlatform().daemon().start(() -> CoroutinePeers.ring(benchmark.ring, turns::turn));
      settle(benchmark.ring, turns::await);
    }
  }

  /// Virtual threads.
  @State(Scope.Thread)
  public static class Virtual {
    private final FreeRing turns = new FreeRing();

    @Setup
    public void fill(SwitchBenchmark benchmark) throws InterruptedException {
      for (int i = 0; i < benchmark.ring; i++) {
        Thread.startVirtualThread(this::body);
      }
      settle(benchmark.ring, turns::await);
    }

    @SuppressWarnings("InfiniteLoopStatement")
    private void body() {
      while (true) {
        turns.turn();
        Thread.yield();
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void bare(Bare state) {
    state.loop.run(SWITCHES);
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  @Fork(value = 2, jvmArgsAppend = BareLoop.DIRECTLY)
  public void bareDirect(Bare state) {
    state.loop.run(SWITCHES);
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void bareBound(BareBound state) {
    state.loop.run(SWITCHES);
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void rondo(Rondo state) {
    state.take(SWITCHES);
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void rondoRecorded(Rondo state) {
    state.take(SWITCHES);
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void rondoBound(Rondo state) {
    state.take(SWITCHES);
  }

  /// Includes making the ring.
  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void rondoHandoff() throws InterruptedException {
    Kind.HANDOFF.run(scheduler -> {
      for (int i = 0; i < ring; i++) {
        scheduler.spawn(() -> {
          for (int k = 0; k < SWITCHES / ring; k++) {
            scheduler.yield();
          }
        });
      }
      scheduler.start();
    });
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  public void kotlinx(Kotlinx state) throws InterruptedException {
    state.turns.await(SWITCHES);
  }

  @Benchmark
  @OperationsPerInvocation(SWITCHES)
  @Fork(
      value = 2,
      jvmArgsAppend = {ONE_CARRIER, NO_MORE_CARRIERS})
  public void virtualThreads(Virtual state) throws InterruptedException {
    state.turns.await(SWITCHES);
  }
}
