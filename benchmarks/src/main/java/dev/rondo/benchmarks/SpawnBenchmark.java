package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// A parent makes a child and waits for it, one after the other: the price of a task.
///
/// `bare` is the limit of a parent that is unmounted: it puts a new continuation into an
/// `ArrayDeque` and yields, the child puts it back. Besides the parent's switch `rondo` makes a
/// handle with a future and an outcome, and keeps the table of live tasks. With the resident task
/// the parent is not unmounted at all.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class SpawnBenchmark {
  private static final int CHILDREN = 100_000;
  private static final ContinuationScope SCOPE = new ContinuationScope("bare");

  private final Scheduler scheduler = Scheduler.create();
  private final Scheduler withResident = Scheduler.builder().withResidentTask().build();

  @TearDown
  public void close() {
    scheduler.close();
    withResident.close();
  }

  /// The bare parent and its queue.
  private static final class Bare {
    private final ArrayDeque<Continuation> ready = new ArrayDeque<>();
    private final Continuation parent = new Continuation(SCOPE, this::parent);
    private int sum;

    private void parent() {
      for (int i = 0; i < CHILDREN; i++) {
        ready.add(new Continuation(SCOPE, this::child));
        Continuation.yield(SCOPE);
      }
    }

    private void child() {
      sum++;
      ready.add(parent);
    }

    int run() {
      ready.add(parent);
      for (Continuation next; (next = ready.poll()) != null; ) {
        next.run();
      }
      return sum;
    }
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int bare() {
    return new Bare().run();
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int rondo() {
    return spawnAndJoin(scheduler);
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int rondoWithResidentTask() {
    return spawnAndJoin(withResident);
  }

  private static int spawnAndJoin(Scheduler scheduler) {
    var parent =
        scheduler.spawn(() -> {
          int sum = 0;
          for (int i = 0; i < CHILDREN; i++) {
            sum += scheduler.spawn(() -> 1).join();
          }
          return sum;
        });
    scheduler.start();
    return parent.join();
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int kotlinx() {
    return CoroutinePeers.spawnAndJoin(CHILDREN);
  }
}
