package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SemaphoreTest extends OnEveryBackend {

  private Task<Void> user(Semaphore semaphore, String name, int permits) {
    return scheduler.spawn(
        name,
        () -> {
          try (var taken = scheduler.await(semaphore.permits(permits))) {
            log(name);
            assertEquals(permits, taken.count());
            time.sleep(ms(10));
          }
        });
  }

  private static String message(Class<? extends Throwable> type, Runnable code) {
    return assertThrows(type, code::run).getMessage();
  }

  @Test
  void tryAcquire_noPermits_refusedAlsoWhileOthersWait() {
    var semaphore = new Semaphore(scheduler, "s", 0);
    Task<?> waiter = scheduler.spawn(() -> semaphore.acquire());
    settle();
    assertThrows(IllegalArgumentException.class, () -> semaphore.tryAcquire(0));
    waiter.cancel("test");
    scheduler.start();
  }

  @Test
  void acquire_asManyAsThereAre_thenInOrder() {
    var semaphore = new Semaphore(scheduler, "s", 2);
    for (String name : List.of("a", "b", "c", "d")) {
      user(semaphore, name, 1);
    }
    scheduler.start();
    assertEquals(List.of("a@0", "b@0", "c@10", "d@10"), log);
    assertEquals(2, semaphore.available());
  }

  @Test
  void acquire_manyInFrontOfFew_isNotStarved() {
    var semaphore = new Semaphore(scheduler, "s", 3);
    user(semaphore, "two", 2);
    user(semaphore, "three", 3);
    user(semaphore, "one", 1);
    settle();
    assertEquals(1, semaphore.available());
    assertEquals(2, semaphore.waiterCount());
    assertNull(semaphore.tryAcquire(1), "overtook waiting tasks");
    scheduler.start();
    assertEquals(List.of("two@0", "three@10", "one@20"), log);
  }

  @Test
  void acquire_manyInFrontGivesUp_fewBehindGoOn() {
    var semaphore = new Semaphore(scheduler, "s", 3);
    user(semaphore, "two", 2);
    scheduler.spawn(() -> {
      String thrown =
          message(TimedOutException.class, () -> scheduler.await(semaphore.permits(3), ms(4)));
      assertTrue(thrown.contains("permits=3 of semaphore 's'"), thrown);
    });
    user(semaphore, "one", 1);
    scheduler.start();
    assertEquals(List.of("two@0", "one@4"), log);
    assertEquals(3, semaphore.available());
  }

  @Test
  void acquire_cancelledAfterItGotThem_givesThemBack() {
    var semaphore = new Semaphore(scheduler, "s", 0);
    Task<Void> task =
        scheduler.spawn(() -> {
          try (var _ = scheduler.await(semaphore.permits(2))) {
            assertThrows(TaskCancelled.class, () -> scheduler.yield());
            log("had them");
          }
        });
    settle();
    semaphore.release(2);
    assertEquals(0, semaphore.available());
    task.cancel("too late");
    scheduler.start();
    assertEquals(List.of("had them@0"), log);
    assertEquals(2, semaphore.available());
  }

  @Test
  void close_twice_givesBackOnce() {
    var semaphore = new Semaphore(scheduler, "s", 1);
    run(() -> {
      SemaphorePermit permits = semaphore.acquire();
      assertEquals("permits=1 of semaphore 's'", permits.toString());
      permits.close();
      permits.close();
      assertEquals("permits=1 of semaphore 's', returned", permits.toString());
    });
    assertEquals(1, semaphore.available());
  }

  @Test
  void release_byAnybody_addsPermits() {
    var semaphore = new Semaphore(scheduler, "s", 0);
    Task<Void> waiter = user(semaphore, "w", 1);
    settle();
    semaphore.release(1); // outside tasks
    scheduler.start();
    assertTrue(waiter.isDone());
    assertEquals(1, semaphore.available());
    assertEquals(1, semaphore.drain());
    assertEquals(0, semaphore.drain());
    semaphore.release(5);
    try (var taken = semaphore.tryAcquire(5)) {
      assertNotNull(taken);
      assertNull(semaphore.tryAcquire(1));
    }
    assertEquals(5, semaphore.available());
    assertNull(semaphore.tryAcquire(6));
  }

  @Test
  void release_moreThanAnIntHolds_saysSoAndAddsNothing() {
    var semaphore = new Semaphore(scheduler, "s", Integer.MAX_VALUE - 1);
    semaphore.release(1);
    assertEquals(
        "semaphore 's' has 2147483647 permits and cannot have 1 more",
        message(IllegalStateException.class, () -> semaphore.release(1)));
    assertEquals(Integer.MAX_VALUE, semaphore.available());
  }

  @Test
  void anyMethod_tooFew_saysSo() {
    assertEquals(
        "semaphore 's' needs at least 0 permits, permits=-1",
        message(IllegalArgumentException.class, () -> new Semaphore(scheduler, "s", -1)));
    var semaphore = new Semaphore(scheduler, "s", 1);
    String thrown = "semaphore 's' needs at least 1 permit in a call, permits=0";
    assertEquals(thrown, message(IllegalArgumentException.class, () -> semaphore.release(0)));
    assertEquals(thrown, message(IllegalArgumentException.class, () -> semaphore.permits(0)));
    assertEquals(thrown, message(IllegalArgumentException.class, () -> semaphore.tryAcquire(0)));
    run(() -> {
      assertThrows(IllegalArgumentException.class, () -> scheduler.await(semaphore.permits(-1)));
      assertThrows(
          IllegalArgumentException.class, () -> scheduler.await(semaphore.permits(1), ms(-1)));
    });
    assertEquals(1, semaphore.available());
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    var semaphore = new Semaphore(scheduler, "s", 1);
    SemaphorePermit[] permits = {semaphore.tryAcquire(1)};
    Thread thread =
        Thread.ofPlatform()
            .unstarted(() -> {
              assertThrows(WrongThreadException.class, semaphore::acquire);
              assertThrows(WrongThreadException.class, () -> semaphore.tryAcquire(1));
              assertThrows(WrongThreadException.class, () -> semaphore.release(1));
              assertThrows(WrongThreadException.class, semaphore::drain);
              assertThrows(WrongThreadException.class, semaphore::available);
              assertThrows(WrongThreadException.class, permits[0]::close);
              log("all");
            });
    thread.start();
    thread.join();
    assertEquals(List.of("all@0"), log);
    permits[0].close(); // the refused acquisition did not count
    assertEquals(1, semaphore.available());
  }

  @Test
  void acquire_endedByScheduleTask_tookNothing() {
    var semaphore = new Semaphore(scheduler, "s", 0);
    Task<?> task =
        scheduler.spawn(() -> assertThrows(IllegalStateException.class, semaphore::acquire));
    settle();
    scheduler.scheduleTask(task, "no permit");
    scheduler.start();
    task.join();
    semaphore.release(1);
    assertEquals(1, semaphore.available());
  }

  @Test
  void select_onTwoRequestsOfOneTask_takesJustOne() {
    var semaphore = new Semaphore(scheduler, "s", 0);
    Task<Void> task =
        scheduler.spawn(() -> {
          var won = scheduler.select(semaphore.permits(3), semaphore.permits(2));
          log(won.index() + " " + won.value().count());
        });
    user(semaphore, "next", 2);
    settle();
    assertEquals(3, semaphore.waiterCount());
    semaphore.release(5);
    scheduler.start();
    assertTrue(task.isDone());
    assertEquals(List.of("0 3@0", "next@0"), log);
    assertEquals(2, semaphore.available()); // the task kept its three
  }

  @Test
  void poll_waiterHasSomethingElseAlready_takesNothing() {
    var semaphore = new Semaphore(scheduler, "s", 1);
    run(() ->
        scheduler.await(
            new Waitable<Object>() {
              @Override
              public void arm(Waiter<? super Object> waiter) {
                assertTrue(waiter.fire("something else"));
                assertFalse(semaphore.poll(waiter));
              }

              @Override
              public void disarm(Waiter<? super Object> waiter) {}
            }));
    assertEquals(1, semaphore.available());
  }
}
