package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// Scopes, shields, deadlines and timeouts of single waits.
class ScopeTest extends SchedulerTest {

  @Test
  void run_cancelledFromOutside_throwsWhereTheScopeEnds() {
    CancelScope scope = scheduler.newScope("inner part");
    scheduler.spawn(() -> {
      var told =
          assertThrows(
              CancellationException.class,
              () ->
                  scope.run(() -> {
                    assertThrows(TaskCancelled.class, scheduler::suspend);
                    trace("again");
                    return scheduler.suspend();
                  }));
      assertTrue(told.getMessage().contains("scope 'inner part'"), told.getMessage());
      assertInstanceOf(TaskCancelled.class, told.getCause());
      scheduler.yield();
      trace("goes on");
    });
    drive();
    assertTrue(scope.cancel("why"));
    assertFalse(scope.cancel("again"));
    assertTrue(scope.isCancelled());
    scheduler.start();
    assertTrace("again goes on");
  }

  @Test
  void run_cancelledBefore_throwsAtTheFirstSuspensionPoint() {
    CancelScope scope = scheduler.newScope("s");
    scope.cancel("early");
    runTask(() -> {
      assertThrows(CancellationException.class, () -> scope.run(scheduler::suspend));
      trace("out");
    });
    assertTrace("out");
  }

  @Test
  void run_cancelledButTheCodeReturns_valueCounts() {
    CancelScope scope = scheduler.newScope("s");
    runTask(() ->
        trace(
            scope.run(() -> {
              scope.cancel("why");
              return "value";
            })));
    assertTrace("value");
  }

  @Test
  void run_twice_isRefused() {
    CancelScope scope = scheduler.newScope("once");
    runTask(() -> {
      scope.run(() -> 1);
      var told = assertThrows(IllegalStateException.class, () -> scope.run(() -> 2));
      assertTrue(told.getMessage().contains("'once'"));
    });
  }

  @Test
  void run_outerAndInnerCancelled_outermostIsToldFirst() {
    CancelScope outer = scheduler.newScope("outer");
    CancelScope inner = scheduler.newScope("inner");
    scheduler.spawn(() -> {
      assertThrows(
          CancellationException.class,
          () ->
              outer.run(() ->
                  inner.run(() -> {
                    try {
                      return scheduler.suspend();
                    } catch (TaskCancelled e) {
                      trace(e.reason());
                      throw e;
                    } finally {
                      trace("inner");
                    }
                  })));
      trace("out");
    });
    drive();
    inner.cancel("small");
    outer.cancel("big");
    scheduler.start();
    assertTrace("big inner out");
  }

  @Test
  void run_outerCancelledWhileInside_innerCodeIsToldAndOuterThrows() {
    CancelScope outer = scheduler.newScope("outer");
    CancelScope inner = scheduler.newScope("inner");
    scheduler.spawn(() -> {
      var told =
          assertThrows(
              CancellationException.class,
              () ->
                  outer.run(() -> {
                    try {
                      return inner.run(scheduler::suspend);
                    } catch (CancellationException e) {
                      trace("wrong: the inner scope was not cancelled");
                      throw e;
                    }
                  }));
      assertTrue(told.getMessage().contains("'outer'"));
    });
    drive();
    outer.cancel("why");
    scheduler.start();
    assertFalse(inner.isCancelled());
  }

  @Test
  void run_bothCancelledBeforeTheNextPoint_outermostIsTold() {
    CancelScope outer = scheduler.newScope("outer");
    CancelScope inner = scheduler.newScope("inner");
    runTask(() ->
        assertThrows(
            CancellationException.class,
            () ->
                outer.run(() ->
                    inner.run(() -> {
                      inner.cancel("small");
                      outer.cancel("big");
                      trace(assertThrows(TaskCancelled.class, scheduler::yield).reason());
                      scheduler.yield();
                      return null;
                    }))));
    assertTrace("big");
  }

  @Test
  void run_taskCancelledInside_taskEndsCancelled() {
    CancelScope scope = scheduler.newScope("s");
    Task<Object> task = scheduler.spawn(() -> scope.run(scheduler::suspend));
    drive();
    task.cancel("whole");
    scheduler.start();
    assertTrue(task.isCancelled());
  }

  @Test
  void cancel_fromAnotherThread_reachesTheScope() throws Exception {
    CancelScope scope = scheduler.newScope("s");
    Task<Void> task =
        scheduler.spawn(() -> {
          assertThrows(CancellationException.class, () -> scope.run(scheduler::suspend));
          trace("out");
        });
    drive();
    elsewhere(() -> scope.cancel("afar"));
    scheduler.start();
    assertTrue(task.isDone());
    assertTrace("out");
  }

  // Shields.

  @Test
  void shielded_taskCancelled_finishesAndIsToldAfter() {
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.shielded(() -> {
            trace(scheduler.suspend());
            scheduler.yield();
            return null;
          });
          trace("after");
          scheduler.yield();
          trace("not reached");
        });
    drive();
    task.cancel("why");
    drive();
    assertTrace("");
    scheduler.scheduleTask(task, "undisturbed");
    scheduler.start();
    assertTrace("undisturbed after");
    assertTrue(task.isCancelled());
  }

  @Test
  void shielded_inFinally_mayWait() {
    var signal = new WaitQueueEvent();
    Task<Void> task =
        scheduler.spawn(() -> {
          try {
            scheduler.suspend();
          } finally {
            scheduler.shielded(() -> scheduler.await(signal));
            trace("cleaned");
          }
        });
    drive();
    task.cancel("why");
    drive();
    assertEquals(1, signal.waiters());
    signal.fireAll(null);
    scheduler.start();
    assertTrace("cleaned");
    assertTrue(task.isCancelled());
  }

  @Test
  void shielded_scopeInsideCancelled_isTold() {
    CancelScope inside = scheduler.newScope("inside");
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.shielded(() -> {
            assertThrows(CancellationException.class, () -> inside.run(scheduler::suspend));
            return null;
          });
          trace("out");
        });
    drive();
    inside.cancel("why");
    scheduler.start();
    assertTrace("out");
    assertNull(task.join());
  }

  @Test
  void shielded_scopeOutsideCancelled_toldAfterwards() {
    CancelScope outside = scheduler.newScope("outside");
    Task<Void> task =
        scheduler.spawn(() -> {
          assertThrows(
              CancellationException.class,
              () ->
                  outside.run(() -> {
                    scheduler.shielded(scheduler::suspend);
                    trace("shield over");
                    return scheduler.suspend();
                  }));
        });
    drive();
    outside.cancel("why");
    drive();
    assertTrace("");
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("shield over");
  }

  /// docs/inside/semantics.md, rule 44.
  @Test
  void run_cancelledFromOutsideWhileItsCodeCleansUp_outsideIsToldToo() {
    CancelScope inner = scheduler.newScope("inner");
    Task<Void> task =
        scheduler.spawn(() -> {
          try {
            inner.run(() -> {
              try {
                return scheduler.suspend();
              } finally {
                scheduler.shielded(scheduler::suspend);
                trace("cleaned");
              }
            });
          } catch (CancellationException e) {
            trace("of the scope only");
          }
          trace("went on");
        });
    drive();
    assertTrue(inner.cancel("enough"));
    drive();
    assertTrue(task.cancel("why"));
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("cleaned");
    assertTrue(task.isCancelled());
  }

  @Test
  void within_outerLimitIsUpWhileTheCodeOfTheInnerCleansUp_outerTimesOut() {
    var outer = Duration.ofSeconds(2);
    var inner = Duration.ofSeconds(1);
    runTask(() -> {
      var thrown =
          assertThrows(
              TimedOutException.class,
              () ->
                  scheduler.within(
                      outer,
                      () ->
                          scheduler.within(
                              inner,
                              () -> {
                                try {
                                  return scheduler.suspend();
                                } finally {
                                  scheduler.shielded(() -> {
                                    assertThrows(
                                        TimedOutException.class,
                                        () -> scheduler.await(Waitable.never(), outer));
                                    return null;
                                  });
                                }
                              })));
      assertTrue(thrown.getMessage().startsWith("gave up after 2 s: within"), thrown.getMessage());
    });
  }
}
