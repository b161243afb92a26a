package dev.rondo.benchmarks;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/// A loop that makes an object before each turn of a stackful task: the effect of an allocation on
/// the switch after it.
///
/// The JIT clears the object with AVX instructions, and the JVM copies the stack with SSE
/// instructions. If the processor is slow to change between the two, `bare` takes twice as long as
/// `bareClean`. With `-XX:UseAVX=0` both take the same time.
public class AllocatingSwitchBenchmark extends NanosPerOperation {
  private static final int TURNS = 100_000;
  private static final byte[] NOTHING = {};

  /// The size, in longs, of an object that the JIT does not clear by a few stores.
  private static final int SIZE = 12;

  private long[] made = {};

  private static BareLoop.Fiber fiber() {
    return new BareLoop.Fiber(() -> {
      for (int k = TURNS; k > 0; k--) {
        BareLoop.pause();
      }
    });
  }

  /// The limit, without a countermeasure.
  @Benchmark
  @OperationsPerInvocation(TURNS)
  public Object bare() {
    BareLoop.Fiber fiber = fiber();
    while (!fiber.isDone()) {
      made = new long[SIZE];
      fiber.run();
    }
    return made;
  }

  /// The limit, with the countermeasure of the core before it resumes a coroutine.
  @Benchmark
  @OperationsPerInvocation(TURNS)
  public Object bareClean() {
    BareLoop.Fiber fiber = fiber();
    while (!fiber.isDone()) {
      made = new long[SIZE];
      boolean _ = Arrays.equals(NOTHING, NOTHING);
      fiber.run();
    }
    return made;
  }

  /// A stackless task makes the objects, so each object is one more turn.
  private void runRondo(Scheduler scheduler) {
    scheduler.spawn(() -> {
      for (int k = TURNS; k > 0; k--) {
        scheduler.yield();
      }
      scheduler.stop();
    });
    scheduler.host().spawnSteps("maker", this::make);
    scheduler.start();
  }

  private StepResult make(StepTask<Void> self) {
    made = new long[SIZE];
    return StepResult.AGAIN;
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public Object rondo() throws InterruptedException {
    Kind.CONTINUATION.run(this::runRondo);
    return made;
  }

  @Benchmark
  @OperationsPerInvocation(TURNS)
  public Object rondoBound() throws InterruptedException {
    Kind.BOUND.run(this::runRondo);
    return made;
  }
}
