package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `always`, `never`, and what goes wrong in choices and guards.
class ConstantWaitablesTest extends SchedulerTest {

  @Test
  void always_awaitedAnyNumberOfTimes_isThere() {
    runTask(() -> {
      for (int i = 0; i < 3; i++) {
        trace(scheduler.await(Waitable.always(i)));
      }
      trace(scheduler.await(Waitable.always(null)));
      trace(scheduler.await(Waitable.always(1).map(v -> v + 1)));
    });
    assertTrace("0 1 2 null 2");
  }

  @Test
  void always_scheduledOn_isReceived() {
    Task<Void> task = scheduler.newTask("t", () -> trace(scheduler.received()));
    assertTrue(scheduler.scheduleOn(task, Waitable.always("v").map(v -> v + "!")));
    scheduler.start();
    assertTrace("v!");
  }

  @Test
  void never_inAChoice_isNeutral() {
    runTask(() -> {
      trace(scheduler.select(Waitable.never(), Waitable.always("v")));
      assertThrows(
          TimeoutException.class, () -> scheduler.await(Waitable.never(), Duration.ofSeconds(1)));
    });
    assertTrace("Selection[index=1, value=v]");
  }

  @Test
  void anyOf_empty_isRefused() {
    var told = assertThrows(IllegalArgumentException.class, () -> Waitable.anyOf(List.of()));
    assertTrue(told.getMessage().contains("never()"), told.getMessage());
    runTask(() -> assertThrows(IllegalArgumentException.class, () -> scheduler.select()));
  }

  @Test
  void guard_makerThrowsOrAnswersNull_comesOutOfTheAwait() {
    runTask(() -> {
      assertThrows(
          IllegalStateException.class,
          () ->
              scheduler.await(
                  Waitable.guard(() -> {
                    throw new IllegalStateException("maker");
                  })));
      assertThrows(NullPointerException.class, () -> scheduler.await(Waitable.guard(() -> null)));
      scheduler.yield();
      trace("goes on");
    });
    assertTrace("goes on");
  }

  @Test
  void await_movedToAnotherWaitable_returnsItsFinishedValue() {
    var first = new WaitQueueEvent();
    var second = new WaitQueueEvent();
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(first)));
    drive();
    Waitable<Object> choice =
        Waitable.anyOf(List.of(Waitable.never(), second.map(value -> "mapped " + value)));
    assertTrue(scheduler.scheduleOn(task, choice));
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
    assertTrue(scheduler.scheduleOn(task, Waitable.anyOf(List.of(signal))));
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
  void scheduleOn_whatItAwaitsAlready_isRefused() {
    var signal = new WaitQueueEvent();
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(signal)));
    drive();
    assertEquals(false, scheduler.scheduleOn(task, signal));
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
