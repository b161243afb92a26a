package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The time limit of a single wait, in cases where it could end something else by mistake.
class LimitTest extends SchedulerTest {

  private static final Duration LIMIT = Duration.ofMillis(10);

  @Test
  void await_mapWaitsLongerThanTheLimit_valueIsDelivered() {
    var event = new WaitQueueEvent();
    var inner = new WaitQueueEvent();
    Task<Object> waiting =
        scheduler.spawn(
            "W",
            () ->
                scheduler.await(
                    event.map(value -> value + " and " + scheduler.await(inner)), LIMIT));
    drive();
    event.fireFirst("outer");
    drive();
    time.advance(LIMIT.multipliedBy(2));
    drive();
    inner.fireFirst("inner");
    scheduler.start();
    assertEquals("outer and inner", waiting.join());
    assertEquals(0, time.alarms());
  }

  @Test
  void await_limitIsOverWhileATurnIsGivenAway_isToldAndDoesNotWaitForEver() {
    var event = new WaitQueueEvent();
    scheduler.spawn(
        "W",
        () -> {
          // The budget of eager operations is spent, so that the next wait yields before it begins.
          for (int i = 0; i < 128; i++) {
            scheduler.await(Waitable.always(i));
          }
          assertThrows(TimedOutException.class, () -> scheduler.await(event, LIMIT));
          trace("told");
        });
    scheduler.spawn("clock", () -> time.advance(LIMIT.multipliedBy(2)));
    scheduler.spawn("idle", () -> scheduler.yield());
    scheduler.start();
    assertTrace("told");
    assertEquals(0, event.waiters());
  }

  @Test
  void select_armingOneBranchFiresAnother_nothingStaysArmed() {
    var first = new WaitQueueEvent();
    var second = new WaitQueueEvent();
    var firing =
        new Waitable<Object>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {
            first.fireFirst("first");
            second.arm(waiter);
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            second.disarm(waiter);
          }
        };
    runTask(() -> {
      Selection<Object> won =
          scheduler.await(
              Waitable.anyOf(
                  List.of(
                      first.map(value -> new Selection<Object>(0, value)),
                      firing.map(value -> new Selection<Object>(1, value)))));
      assertEquals(new Selection<Object>(0, "first"), won);
    });
    assertEquals(0, second.waiters());
  }
}
