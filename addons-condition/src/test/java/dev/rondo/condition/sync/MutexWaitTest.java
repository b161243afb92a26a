package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Waits for a mutex that end without it, and tasks that end while they hold it.
final class MutexWaitTest extends MutexFixture {

  // Waits that end without the lock.

  @Test
  void lock_timesOut_leavesNothingAndTheNextGetsIt() {
    user("owner");
    scheduler.spawn(
        "impatient",
        () -> {
          String thrown = message(TimedOutException.class, () -> scheduler.await(mutex, ms(5)));
          assertTrue(thrown.contains("mutex 'm'"), thrown);
          log("gave up");
        });
    user("next");
    scheduler.start();
    assertEquals(List.of("owner@0", "gave up@5", "next@10"), log);
    assertFalse(mutex.isLocked());
  }

  @Test
  void lock_cancelledWhileWaiting_leavesNothing() {
    user("owner");
    Task<Void> cancelled = user("cancelled");
    user("next");
    settle();
    cancelled.cancel("test");
    assertEquals(1, mutex.waiterCount());
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
      assertSame(waiter, mutex.owner().orElseThrow());
      waiter.cancel("too late");
    });
    user("next");
    scheduler.start();
    assertEquals(List.of("owner@0", "has it@10", "next@10"), log);
  }

  /// docs/inside/semantics.md, rule 41.
  @Test
  void lock_scheduledWithoutAValueUnderRunWithOne_failsWithNull() {
    user("owner");
    Task<ScheduledDirectlyException> task =
        scheduler.spawn(() -> assertThrows(ScheduledDirectlyException.class, mutex::lock));
    settle();
    assertTrue(scheduler.scheduleTask(task));
    var _ = scheduler.run("the driver's");
    assertNull(task.join().value());
    assertEquals(List.of("owner@0"), log);
    assertFalse(mutex.isLocked());
  }

  @Test
  void lock_endedByScheduleTask_doesNotPretendToHaveIt() {
    user("owner");
    Task<Void> task =
        scheduler.spawn(() ->
            assertEquals(
                "the wait for mutex 'm' was ended by scheduleTask; to receive its value, wait with"
                    + " suspend() or await(..)",
                message(ScheduledDirectlyException.class, mutex::lock)));
    settle();
    scheduler.scheduleTask(task, "not a lock");
    scheduler.start();
    task.join();
  }

  @Test
  void lock_endedByAStaleHandle_doesNotPretendToHaveIt() {
    LockGuard[] stale = new LockGuard[1];
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
      assertEquals("owner", mutex.owner().orElseThrow().name());
      var won = scheduler.<Object>select(mutex, time.after(ms(50)));
      assertEquals(0, won.index());
      assertTrue(mutex.isHeldByMe());
      ((LockGuard) won.value()).close();
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
            assertSame(scheduler.currentTask(), mutex.owner().orElseThrow());
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

  // A task that ends while it holds the lock.

  @Test
  void end_hasNotUnlocked_isReportedAndAllWaitsFail() {
    String thrown =
        "mutex 'm' was abandoned: task 'forgetful' ended without unlocking it; unlock in a finally"
            + " block, or use try-with-resources";
    scheduler.spawn(
        "forgetful",
        () -> {
          mutex.lock();
          time.sleep(ms(10));
        });
    for (int i = 0; i < 2; i++) {
      scheduler.spawn(() -> {
        assertEquals(thrown, message(AbandonedException.class, mutex::lock));
        log("failed");
      });
    }
    scheduler.start();
    assertEquals(List.of("failed@10", "failed@10"), log);
    assertEquals(thrown, takeFailures().getFirst().getMessage());
    run(() -> {
      assertEquals(thrown, message(AbandonedException.class, mutex::lock));
      assertEquals(thrown, message(AbandonedException.class, mutex::tryLock));
      assertEquals(0, mutex.waiterCount());
    });
  }

  @Test
  void end_taskWaitsTwice_failsOnceAndDoesNotGetIt() {
    scheduler.spawn(
        "forgetful",
        () -> {
          mutex.lock();
          time.sleep(ms(10));
        });
    for (int i = 0; i < 2; i++) {
      scheduler.spawn(() -> {
        assertThrows(AbandonedException.class, () -> scheduler.select(mutex, mutex));
        log("failed");
      });
    }
    scheduler.start();
    assertEquals(List.of("failed@10", "failed@10"), log);
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
}
