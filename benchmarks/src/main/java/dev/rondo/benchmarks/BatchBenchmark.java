package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.Turn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/// A parent makes a thousand children and waits for all of them: the price of one child.
///
/// Nobody but the parent is ever unmounted, and only once in a thousand: what is left is the making
/// of the task and of its stack, the table of live tasks, and the result that a join takes.
public class BatchBenchmark extends NanosPerOperation {
  private static final int BATCHES = 100;
  private static final int BATCH = 1_000;
  private static final int CHILDREN = BATCHES * BATCH;

  private int sum;

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int bare() {
    var loop = new BareLoop();
    var parent = new BareLoop.Fiber[1];
    int[] left = {0};
    Runnable child =
        () -> {
          sum++;
          if (--left[0] == 0) {
            loop.schedule(parent[0]);
          }
        };
    parent[0] =
        new BareLoop.Fiber(() -> {
          for (int i = 0; i < BATCHES; i++) {
            left[0] = BATCH;
            for (int k = 0; k < BATCH; k++) {
              loop.schedule(new BareLoop.Fiber(child));
            }
            BareLoop.pause();
          }
        });
    loop.schedule(parent[0]);
    loop.run();
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int bareStackless() {
    var loop = new BareSteps();
    for (int i = 0; i < BATCHES; i++) {
      for (int k = 0; k < BATCH; k++) {
        int one = k;
        loop.schedule(() -> sum += one);
      }
      loop.run();
    }
    return sum;
  }

  private void spawnAndJoin(Scheduler scheduler) {
    scheduler.spawn(() -> {
      List<Task<Integer>> children = new ArrayList<>(BATCH);
      for (int i = 0; i < BATCHES; i++) {
        for (int k = 0; k < BATCH; k++) {
          children.add(scheduler.spawn(() -> 1));
        }
        for (Task<Integer> child : children) {
          sum += child.join();
        }
        children.clear();
      }
    });
    scheduler.start();
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int rondo() throws InterruptedException {
    Kind.CONTINUATION.run(this::spawnAndJoin);
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int rondoResident() throws InterruptedException {
    Kind.RESIDENT.run(this::spawnAndJoin);
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int rondoBound() throws InterruptedException {
    Kind.BOUND.run(this::spawnAndJoin);
    return sum;
  }

  /// A step task that awaits a batch of children, one after the other.
  private static final class Parent {
    private final Scheduler scheduler;
    private final ArrayDeque<StepTask<Integer>> children = new ArrayDeque<>();
    private int batches = BATCHES;
    private int sum;

    Parent(Scheduler scheduler) {
      this.scheduler = scheduler;
    }

    Turn step(StepTask<Void> self) {
      sum += self.received() instanceof Integer one ? one : 0;
      if (children.isEmpty() && batches-- > 0) {
        for (int i = 0; i < BATCH; i++) {
          children.add(scheduler.spawnSteps("child", child -> child.done(1)));
        }
      }
      StepTask<Integer> next = children.poll();
      return next == null ? Turn.DONE : self.await(next);
    }
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int rondoStackless() throws InterruptedException {
    Kind.CONTINUATION.run(scheduler -> {
      var parent = new Parent(scheduler);
      scheduler.spawnSteps("parent", parent::step);
      scheduler.start();
      sum += parent.sum;
    });
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int kotlinx() {
    return CoroutinePeers.spawnAndJoinAll(BATCHES, BATCH);
  }

  /// On a loop of one thread, this one.
  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int completableFuture() {
    var loop = new ArrayDeque<Runnable>();
    List<CompletableFuture<Integer>> children = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCHES; i++) {
      for (int k = 0; k < BATCH; k++) {
        children.add(CompletableFuture.supplyAsync(() -> 1, loop::add));
      }
      for (Runnable turn; (turn = loop.poll()) != null; ) {
        turn.run();
      }
      for (CompletableFuture<Integer> child : children) {
        sum += child.join();
      }
      children.clear();
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  @Fork(
      value = 2,
      jvmArgsAppend = {ONE_CARRIER, NO_MORE_CARRIERS})
  public int virtualThreads() throws InterruptedException {
    Thread.startVirtualThread(
            () -> {
              try {
                List<Thread> children = new ArrayList<>(BATCH);
                for (int i = 0; i < BATCHES; i++) {
                  for (int k = 0; k < BATCH; k++) {
                    children.add(Thread.startVirtualThread(() -> sum++));
                  }
                  for (Thread child : children) {
                    child.join();
                  }
                  children.clear();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
        .join();
    return sum;
  }
}
