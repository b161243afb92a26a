package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Turn;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/// A parent makes a child and waits for it, one after the other: the price of a task.
///
/// `bare` is the limit of a parent that is unmounted: it puts a new continuation into an
/// `ArrayDeque` and gives way, the child puts it back. Besides the parent's switch Rondo makes a
/// handle with a future and an outcome, and keeps the table of live tasks. With the resident task
/// the parent is not unmounted at all.
public class SpawnBenchmark extends NanosPerOperation {
  private static final int CHILDREN = 100_000;

  private int sum;

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int bare() {
    var loop = new BareLoop();
    var parent = new BareLoop.Fiber[1];
    Runnable child =
        () -> {
          sum++;
          loop.schedule(parent[0]);
        };
    parent[0] =
        new BareLoop.Fiber(() -> {
          for (int i = 0; i < CHILDREN; i++) {
            loop.schedule(new BareLoop.Fiber(child));
            BareLoop.pause();
          }
        });
    loop.schedule(parent[0]);
    loop.run();
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int bareResident() {
    var loop = new BareLoop();
    Runnable child =
        () -> {
          sum++;
          loop.scheduleResident();
        };
    for (int i = 0; i < CHILDREN; i++) {
      loop.schedule(new BareLoop.Fiber(child));
      loop.pauseResident();
    }
    return sum;
  }

  /// A parent without a stack.
  private final class BareParent {
    private final BareSteps loop = new BareSteps();
    private int left = CHILDREN;

    void step() {
      if (left-- > 0) {
        loop.schedule(() -> {
          sum++;
          loop.schedule(this::step);
        });
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int bareStackless() {
    var parent = new BareParent();
    parent.loop.schedule(parent::step);
    parent.loop.run();
    return sum;
  }

  private void spawnAndJoin(Scheduler scheduler) {
    scheduler.spawn(() -> {
      for (int i = 0; i < CHILDREN; i++) {
        sum += scheduler.spawn(() -> 1).join();
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

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int rondoHandoff() throws InterruptedException {
    Kind.HANDOFF.run(this::spawnAndJoin);
    return sum;
  }

  /// A step task that awaits one child after the other.
  private static final class Parent {
    private final Scheduler scheduler;
    private int left = CHILDREN;
    private int sum;

    Parent(Scheduler scheduler) {
      this.scheduler = scheduler;
    }

    Turn step(StepTask<Void> self) {
      sum += self.received() instanceof Integer one ? one : 0;
      return left-- > 0
          ? self.await(scheduler.<Integer>spawnSteps("child", child -> child.done(1)))
          : Turn.DONE;
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
    return CoroutinePeers.spawnAndJoin(CHILDREN);
  }

  /// Callbacks on a loop of one thread, this one.
  private final class Futures {
    private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
    private int left = CHILDREN;

    void next() {
      if (left-- > 0) {
        var _ =
            CompletableFuture.supplyAsync(() -> 1, loop::add)
                .thenAccept(one -> {
                  sum += one;
                  next();
                });
      }
    }

    void run() {
      next();
      for (Runnable turn; (turn = loop.poll()) != null; ) {
        turn.run();
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int completableFuture() {
    new Futures().run();
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
                for (int i = 0; i < CHILDREN; i++) {
                  Thread.startVirtualThread(() -> sum++).join();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
        .join();
    return sum;
  }
}
