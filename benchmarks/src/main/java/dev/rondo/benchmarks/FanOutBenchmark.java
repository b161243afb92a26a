package dev.rondo.benchmarks;

import dev.rondo.condition.Signal;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/// Many tasks wait for one signal. It is sent, and all tasks run and wait for the next signal: the
/// cost of one woken task. [NotifyBenchmark] measures the sender's share.
///
/// The cost is a switch, as `bare` shows, and the two lists that a task passes through: the
/// waiters, and the ring of ready tasks. With many tasks each stack is a cache miss on every
/// backend. HANDOFF would show its switch only, see [SwitchBenchmark].
public class FanOutBenchmark extends NanosPerOperation {
  private static final int WAKES = 1_000_000;

  /// The number of waiting tasks.
  @Param("10000")
  public int waiters;

  private int rounds() {
    return WAKES / waiters;
  }

  /// The limit: the waiters are a list.
  @State(Scope.Thread)
  public static class Bare {
    private final BareLoop loop = new BareLoop();
    private List<BareLoop.Fiber> waiting = new ArrayList<>();

    @Setup
    public void fill(FanOutBenchmark benchmark) {
      for (int i = 0; i < benchmark.waiters; i++) {
        var self = new BareLoop.Fiber[1];
        self[0] =
            new BareLoop.Fiber(() -> {
              while (true) {
                waiting.add(self[0]);
                BareLoop.pause();
              }
            });
        loop.schedule(self[0]);
      }
      loop.run();
      signal();
      System.gc();
    }

    void signal() {
      List<BareLoop.Fiber> woken = waiting;
      waiting = new ArrayList<>(woken.size());
      woken.forEach(loop::schedule);
      loop.run();
    }
  }

  /// The limit of BOUND.
  @State(Scope.Thread)
  public static class BareBound {
    private final BareBoundLoop loop = new BareBoundLoop();
    private List<Thread> waiting = new ArrayList<>();

    @Setup
    public void fill(FanOutBenchmark benchmark) {
      for (int i = 0; i < benchmark.waiters; i++) {
        loop.start(() -> {
          while (true) {
            waiting.add(Thread.currentThread());
            LockSupport.park();
          }
        });
      }
      loop.run();
      signal();
      System.gc();
    }

    void signal() {
      List<Thread> woken = waiting;
      waiting = new ArrayList<>(woken.size());
      woken.forEach(LockSupport::unpark);
      loop.run();
    }
  }

  /// The limit without stacks.
  @State(Scope.Thread)
  public static class BareStackless {
    private final BareSteps loop = new BareSteps();
    private List<BareSteps.Step> waiting = new ArrayList<>();

    /// A step that waits again.
    private final class Waiting implements BareSteps.Step {
      @Override
      public void step() {
        waiting.add(this);
      }
    }

    @Setup
    public void fill(FanOutBenchmark benchmark) {
      for (int i = 0; i < benchmark.waiters; i++) {
        loop.schedule(new Waiting());
      }
      loop.run();
    }

    void signal() {
      List<BareSteps.Step> woken = waiting;
      waiting = new ArrayList<>(woken.size());
      woken.forEach(loop::schedule);
      loop.run();
    }
  }

  /// Rondo, whose waiters have stacks, on the backend named by the benchmark's name.
  @State(Scope.Thread)
  public static class Rondo {
    @SuppressWarnings("NullAway.Init") // JMH initializes it
    Scheduler scheduler;

    @SuppressWarnings("NullAway.Init")
    Signal<Integer> signal;

    int woken;

    @Setup
    public void fill(FanOutBenchmark benchmark, BenchmarkParams params) {
      scheduler = Kind.of(params).builder().build();
      signal = new Signal<>(scheduler, "go");
      for (int i = 0; i < benchmark.waiters; i++) {
        spawnWaiter();
      }
      signal(2);
      System.gc();
    }

    @SuppressWarnings("InfiniteLoopStatement")
    void spawnWaiter() {
      scheduler.spawn(() -> {
        while (true) {
          woken += scheduler.await(signal);
        }
      });
    }

    void signal(int rounds) {
      scheduler.spawn(() -> {
        for (int i = 0; i < rounds; i++) {
          signal.signalAll(1);
          scheduler.yield(); // behind all woken tasks
        }
        scheduler.stop();
      });
      scheduler.start();
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  /// Rondo, whose waiters have no stacks.
  public static class RondoSteps extends Rondo {
    @Override
    void spawnWaiter() {
      scheduler.host().spawnSteps("waiter", this::step);
    }

    private StepResult step(StepTask<Void> self) {
      woken += self.received() instanceof Integer one ? one : 0;
      return self.await(signal);
    }
  }

  @Benchmark
  @OperationsPerInvocation(WAKES)
  public void bare(Bare state) {
    for (int i = rounds(); i > 0; i--) {
      state.signal();
    }
  }

  @Benchmark
  @OperationsPerInvocation(WAKES)
  @Fork(value = 2, jvmArgsAppend = BareLoop.DIRECTLY)
  public void bareDirect(Bare state) {
    bare(state);
  }

  @Benchmark
  @OperationsPerInvocation(WAKES)
  public void bareBound(BareBound state) {
    for (int i = rounds(); i > 0; i--) {
      state.signal();
    }
  }

  @Benchmark
  @OperationsPerInvocation(WAKES)
  public void bareStackless(BareStackless state) {
    for (int i = rounds(); i > 0; i--) {
      state.signal();
    }
  }

  @Benchmark
  @OperationsPerInvocation(WAKES)
  public void rondo(Rondo state) {
    state.signal(rounds());
  }

  @Benchmark
  @OperationsPerInvocation(WAKES)
  public void rondoBound(Rondo state) {
    state.signal(rounds());
  }

  @Benchmark
  @OperationsPerInvocation(WAKES)
  public void rondoStackless(RondoSteps state) {
    state.signal(rounds());
  }

  /// kotlinx.coroutines.
  @State(Scope.Thread)
  public static class Kotlinx {
    @SuppressWarnings("NullAway.Init") // JMH initializes it
    WakePeer waiters;

    @Setup
    public void fill(FanOutBenchmark benchmark) {
      waiters = new WakePeer(benchmark.waiters);
      var _ = waiters.wake(2);
      System.gc();
    }

    @TearDown
    public void close() {
      waiters.close();
    }
  }

  @Benchmark
  @OperationsPerInvocation(WAKES)
  public int kotlinx(Kotlinx state) {
    return state.waiters.wake(rounds());
  }

  /// Includes making the threads, once for each hundred wakes.
  @Benchmark
  @OperationsPerInvocation(WAKES)
  @Fork(
      value = 2,
      jvmArgsAppend = {ONE_CARRIER, NO_MORE_CARRIERS})
  public void virtualThreads() throws InterruptedException {
    var go = new CountDownLatch[rounds()];
    for (int i = 0; i < go.length; i++) {
      go[i] = new CountDownLatch(1);
    }
    int[] waiting = {0}; // all threads have the same carrier
    List<Thread> threads = new ArrayList<>(waiters);
    for (int i = 0; i < waiters; i++) {
      int[] round = {0};
      threads.add(
          Blocking.start(
              go.length,
              () -> {
                waiting[0]++;
                go[round[0]++].await();
              }));
    }
    int[] round = {0};
    threads.add(
        Blocking.start(
            go.length,
            () -> {
              while (waiting[0] < waiters) {
                Thread.yield();
              }
              waiting[0] = 0;
              go[round[0]++].countDown();
            }));
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
