package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import jdk.internal.vm.Continuation;
import jdk.internal.vm.ContinuationScope;
import org.junit.jupiter.api.Test;

/// Debug mode, on a backend where tasks share a thread.
@BackendsDiffer
class DebugTest extends SchedulerTest {

  private static final ScopedValue<String> USER = ScopedValue.newInstance();

  private final Object lock = new Object();

  @Override
  protected void configure(SchedulerBuilder builder) {
    builder.debug();
  }

  private void assertFound(IllegalStateException found, String what, String method) {
    String message = found.getMessage();
    assertTrue(message.contains(what), message);
    assertTrue(message.contains(DebugTest.class.getName() + "." + method), message);
  }

  private synchronized void yieldUnderMonitor() {
    deeper();
  }

  private void deeper() {
    scheduler.yield();
  }

  @Test
  void yield_underAMonitor_isRefusedAndNamesTheFrame() {
    assumeTrue(backend.sharesThread());
    runTask(() -> {
      var found = assertThrows(IllegalStateException.class, this::yieldUnderMonitor);
      assertFound(found, "task 'main' may give way while it holds", "yieldUnderMonitor");
      assertTrue(found.getMessage().contains(DebugTest.class.getName() + "@"), found.getMessage());
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("goes on");
  }

  private void yieldUnderLock(Lock held) {
    held.lock();
    try {
      deeper();
    } finally {
      held.unlock();
    }
  }

  @Test
  void yield_underALock_isRefusedAndNamesIt() {
    assumeTrue(backend.sharesThread());
    runTask(() -> {
      for (var held : List.of(new ReentrantLock(), new ReentrantReadWriteLock().writeLock())) {
        var found = assertThrows(IllegalStateException.class, () -> yieldUnderLock(held));
        assertFound(found, "task 'main' may give way while it holds a lock", "deeper");
        assertTrue(found.getMessage().contains("java.util.concurrent.locks.Reentrant"));
        scheduler.yield();
      }
      trace("goes on");
    });
    assertTrace("goes on");
  }

  @Test
  void lockThatTheCallerOfTheRunHolds_isItsOwn() {
    assumeTrue(backend.sharesThread());
    var held = new ReentrantLock();
    held.lock();
    try {
      runTask(() -> {
        scheduler.yield();
        assertThrows(IllegalStateException.class, () -> yieldUnderLock(new ReentrantLock()));
        trace("goes on");
      });
    } finally {
      held.unlock();
    }
    assertTrace("goes on");
  }

  @Test
  void lockThatIsLeft_isFine() {
    runTask(() -> {
      var held = new ReentrantLock();
      held.lock();
      try {
        trace("in");
      } finally {
        held.unlock();
      }
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("in goes on");
  }

  @Test
  void everyWayOfGivingWay_underAMonitor_isRefusedAndLeavesNothing() {
    assumeTrue(backend.sharesThread());
    var event = new WaitQueueEvent();
    Task<String> done = scheduler.spawn("done", () -> "done");
    runTask(() -> {
      synchronized (lock) {
        assertThrows(IllegalStateException.class, () -> scheduler.suspend());
        assertThrows(IllegalStateException.class, () -> scheduler.await(event));
        assertThrows(
            IllegalStateException.class, () -> scheduler.await(event, Duration.ofSeconds(1)));
        assertThrows(IllegalStateException.class, () -> scheduler.select(event, event));
        assertThrows(IllegalStateException.class, done::join);
        assertThrows(IllegalStateException.class, () -> scheduler.blocking(() -> "x"));
        assertThrows(IllegalStateException.class, () -> scheduler.yield("x"));
      }
      assertEquals(0, event.waiters());
      assertEquals("done", done.join());
    });
  }

  @Test
  void yield_insideOfAScopedValue_isRefusedAndNamesTheFrame() {
    assumeTrue(backend.sharesThread());
    runTask(() -> {
      var found = assertThrows(IllegalStateException.class, this::yieldInsideOfABinding);
      assertFound(found, "inside of a ScopedValue binding", "yieldInsideOfABinding");
    });
  }

  private void yieldInsideOfABinding() {
    ScopedValue.where(USER, "me").run(() -> scheduler.yield());
  }

  @Test
  void drive_callerHoldsAMonitor_isRefusedAndNamesTheFrame() {
    assumeTrue(backend.sharesThread());
    scheduler.spawn(() -> trace("ran"));
    synchronized (lock) {
      var found = assertThrows(IllegalStateException.class, () -> scheduler.step());
      assertFound(found, "step() while the caller holds", "drive_callerHoldsAMonitor");
      assertThrows(IllegalStateException.class, () -> scheduler.start());
      assertThrows(IllegalStateException.class, () -> scheduler.run("x"));
    }
    scheduler.start();
    assertTrace("ran");
  }

  @Test
  void monitorsThatAreLeft_andTheOutsideOnes_areFine() {
    runTask(() -> {
      synchronized (lock) {
        trace("in");
      }
      scheduler.yield();
      ScopedValue.where(USER, "me").run(() -> trace(USER.get()));
      scheduler.yield();
    });
    assertTrace("in me");
  }

  @Test
  void tasksWithThreadsOfTheirOwn_mayHoldWhatTheyLike() {
    assumeFalse(backend.sharesThread());
    runTask(() -> {
      yieldUnderMonitor();
      yieldInsideOfABinding();
      trace("fine");
    });
    assertTrace("fine");
  }

  @Test
  void withoutDebug_nothingIsChecked() {
    try (Scheduler plain = Scheduler.builder().backend(backend).build()) {
      plain.spawn(() -> trace("ran"));
      synchronized (lock) {
        plain.step();
      }
    }
    assertTrace("ran");
  }

  @Test
  void yield_insideAContinuationOfItsOwn_isRefusedAndNamesTheFrame() {
    assumeTrue(backend.name().equals("CONTINUATION"));
    // Only there switches enter continuations directly.
    assumeTrue(Runtime.version().feature() == 25);
    runTask(() -> {
      var refusals = new ArrayList<IllegalStateException>();
      runInside(
          () -> refusals.add(assertThrows(IllegalStateException.class, () -> scheduler.yield())));
      assertFound(
          refusals.getFirst(), "inside a jdk.internal.vm.Continuation that is run", "runInside");
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("goes on");
  }

  private static void runInside(Runnable code) {
    var own = new Continuation(new ContinuationScope("of the test"), code);
    own.run();
    assertTrue(own.isDone());
  }
}
