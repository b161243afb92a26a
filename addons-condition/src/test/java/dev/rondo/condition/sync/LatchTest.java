package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LatchTest extends OnEveryBackend {

  private Task<Void> waiter(Latch latch, String name) {
    return scheduler.spawn(
        name,
        () -> {
          latch.await();
          log(name);
        });
  }

  @Test
  void countDown_toZero_opensForAllInOrderAndForGood() {
    var latch = new Latch(scheduler, "l", 2);
    waiter(latch, "a");
    waiter(latch, "b");
    settle();
    assertFalse(latch.countDown());
    settle();
    assertEquals(List.of(), log);
    assertEquals(1, latch.count());
    assertTrue(latch.countDown());
    waiter(latch, "late");
    scheduler.start();
    assertEquals(List.of("a@0", "b@0", "late@0"), log);
    assertFalse(latch.countDown());
    assertEquals(0, latch.count());
    assertEquals("latch 'l'", latch.toString());
  }

  @Test
  void await_open_givesWayOnce() {
    var latch = new Latch(scheduler, "l", 0);
    waiter(latch, "w");
    scheduler.spawn(() -> log("other"));
    scheduler.start();
    assertEquals(List.of("other@0", "w@0"), log);
  }

  @Test
  void await_endsOtherwise_leavesNothing() {
    var latch = new Latch(scheduler, "l", 1);
    Task<Void> cancelled = waiter(latch, "cancelled");
    Task<?> scheduled =
        scheduler.spawn(() -> assertThrows(IllegalStateException.class, latch::await));
    run(() -> {
      assertThrows(TimedOutException.class, () -> scheduler.await(latch, ms(5)));
      cancelled.cancel("test");
      scheduler.scheduleTask(scheduled);
      assertEquals(0, latch.waiterCount());
      scheduler.yield();
      assertTrue(latch.countDown());
      scheduler.await(latch, ms(5));
    });
    scheduled.join();
    assertEquals(ms(5), clock.elapsed());
  }

  @Test
  void anyMethod_badInput_saysSo() throws InterruptedException {
    assertEquals(
        "latch 'l' needs a count of at least 0, count=-1",
        assertThrows(IllegalArgumentException.class, () -> new Latch(scheduler, "l", -1))
            .getMessage());
    var latch = new Latch(scheduler, "l", 1);
    assertThrows(IllegalStateException.class, latch::await);
    Thread thread =
        Thread.ofPlatform()
            .unstarted(() -> {
              assertThrows(WrongThreadException.class, latch::countDown);
              assertThrows(WrongThreadException.class, latch::count);
              assertThrows(WrongThreadException.class, latch::await);
              log("all");
            });
    thread.start();
    thread.join();
    assertEquals(List.of("all@0"), log);
    assertEquals(1, latch.count());
  }
}
