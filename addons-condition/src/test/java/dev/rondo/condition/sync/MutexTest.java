package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Locking and unlocking; waits that end without the lock are in [MutexWaitTest].
final class MutexTest extends MutexFixture {

  // Locking and unlocking.

  @Test
  void lock_free_takesItWithoutGivingWay() {
    scheduler.spawn(() -> log("other"));
    run(() -> {
      assertFalse(mutex.isLocked());
      assertTrue(mutex.owner().isEmpty());
      log("first");
    });
    log.clear();
    Task<Void> task =
        scheduler.spawn(() -> {
          try (var held = mutex.lock()) {
            log("locked");
            assertSame(mutex, held.lock());
            assertSame(scheduler.currentTask(), held.holder());
            assertSame(scheduler.currentTask(), mutex.owner().orElseThrow());
            assertTrue(mutex.isLocked());
            assertTrue(mutex.isHeldByMe());
          }
          assertFalse(mutex.isLocked());
          assertFalse(mutex.isHeldByMe());
        });
    scheduler.spawn(() -> log("other"));
    scheduler.start();
    task.join();
    assertEquals(List.of("locked@0", "other@0"), log);
  }

  @Test
  void lock_withoutEnd_letsOthersRun() {
    boolean[] stop = {false};
    int[] locked = {0};
    scheduler.spawn(() -> {
      while (!stop[0] && locked[0]++ < 10_000) {
        mutex.lock().close();
      }
    });
    scheduler.spawn(() -> stop[0] = true);
    scheduler.start();
    assertTrue(locked[0] < 10_000, "it kept the loop");
  }

  @Test
  void lock_severalWant_firstComeFirstServed() {
    user("a");
    user("b");
    user("c");
    scheduler.start();
    assertEquals(List.of("a@0", "b@10", "c@20"), log);
  }

  @Test
  void unlock_waiting_hasItBeforeTheCallReturns() {
    var next = new AtomicReference<Task<Void>>();
    run(() -> {
      LockGuard held = mutex.lock();
      next.set(user("next"));
      scheduler.yield();
      assertEquals(1, mutex.waiterCount());
      held.close();
      assertSame(next.get(), mutex.owner().orElseThrow());
      assertEquals(0, mutex.waiterCount());
      assertNull(mutex.tryLock(), "overtook the waiting task");
    });
    assertTrue(next.get().isDone());
  }

  @Test
  void unlock_noHandle_sameAsClose() {
    run(() -> {
      LockGuard held = mutex.lock();
      mutex.unlock();
      assertFalse(mutex.isLocked());
      held.close(); // no effect
      LockGuard second = mutex.tryLock();
      assertNotNull(second);
      assertNull(held.holder());
      assertEquals(mutex + ", unlocked", held.toString());
      held.close(); // must not release the second guard's lock
      assertTrue(mutex.isHeldByMe());
      assertSame(scheduler.currentTask(), second.holder());
      second.close();
      second.close();
      assertFalse(mutex.isLocked());
    });
  }

  @Test
  void lock_inAStepTask_hasIt() {
    Task<Void> user = user("u");
    StepTask<Void> step =
        scheduler
            .host()
            .spawnSteps(
                "s",
                self -> {
                  if (self.received() instanceof LockGuard held) {
                    assertSame(self, mutex.owner().orElseThrow());
                    log("step");
                    held.close();
                    return StepResult.DONE;
                  }
                  return self.await(mutex);
                });
    scheduler.start();
    assertTrue(user.isDone() && step.isDone());
    assertEquals(List.of("u@0", "step@10"), log);
  }

  // Bad input.

  @Test
  void lock_hasItAlready_saysSoAtOnce() {
    run(() -> {
      try (var _ = mutex.lock()) {
        String expected =
            "task 'main' locks mutex 'm', which it holds already: it is not reentrant";
        assertEquals(expected, message(IllegalStateException.class, mutex::lock));
        assertEquals(expected, message(IllegalStateException.class, mutex::tryLock));
        assertEquals(
            expected,
            message(IllegalStateException.class, () -> scheduler.select(time.after(ms(1)), mutex)));
        assertTrue(mutex.isHeldByMe());
      }
    });
  }

  @Test
  void unlock_anothers_namesTheOwnerAndKeepsIt() {
    AtomicReference<LockGuard> held = new AtomicReference<>();
    scheduler.spawn(
        "owner",
        () -> {
          held.set(mutex.lock());
          time.sleep(ms(10));
          held.get().close();
        });
    settle();
    run(() -> {
      String expected =
          "task 'main' unlocks mutex 'm', which it does not hold: task 'owner' holds it";
      assertEquals(expected, message(IllegalStateException.class, mutex::unlock));
      assertEquals(expected, message(IllegalStateException.class, held.get()::close));
      assertEquals("owner", mutex.owner().orElseThrow().name());
    });
    assertFalse(mutex.isLocked());
  }

  @Test
  void unlock_notLocked_saysSo() {
    run(() ->
        assertEquals(
            "task 'main' unlocks mutex 'm', which it does not hold: it is not locked",
            message(IllegalStateException.class, mutex::unlock)));
  }

  @Test
  void lockAndUnlock_outsideOfATask_saysSo() {
    assertThrows(IllegalStateException.class, mutex::lock);
    assertEquals(
        "tryLock of mutex 'm' outside a task: a lock belongs to a task; spawn one",
        message(IllegalStateException.class, mutex::tryLock));
    assertEquals(
        "unlock of mutex 'm' outside a task: a lock belongs to a task; spawn one",
        message(IllegalStateException.class, mutex::unlock));
    assertFalse(mutex.isHeldByMe());
    AtomicReference<LockGuard> held = new AtomicReference<>();
    scheduler.spawn(
        "owner",
        () -> {
          held.set(mutex.lock());
          scheduler.suspend();
          held.get().close();
        });
    settle();
    assertEquals(
        "mutex 'm' is unlocked outside a task: task 'owner' holds it",
        message(IllegalStateException.class, held.get()::close));
    scheduler.scheduleTask(mutex.owner().orElseThrow());
    scheduler.start();
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    LockGuard[] held = new LockGuard[1];
    run(() -> {
      held[0] = mutex.lock();
      Thread thread =
          Thread.ofPlatform()
              .unstarted(() -> {
                assertThrows(WrongThreadException.class, mutex::lock);
                assertThrows(WrongThreadException.class, mutex::tryLock);
                assertThrows(WrongThreadException.class, mutex::unlock);
                assertThrows(WrongThreadException.class, mutex::owner);
                assertThrows(WrongThreadException.class, mutex::isLocked);
                assertThrows(WrongThreadException.class, mutex::waiterCount);
                assertThrows(WrongThreadException.class, held[0]::close);
                log("all");
              });
      thread.start();
      thread.join();
      held[0].close();
    });
    assertEquals(List.of("all@0"), log);
  }

  @Test
  void make_null_saysWhat() {
    assertEquals(
        "name is null", message(NullPointerException.class, () -> new Mutex(scheduler, null)));
    assertEquals(
        "scheduler is null", message(NullPointerException.class, () -> new Mutex(null, "m")));
  }

  // The text of reports.

  @Test
  void toString_anyState_namesTheHolder() {
    run(() -> {
      LockGuard held = mutex.lock();
      assertEquals("mutex 'm'", mutex.toString());
      assertEquals("m", mutex.name());
      assertEquals("mutex 'm', held by task 'main'", held.toString());
      held.close();
      assertEquals(mutex + ", unlocked", held.toString());
    });
  }

  @Test
  void tasks_oneWaits_showsWhatForAndTheHolder() {
    user("owner");
    user("waiter");
    settle();
    var info =
        scheduler.tasks().stream().filter(t -> t.name().equals("waiter")).findFirst().orElseThrow();
    assertEquals("mutex 'm'", info.waitingFor());
    assertEquals("owner", info.holder());
    scheduler.start();
  }
}
