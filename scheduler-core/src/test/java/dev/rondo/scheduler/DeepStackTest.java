package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import org.junit.jupiter.api.Test;

/// How deep the stack of a task may get: see docs/guide/limits.md.
@BackendsDiffer
class DeepStackTest extends SchedulerTest {

  /// Several times the depth at which the stack of a thread overflows.
  private static final int DEEP = 150_000;

  private static final int YIELD_EVERY = 1_000;

  private int descendAndYield(int depth) {
    if (depth % YIELD_EVERY == 0) {
      scheduler.yield();
    }
    return depth == 0 ? 0 : descendAndYield(depth - 1) + 1;
  }

  /// What a suspended task has on its stack is in the heap, and only the topmost frames come back:
  /// the limit of a thread's stack holds between two suspensions.
  @Test
  void recursion_thatSuspendsOnItsWay_isDeeperThanAThreadsStack() {
    assumeTrue(backend.mountsOnLoopThread(), "HANDOFF: whether the thread was unmounted is chance");
    Task<Integer> deep = scheduler.spawn("deep", () -> descendAndYield(DEEP));
    scheduler.start();
    assertEquals(DEEP, deep.join());
  }
}
