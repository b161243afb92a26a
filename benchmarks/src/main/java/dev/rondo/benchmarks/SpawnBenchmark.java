package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/// A parent starts children and waits for them: the cost of one child.
///
/// For one child at a time, the cost is the parent's switch, which `bare` shows, and the creation
/// of a task and its stack. With the mounted task the parent is not unmounted at all. In a batch of
/// a thousand the parent's switch vanishes. Rondo makes a handle with a future and an outcome, and
/// keeps the table of live tasks; the bare child is a stack and a callback. A join yields even if
/// the child has ended, so a thousand joins are a thousand turns of the parent; the end of a group
/// is one turn. `rondoGroup` does what `rondo` does and makes the group, so it is not repeated on
/// other backends.
public class SpawnBenchmark extends NanosPerOperation {
  private static final int CHILDREN = 100_000;

  /// The number of children that the parent starts before it waits.
  @Param({"1", "1000"})
  public int batch;

  private int sum;

  // The limits.

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
          for (int i = CHILDREN / batch; i > 0; i--) {
            left[0] = batch;
            for (int k = 0; k < batch; k++) {
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
  @Fork(value = 2, jvmArgsAppend = BareLoop.DIRECTLY)
  public int bareDirect() {
    return bare();
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int bareResident() {
    var loop = new BareLoop();
    int[] left = {0};
    Runnable child =
        () -> {
          sum++;
          if (--left[0] == 0) {
            loop.scheduleResident();
          }
        };
    for (int i = CHILDREN / batch; i > 0; i--) {
      left[0] = batch;
      for (int k = 0; k < batch; k++) {
        loop.schedule(new BareLoop.Fiber(child));
      }
      loop.pauseResident();
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int bareBound() {
    var loop = new BareBoundLoop();
    var parent = new Thread[1];
    int[] left = {0};
    Runnable child =
        () -> {
          sum++;
          if (--left[0] == 0) {
            LockSupport.unpark(parent[0]);
          }
        };
    parent[0] =
        loop.start(() -> {
          for (int i = CHILDREN / batch; i > 0; i--) {
            left[0] = batch;
            for (int k = 0; k < batch; k++) {
              loop.start(child);
            }
            LockSupport.park();
          }
        });
    loop.run();
    return sum;
  }

  /// A parent without a stack.
  private final class BareParent implements BareSteps.Step {
    private final BareSteps loop = new BareSteps();
    private int batches = CHILDREN / batch;
    private int left;

    @Override
    public void step() {
      if (batches-- > 0) {
        left = batch;
        for (int k = 0; k < batch; k++) {
          loop.schedule(new BareChild(this));
        }
      }
    }
  }

  /// A child without a stack.
  private final class BareChild implements BareSteps.Step {
    private final BareParent parent;

    BareChild(BareParent parent) {
      this.parent = parent;
    }

    @Override
    public void step() {
      sum++;
      if (--parent.left == 0) {
        parent.loop.schedule(parent);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int bareStackless() {
    var parent = new BareParent();
    parent.loop.schedule(parent);
    parent.loop.run();
    return sum;
  }

  // Rondo.

  private void spawnAndJoin(Scheduler scheduler) {
    scheduler.spawn(() -> {
      List<Task<Integer>> children = new ArrayList<>(batch);
      for (int i = CHILDREN / batch; i > 0; i--) {
        for (int k = 0; k < batch; k++) {
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

  private void spawnInGroups(Scheduler scheduler) {
    scheduler.spawn(() -> {
      for (int i = CHILDREN / batch; i > 0; i--) {
        var group = scheduler.<Integer>newGroup("batch");
        group.run(() -> {
          for (int k = 0; k < batch; k++) {
            group.spawn(() -> sum++);
          }
        });
      }
    });
    scheduler.start();
  }

  /// One wait for a whole batch, which leaves no child behind.
  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int rondoGroup() throws InterruptedException {
    Kind.CONTINUATION.run(this::spawnInGroups);
    return sum;
  }

  /// A step task that starts a batch of children and awaits one after another.
  private final class Parent {
    private final Scheduler scheduler;
    private final ArrayDeque<StepTask<Integer>> children = new ArrayDeque<>();
    private int batches = CHILDREN / batch;

    Parent(Scheduler scheduler) {
      this.scheduler = scheduler;
    }

    StepResult step(StepTask<Void> self) {
      sum += self.received() instanceof Integer one ? one : 0;
      if (children.isEmpty() && batches-- > 0) {
        for (int i = 0; i < batch; i++) {
          children.add(scheduler.host().spawnSteps("child", child -> child.done(1)));
        }
      }
      StepTask<Integer> next = children.poll();
      return next == null ? StepResult.DONE : self.await(next);
    }
  }

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int rondoStackless() throws InterruptedException {
    Kind.CONTINUATION.run(scheduler -> {
      scheduler.host().spawnSteps("parent", new Parent(scheduler)::step);
      scheduler.start();
    });
    return sum;
  }

  // Peers.

  @Benchmark
  @OperationsPerInvocation(CHILDREN)
  public int kotlinx() {
    return CoroutinePeers.spawnAndJoin(CHILDREN / batch, batch);
  }

  /// A parent made of callbacks, on a loop with one thread, the calling one.
  private final class Futures {
    private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
    private int batches = CHILDREN / batch;

    void next() {
      if (batches-- > 0) {
        List<CompletableFuture<Integer>> children = new ArrayList<>(batch);
        for (int k = 0; k < batch; k++) {
          children.add(CompletableFuture.supplyAsync(() -> 1, loop::add));
        }
        var _ =
            CompletableFuture.allOf(children.toArray(CompletableFuture[]::new))
                .thenRun(() -> {
                  children.forEach(child -> sum += child.join());
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
    List<Thread> children = new ArrayList<>(batch);
    Blocking.start(
            CHILDREN / batch,
            () -> {
              for (int k = 0; k < batch; k++) {
                children.add(Thread.startVirtualThread(() -> sum++));
              }
              for (Thread child : children) {
                child.join();
              }
              children.clear();
            })
        .join();
    return sum;
  }
}
