package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.StepTask;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimeoutException;
import dev.rondo.scheduler.Turn;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class MutexTest extends OnEveryBackend {

  private Mutex mutex;

  @BeforeEach
  void makeMutex() {
    mutex = new Mutex(scheduler, "m");
  }

  /// A task that locks, logs, has it for a while, and unlocks.
  private Task<Void> user(String name) {
    return scheduler.spawn(
        name,
        () -> {
          try (var _ = mutex.lock()) {
            log(name);
            time.sleep(ms(10));
          }
        });
  }

  private static String message(Class<? extends Throwable> type, Runnable code) {
    return assertThrows(type, code::run).getMessage();
  }

  // Locking and unlocking.

  @Test
  void lock_free_takesItWithoutGivingWay() {
    scheduler.spawn(() -> log("other"));
    run(() -> {
      assertFalse(mutex.isLocked());
      assertNull(mutex.owner());
      log("first");
    });
    log.clear();
    Task<Void> task =
        scheduler.spawn(() -> {
          try (var held = mutex.lock()) {
            log("locked");
            assertSame(mutex, held.lock());
            assertSame(scheduler.currentTask(), held.holder());
            assertSame(scheduler.currentTask(), mutex.owner());
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
  void unlock_somebodyWaits_hasItBeforeTheCallReturns() {
    var next = new AtomicReference<Task<Void>>();
    run(() -> {
      Held held = mutex.lock();
      next.set(user("next"));
      scheduler.yield();
      assertEquals(1, mutex.tasksPending());
      held.close();
      assertSame(next.get(), mutex.owner());
      assertEquals(0, mutex.tasksPending());
      assertNull(mutex.tryLock(), "overtook the one who waited");
    });
    assertTrue(next.get().isDone());
  }

  @Test
  void unlock_noHandle_sameAsClose() {
    run(() -> {
      Held held = mutex.lock();
      mutex.unlock();
      assertFalse(mutex.isLocked());
      held.close(); // nothing
      Held second = mutex.tryLock();
      assertNotNull(second);
      held.close(); // must not release the second
      assertTrue(mutex.isHeldByMe());
      second.close();
      second.close();
      assertFalse(mutex.isLocked());
    });
  }

  @Test
  void lock_inAStepTask_hasIt() {
    Task<Void> user = user("u");
    StepTask<Void> step =
        scheduler.spawnSteps(
            "s",
            self -> {
              if (self.received() instanceof Held held) {
                assertSame(self, mutex.owner());
                log("step");
                held.close();
                return Turn.DONE;
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
        String expected = "task 'main' locks mutex 'm', which it has already: it is not reentrant";
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
    AtomicReference<Held> held = new AtomicReference<>();
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
          "task 'main' unlocks mutex 'm', which it does not have: task 'owner' has it";
      assertEquals(expected, message(IllegalStateException.class, mutex::unlock));
      assertEquals(expected, message(IllegalStateException.class, held.get()::close));
      assertEquals("owner", mutex.owner().name());
    });
    assertFalse(mutex.isLocked());
  }

  @Test
  void unlock_nobodys_saysSo() {
    run(() ->
        assertEquals(
            "task 'main' unlocks mutex 'm', which it does not have: nobody has it",
            message(IllegalStateException.class, mutex::unlock)));
  }

  @Test
  void lockAndUnlock_outsideOfATask_saysSo() {
    assertThrows(IllegalStateException.class, mutex::lock);
    assertEquals(
        "tryLock of mutex 'm' outside of a task: a lock belongs to a task; spawn one",
        message(IllegalStateException.class, mutex::tryLock));
    assertEquals(
        "unlock of mutex 'm' outside of a task: a lock belongs to a task; spawn one",
        message(IllegalStateException.class, mutex::unlock));
    assertFalse(mutex.isHeldByMe());
    AtomicReference<Held> held = new AtomicReference<>();
    scheduler.spawn(
        "owner",
        () -> {
          held.set(mutex.lock());
          scheduler.suspend();
          held.get().close();
        });
    settle();
    assertEquals(
        "mutex 'm' is unlocked outside of a task: task 'owner' has it",
        message(IllegalStateException.class, held.get()::close));
    scheduler.scheduleTask(mutex.owner());
    scheduler.start();
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    Held[] held = new Held[1];
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
                assertThrows(WrongThreadException.class, mutex::tasksPending);
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

  // Waits that end otherwise.

  @Test
  void lock_timesOut_leavesNothingAndTheNextGetsIt() {
    user("owner");
    scheduler.spawn(
        "impatient",
        () -> {
          String told = message(TimeoutException.class, () -> mutex.lock(ms(5)));
          assertTrue(told.contains("mutex 'm'"), told);
          log("gave up");
        });
    user("next");
    scheduler.start();
    assertEquals(List.of("owner@0", "gave up@5", "next@10"), log);
    assertFalse(mutex.isLocked());
  }

  @Test
  void lock_negativeTimeout_saysSo() {
    run(() -> assertThrows(IllegalArgumentException.class, () -> mutex.lock(ms(-1))));
    assertFalse(mutex.isLocked());
  }

  @Test
  void lock_cancelledWhileWaiting_leavesNothing() {
    user("owner");
    Task<Void> cancelled = user("cancelled");
    user("next");
    settle();
    cancelled.cancel("test");
    assertEquals(1, mutex.tasksPending());
    scheduler.start();
    assertEquals(List.of("owner@0", "next@10"), log);
  }

  @Test
  void lock_cancelledAfterItWasHandedOver_hasItAndUnlocks() {
    Task<Void> owner = user("owner");
    Task<Void> waiter =
        scheduler.spawn(() -> {
          try (var _ = mutex.lock()) {
            log("has it");
            assertThrows(TaskCancelled.class, () -> time.sleep(ms(1)));
          }
        });
    settle();
    scheduler.spawn(() -> {
      owner.join();
      assertSame(waiter, mutex.owner());
      waiter.cancel("too late");
    });
    user("next");
    scheduler.start();
    assertEquals(List.of("owner@0", "has it@10", "next@10"), log);
  }

  @Test
  void lock_endedByScheduleTask_doesNotPretendToHaveIt() {
    user("owner");
    Task<Void> task =
        scheduler.spawn(() ->
            assertEquals(
                "the wait for mutex 'm' was ended by scheduleTask before it came; a task that is to"
                    + " be woken so waits with scheduler.await(..), which returns what it was"
                    + " scheduled with",
                message(IllegalStateException.class, mutex::lock)));
    settle();
    scheduler.scheduleTask(task, "not a lock");
    scheduler.start();
    task.join();
  }

  @Test
  void lock_endedByAStaleHandle_doesNotPretendToHaveIt() {
    Held[] stale = new Held[1];
    run(() -> {
      stale[0] = mutex.lock();
      stale[0].close();
    });
    user("owner");
    Task<?> task = scheduler.spawn(() -> assertThrows(IllegalStateException.class, mutex::lock));
    settle();
    scheduler.scheduleTask(task, stale[0]);
    scheduler.start();
    task.join();
  }

  @Test
  void select_losesToATimer_isNotLocked() {
    user("owner");
    run(() -> {
      assertEquals(1, scheduler.<Object>select(mutex, time.after(ms(5))).index());
      assertEquals("owner", mutex.owner().name());
      var won = scheduler.<Object>select(mutex, time.after(ms(50)));
      assertEquals(0, won.index());
      assertTrue(mutex.isHeldByMe());
      ((Held) won.value()).close();
    });
    assertFalse(mutex.isLocked());
  }

  @Test
  void select_sameMutexTwice_isLockedOnceAndTheNextIsNotLetIn() {
    user("owner");
    settle();
    scheduler.spawn(
        "twice",
        () -> {
          try (var _ = scheduler.select(mutex, mutex).value()) {
            log("twice");
            assertSame(scheduler.currentTask(), mutex.owner());
            time.sleep(ms(10));
          }
        });
    user("next");
    scheduler.start();
    assertEquals(List.of("owner@0", "twice@10", "next@20"), log);
  }

  @Test
  void select_onTwoMutexes_takesOneAndLeavesTheOther() {
    Mutex other = new Mutex(scheduler, "other");
    run(() -> {
      var won = scheduler.select(mutex, other);
      assertEquals(0, won.index());
      assertFalse(other.isLocked());
      won.value().close();
    });
  }

  @Test
  void poll_waiterHasSomethingElseAlready_staysFree() {
    run(() -> {
      Object got =
          scheduler.await(
              new Waitable<Object>() {
                @Override
                public void arm(Waiter<? super Object> waiter) {
                  assertTrue(waiter.fire("something else"));
                  assertFalse(mutex.poll(waiter));
                }

                @Override
                public void disarm(Waiter<? super Object> waiter) {}
              });
      assertEquals("something else", got);
      assertFalse(mutex.isLocked());
      mutex.lock().close();
    });
  }

  // A task that ends and has it.

  @Test
  void end_hasNotUnlocked_isReportedAndEverybodyIsTold() {
    String told =
        "mutex 'm' was abandoned: task 'forgetful' has ended and had not unlocked it; unlock in a"
            + " finally, or with try-with-resources";
    scheduler.spawn(
        "forgetful",
        () -> {
          mutex.lock();
          time.sleep(ms(10));
        });
    for (int i = 0; i < 2; i++) {
      scheduler.spawn(() -> {
        assertEquals(told, message(AbandonedException.class, mutex::lock));
        log("told");
      });
    }
    scheduler.start();
    assertEquals(List.of("told@10", "told@10"), log);
    assertEquals(told, takeFailures().getFirst().getMessage());
    run(() -> {
      assertEquals(told, message(AbandonedException.class, mutex::lock));
      assertEquals(told, message(AbandonedException.class, mutex::tryLock));
      assertEquals(0, mutex.tasksPending());
    });
  }

  @Test
  void end_oneWhoWaitsTwice_isToldOnceAndNotLetIn() {
    scheduler.spawn(
        "forgetful",
        () -> {
          mutex.lock();
          time.sleep(ms(10));
        });
    for (int i = 0; i < 2; i++) {
      scheduler.spawn(() -> {
        assertThrows(AbandonedException.class, () -> scheduler.select(mutex, mutex));
        log("told");
      });
    }
    scheduler.start();
    assertEquals(List.of("told@10", "told@10"), log);
    assertEquals(1, takeFailures().size());
    assertFalse(mutex.isLocked());
  }

  @Test
  void end_byCancelInTryWithResources_unlocks() {
    Task<Void> owner = user("owner");
    user("next");
    settle();
    owner.cancel("test");
    scheduler.start();
    assertEquals(List.of("owner@0", "next@0"), log);
  }

  // What reports say.

  @Test
  void toString_anyState_saysWhoHasIt() {
    run(() -> {
      Held held = mutex.lock();
      assertEquals("mutex 'm'", mutex.toString());
      assertEquals("m", mutex.name());
      assertEquals("mutex 'm', held by task 'main'", held.toString());
      held.close();
      assertEquals("mutex 'm', unlocked", held.toString());
    });
  }

  @Test
  void tasks_oneWaits_showsForWhatAndWhoHasIt() {
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
