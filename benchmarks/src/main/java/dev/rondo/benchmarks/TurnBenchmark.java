package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// A ring of stackless tasks of four classes: the cost of one turn.
///
/// The cost is a megamorphic call and a turn of the queue, which `bareStackless` shows. Rondo adds
/// a second call, the count of turns until the next pass, the write of the ring's head and the
/// operation budget. With a timer that is due soon it also reads the clock. The peers are runnables
/// that post themselves to a loop: Netty's NIO event loop, and an executor with one thread; both
/// have queues for many threads.
public class TurnBenchmark extends NanosPerOperation {
  private static final int TURNS = 1_000_000;

  /// The number of tasks that take turns.
  @Param({"2", "100", "10000"})
  public int ring;

  private int count;

  private BareSteps.Step body(int i) {
    return switch (i & 3) {
      case 0 -> () -> count++;
      case 1 -> () -> count += 2;
      case 2 -> () -> count += 3;
      default -> () -> count += 4;
    };
  }

  /// The limit.
  @State(Scope.Thread)
  public static class Bare {
    private final BareSteps loop = new BareSteps();

    @Setup
    public void fill(TurnBenchmark benchmark) {
      for (int i = 0; i < benchmark.ring; i++) {
        loop.schedule(benchmark.body(i));
      }
    }
  }

  /// Rondo's step tasks: four bodies of the same kind.
  @State(Scope.Thread)
  public static class Rondo {
    final Scheduler scheduler = Scheduler.create();
    private int left;
    private int count;

    @Setup
    public void fill(TurnBenchmark benchmark) {
      for (int i = 0; i < benchmark.ring; i++) {
        switch (i & 3) {
          case 0 -> scheduler.host().spawnSteps("a", this::a);
          case 1 -> scheduler.host().spawnSteps("b", this::b);
          case 2 -> scheduler.host().spawnSteps("c", this::c);
          default -> scheduler.host().spawnSteps("d", this::d);
        }
      }
    }

    private StepResult a(StepTask<Void> self) {
      count++;
      return again();
    }

    private StepResult b(StepTask<Void> self) {
      count += 2;
      return again();
    }

    private StepResult c(StepTask<Void> self) {
      count += 3;
      return again();
    }

    private StepResult d(StepTask<Void> self) {
      count += 4;
      return again();
    }

    private StepResult again() {
      if (--left == 0) {
        scheduler.stop();
      }
      return StepResult.AGAIN;
    }

    @TearDown
    public void close() {
      scheduler.close();
    }
  }

  /// The same, while a timer is due soon: the loop reads the clock after each turn, so that the
  /// timer is at most one turn late.
  @State(Scope.Thread)
  public static class RondoBesideTimer extends Rondo {

    private static final Duration SOON = Duration.ofMillis(100);

    @Setup
    public void arm() {
      var _ = WaitForTime.on(scheduler).periodic(SOON, () -> {});
    }
  }

  /// An executor with one thread.
  @State(Scope.Thread)
  public static class OneThread {
    private final ExecutorService executor = Executors.newSingleThreadExecutor();

    @TearDown
    public void close() {
      executor.shutdownNow();
    }
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public int bareStackless(Bare state) {
    state.loop.run(TURNS);
    return count;
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public int rondoStackless(Rondo state) {
    state.left = TURNS;
    state.scheduler.start();
    return state.count;
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public int rondoStacklessBesideTimer(RondoBesideTimer state) {
    return rondoStackless(state);
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public void nettyLoop(NettyLoop state) throws InterruptedException {
    turnsOn(state.loop());
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public void oneThreadExecutor(OneThread state) throws InterruptedException {
    turnsOn(state.executor);
  }

  private void turnsOn(Executor loop) throws InterruptedException {
    var end = new CountDownLatch(ring);
    for (int i = 0; i < ring; i++) {
      BareSteps.Step body = body(i);
      loop.execute(
          new Runnable() {
            private int left = TURNS / ring;

            @Override
            public void run() {
              body.step();
              if (--left > 0) {
                loop.execute(this);
              } else {
                end.countDown();
              }
            }
          });
    }
    end.await();
  }
}
