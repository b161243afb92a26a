package dev.rondo.scheduler.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.KeepAlive;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.WaitQueueEvent;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// An idle strategy that lends the scheduler's thread to other code: what that code does ends its
/// wait.
class LentThreadTest extends SchedulerTest {

  /// Runs other code on the scheduler's own thread, one action per wait.
  private final class Lending implements IdleStrategy {

    private final Queue<Runnable> others = new ArrayDeque<>();
    private boolean lends = true;
    private int wakeups;
    private int passes;

    @Override
    public boolean lendsThread() {
      return lends;
    }

    @Override
    public void idleUntil(long deadlineNanos) {
      idle();
    }

    @Override
    public void idle() {
      others.remove().run();
    }

    @Override
    public void wakeup() {
      wakeups++;
    }

    @Override
    public void pass() {
      passes++;
      assertNull(scheduler.currentTask(), "between turns");
    }
  }

  private final Lending idler = new Lending();
  private final WaitQueueEvent event = new WaitQueueEvent();

  @BeforeEach
  void lend() {
    scheduler.host().idleStrategy(idler);
  }

  @Test
  void idle_othersWakeATask_endsWithOneWakeup() {
    KeepAlive calls = scheduler.keepAlive();
    idler.others.add(() -> {
      event.fireAll("x");
      scheduler.spawn("y", () -> trace("y"));
    });
    runTask(() -> trace(scheduler.await(event)));
    calls.close();
    assertTrace("x y");
    assertEquals(1, idler.wakeups);
  }

  @Test
  void idle_othersWakeACrowdAtOnce_endsWithOneWakeup() {
    KeepAlive calls = scheduler.keepAlive();
    idler.others.add(() -> event.fireAll("x"));
    for (int i = 0; i < 100; i++) {
      scheduler.spawn(() -> assertEquals("x", scheduler.await(event)));
    }
    scheduler.start();
    calls.close();
    assertEquals(1, idler.wakeups);
  }

  @Test
  void idle_othersEndTheLastTask_endsWithAWakeup() {
    KeepAlive calls = scheduler.keepAlive();
    StepTask<Object> last = scheduler.host().spawnSteps("last", self -> StepResult.SUSPEND);
    idler.others.add(() -> last.cancel("enough"));
    scheduler.start();
    calls.close();
    assertEquals(1, idler.wakeups);
    assertTrue(last.isCancelled());
  }

  @Test
  void idle_othersTakeBackThatCallsAreExpected_endsWithAWakeup() {
    KeepAlive calls = scheduler.keepAlive();
    idler.others.add(calls::close);
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(event)));
    assertThrows(DeadlockException.class, scheduler::start);
    assertEquals(1, idler.wakeups);
    task.cancel("enough");
    scheduler.start();
  }

  @Test
  void idle_threadNotLent_hasNoWakeup() {
    idler.lends = false;
    scheduler.host().idleStrategy(idler);
    KeepAlive calls = scheduler.keepAlive();
    idler.others.add(() -> event.fireAll("x")); // as a selector does that has found an event
    runTask(() -> trace(scheduler.await(event)));
    calls.close();
    assertTrace("x");
    assertEquals(0, idler.wakeups);
  }

  @Test
  void wakeATask_inATask_hasNoWakeup() {
    scheduler.spawn(() -> trace(scheduler.await(event)));
    runTask(() -> event.fireAll("x"));
    assertTrace("x");
    assertEquals(0, idler.wakeups);
  }

  @Test
  void pass_loopBusy_comesAfterEveryTurn() {
    runTask(() -> {
      for (int i = 0; i < 10_000; i++) {
        scheduler.yield();
      }
    });
    assertTrue(idler.passes >= 10_000, idler.passes + " passes");
  }
}
