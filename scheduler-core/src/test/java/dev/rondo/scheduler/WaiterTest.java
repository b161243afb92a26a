package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a waitable may do with its waiters, and what may happen to the tasks that wait.
class WaiterTest extends SchedulerTest {

  /// Keeps the last waiter, fired or not.
  private static final class Keeping implements Waitable<Object> {
    private Waiter<? super Object> kept;

    @Override
    public void arm(Waiter<? super Object> waiter) {
      kept = waiter;
    }

    @Override
    public void disarm(Waiter<? super Object> waiter) {}
  }

  @Test
  void fire_settledOrOver_isRefused() {
    var source = new Keeping();
    Task<Void> task =
        scheduler.spawn(() -> {
          trace(scheduler.await(source));
          trace(scheduler.suspend());
          trace(scheduler.select(source, Waitable.never()).value());
          trace(scheduler.suspend());
        });
    drive();
    assertTrue(source.kept.fire("first"));
    assertFalse(source.kept.fire("second"));
    assertFalse(source.kept.fail(new IllegalStateException()));
    drive();
    assertTrace("first");
    assertFalse(source.kept.fire("late"));
    scheduler.scheduleTask(task, "a");
    drive();
    assertTrue(source.kept.fire("in a choice"));
    assertFalse(source.kept.fire("again"));
    drive();
    assertFalse(source.kept.fire("late"));
    scheduler.scheduleTask(task, "b");
    scheduler.start();
    assertTrace("a in a choice b");
  }

  @Test
  void waitQueue_waiterInTwo_isRefused() {
    var queue = new WaitQueue<Object>();
    var other = new WaitQueue<Object>();
    var source =
        new Waitable<Object>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {
            queue.add(waiter);
            assertThrows(IllegalStateException.class, () -> other.add(waiter));
            assertThrows(IllegalStateException.class, () -> queue.add(waiter));
            assertFalse(other.remove(waiter));
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            assertTrue(queue.remove(waiter));
          }
        };
    Task<Object> first = scheduler.spawn(() -> scheduler.await(source));
    Task<Object> second = scheduler.spawn(() -> scheduler.await(source));
    drive();
    assertEquals(2, queue.size());
    assertSame(first, queue.peek().task());
    assertTrue(queue.fireFirst("v"));
    assertEquals(1, queue.size());
    assertSame(second, queue.poll().task());
    assertTrue(queue.isEmpty());
    assertFalse(queue.fireFirst("nobody"));
    second.cancel("its waiter was taken out of the queue");
    takeReported();
    scheduler.start();
    takeReported();
  }

  @Test
  void await_movedToAnotherWaitable_returnsItsFinishedValue() {
    var first = new WaitQueueEvent();
    var second = new WaitQueueEvent();
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(first)));
    drive();
    Waitable<Object> choice =
        Waitable.anyOf(List.of(Waitable.never(), second.map(value -> "mapped " + value)));
    assertTrue(scheduler.queue().scheduleOn(task, choice));
    assertEquals(0, first.waiters());
    assertEquals(0, first.fireAll("late"));
    second.fireAll("v");
    scheduler.start();
    assertTrace("mapped v");
  }

  @Test
  void yield_movedToAWaitable_comesBackWhenThatFires() {
    var signal = new WaitQueueEvent();
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.yield();
          trace("back");
          trace(scheduler.suspend());
        });
    scheduler.step();
    assertTrue(scheduler.queue().scheduleOn(task, Waitable.anyOf(List.of(signal))));
    drive();
    assertTrace("");
    signal.fireAll("v");
    drive();
    assertTrace("back");
    scheduler.scheduleTask(task, "clean");
    scheduler.start();
    assertTrace("clean");
  }

  @Test
  void yield_movedToAWaitableThatFails_throws() {
    var signal = new WaitQueueEvent();
    Task<Void> task =
        scheduler.spawn(() -> {
          trace(assertThrows(IllegalStateException.class, scheduler::yield).getMessage());
          scheduler.yield();
          trace("goes on");
        });
    scheduler.step();
    scheduler.queue().scheduleOn(task, signal);
    signal.failAll(new IllegalStateException("failed"));
    scheduler.start();
    assertTrace("failed goes on");
  }

  @Test
  void scheduleOn_whatItAwaitsAlready_isRefused() {
    var signal = new WaitQueueEvent();
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(signal)));
    drive();
    assertEquals(false, scheduler.queue().scheduleOn(task, signal));
    assertEquals(1, signal.waiters());
    signal.fireAll("v");
    scheduler.start();
    assertTrace("v");
  }

  @Test
  void disarm_throws_isReportedAndTheTaskGoesOn() {
    var bad =
        new Waitable<Object>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {}

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            throw new IllegalStateException("disarm");
          }
        };
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.await(bad);
          trace("goes on");
        });
    drive();
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("goes on");
    assertEquals("disarm", takeReported().getFirst().failure().getMessage());
  }

  @Test
  void fire_onAnotherThread_isRefused() throws Exception {
    Waiter<?>[] armed = new Waiter<?>[1];
    var source =
        new Waitable<Object>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {
            armed[0] = waiter;
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            armed[0] = null;
          }
        };
    Task<Object> task = scheduler.spawn(() -> scheduler.await(source));
    drive();
    elsewhere(() -> {
      assertThrows(WrongThreadException.class, () -> armed[0].fire(null));
      assertThrows(WrongThreadException.class, () -> armed[0].fail(new Exception()));
      return null;
    });
    scheduler.scheduleTask(task);
    scheduler.start();
  }
}
