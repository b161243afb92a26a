package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The imperative timeout of a task.
final class TaskTimeoutTest extends OnEveryBackend {

  private void timeout(long millis) {
    time().timeout(ms(millis));
  }

  @Test
  void timeout_waitTooLong_failsThereAndOnce() {
    run(() -> {
      timeout(10);
      var e = assertThrows(TimedOutException.class, () -> scheduler().await(Waitable.never()));
      assertEquals("gave up after 10 ms: timeout(..) of task 'main'", e.getMessage());
      assertTrue(
          Arrays.stream(e.getStackTrace())
              .anyMatch(frame -> frame.getClassName().equals(getClass().getName())),
          "the trace shows the wait");
      log("failed");
      sleep(50);
      log("slept");
    });
    assertEquals(List.of("failed@10", "slept@60"), log);
  }

  @Test
  void timeout_severalWaits_theOneItMeets() {
    run(() -> {
      timeout(10);
      sleep(4);
      sleep(4);
      assertThrows(TimedOutException.class, () -> sleep(4));
      assertEquals(ms(10), clock.elapsed());
    });
  }

  @Test
  void timeoutZero_before_takenBack() {
    run(() -> {
      timeout(10);
      sleep(4);
      time().timeout(Duration.ZERO);
      assertEquals(0, time().waiterCount());
      sleep(40);
    });
    assertEquals(ms(44), clock.elapsed());
  }

  @Test
  void timeout_again_replaces() {
    run(() -> {
      timeout(10);
      sleep(4);
      timeout(10);
      assertEquals(1, time().waiterCount());
      sleep(9);
      assertThrows(TimedOutException.class, () -> sleep(2));
      assertEquals(ms(14), clock.elapsed());
    });
  }

  @Test
  void timeoutOf_armedReplacedAndTakenBack_whatIsInForce() {
    run(() -> {
      Task<?> self = scheduler().currentTask();
      assertEquals(Optional.empty(), time().timeoutOf(self));
      timeout(10);
      sleep(4);
      assertEquals(ms(6), time().timeoutOf(self).orElseThrow().minus(time().now()));
      timeout(20);
      assertEquals(ms(20), time().timeoutOf(self).orElseThrow().minus(time().now()));
      time().timeout(Duration.ZERO);
      assertEquals(Optional.empty(), time().timeoutOf(self));
    });
  }

  @Test
  void timeoutOf_anotherTask_itsOwn() {
    Task<Void> limited =
        scheduler()
            .spawn(() -> {
              timeout(5);
              assertThrows(TimedOutException.class, () -> sleep(100));
              sleep(20);
            });
    run(() -> {
      Deadline start = time().now();
      sleep(3);
      assertEquals(Optional.of(start.plus(ms(5))), time().timeoutOf(limited));
      assertEquals(Optional.empty(), time().timeoutOf(scheduler().currentTask()));
      sleep(5);
      assertEquals(Optional.empty(), time().timeoutOf(limited), "it has failed a wait");
    });
  }

  @Test
  void timeoutOf_passedWhileTheTaskDidNotWait_inForceWithItsOwnDeadline() {
    run(() -> {
      Task<?> self = scheduler().currentTask();
      timeout(10);
      Optional<Deadline> deadline = time().timeoutOf(self);
      clock.skip(ms(25));
      scheduler().yield();
      scheduler().yield();
      assertEquals(deadline, time().timeoutOf(self));
      assertEquals(ms(-15), deadline.orElseThrow().minus(time().now()));
      assertThrows(TimedOutException.class, () -> sleep(10));
      assertEquals(Optional.empty(), time().timeoutOf(self));
    });
  }

  @Test
  void timeoutOf_taskHasEnded_none() {
    Task<Void> task = scheduler().spawn(() -> timeout(10));
    scheduler().start();
    assertTrue(task.isDone());
    assertEquals(Optional.empty(), time().timeoutOf(task));
    clock.advanceBy(ms(10));
  }

  @Test
  void timeoutOf_null_saysSo() {
    var e = assertThrows(NullPointerException.class, () -> time().timeoutOf(null));
    assertEquals("task is null", e.getMessage());
  }

  @Test
  void timeout_inSuspend_failsIt() {
    run(() -> {
      timeout(10);
      assertThrows(TimedOutException.class, () -> scheduler().suspend());
    });
    assertEquals(ms(10), clock.elapsed());
  }

  @Test
  void timeout_select_losersAreDisarmed() {
    run(() -> {
      timeout(10);
      assertThrows(
          TimedOutException.class,
          () -> scheduler().select(time().after(ms(20)), time().after(ms(30))));
      assertEquals(0, time().waiterCount());
    });
  }

  /// The wait is fired in the same step, just before the timeout, and keeps its value.
  @Test
  void timeout_taskReadyWhenItComes_eventIsKeptAndNextWaitFails() {
    run(() -> {
      Task<Void> waiter =
          scheduler()
              .spawn(() -> {
                timeout(10);
                log.add(scheduler().suspend());
                log("event");
                assertThrows(TimedOutException.class, () -> sleep(100));
                log("failed");
              });
      time()
          .at(
              scheduler().host().deadlineAfter(ms(10)),
              () -> scheduler().scheduleTask(waiter, "value"));
      waiter.join();
    });
    assertEquals(List.of("value", "event@10", "failed@10"), log);
  }

  @Test
  void timeout_taskNeverWaits_comesAtItsNextWait() {
    run(() -> {
      timeout(10);
      clock.skip(ms(25));
      scheduler().yield();
      scheduler().yield();
      assertThrows(TimedOutException.class, () -> sleep(10));
      assertEquals(ms(25), clock.elapsed());
    });
  }

  @Test
  void timeout_ofAnotherTask_isItsOwn() {
    scheduler()
        .spawn(() -> {
          timeout(5);
          assertThrows(TimedOutException.class, () -> sleep(100));
        });
    run(() -> {
      timeout(50);
      sleep(20);
      log("fine");
      time().timeout(Duration.ZERO);
    });
    assertEquals(List.of("fine@20"), log);
  }

  @Test
  void timeout_taskEnds_endsWithIt() {
    run(() -> timeout(10));
    assertEquals(Duration.ZERO, clock.elapsed());
    assertEquals(0, time().waiterCount());
  }

  @Test
  void timeout_atTheEndOfAGroup_failsThereAndCancelsItsTasks() {
    run(() -> {
      timeout(10);
      var group = scheduler().<Object>newGroup("group");
      assertThrows(
          TimedOutException.class,
          () -> group.run(() -> group.spawn("child", () -> sleepUntilCancelled())));
      log("group is over");
      sleep(50);
      log("slept");
    });
    assertEquals(List.of("cancelled@10", "group is over@10", "slept@60"), log);
  }

  @Test
  void timeout_whileTheTasksOfAGroupCleanUp_groupWaitsAndFails() {
    run(() -> {
      timeout(20);
      var group = scheduler().<Object>newGroup("group");
      var thrown =
          assertThrows(
              TimedOutException.class,
              () ->
                  group.run(() -> {
                    group.spawn(
                        "child",
                        () -> {
                          try {
                            sleepUntilCancelled();
                          } finally {
                            scheduler().shielded(() -> sleep(30));
                            log("clean");
                          }
                        });
                    sleep(10);
                    throw new IllegalStateException("on purpose");
                  }));
      assertEquals("on purpose", thrown.getSuppressed()[0].getMessage());
      log("group is over");
      sleep(50);
    });
    assertEquals(List.of("cancelled@10", "clean@40", "group is over@40"), log);
    assertEquals(ms(90), clock.elapsed());
  }

  private void sleepUntilCancelled() {
    try {
      sleep(1_000);
    } catch (TaskCancelled e) {
      log("cancelled");
      throw e;
    }
  }

  @Test
  void timeout_cancelledTask_staysCancelled() {
    Task<Void> task =
        scheduler()
            .spawn(() -> {
              timeout(10);
              sleep(100);
            });
    run(() -> {
      sleep(5);
      task.cancel("test");
      sleep(20);
    });
    assertTrue(task.isCancelled());
  }

  @Test
  void timeout_badArguments_refused() {
    var e = assertThrows(IllegalStateException.class, () -> timeout(1));
    assertEquals(
        "timeout(..) outside a task: it limits the waits of the task that calls it",
        e.getMessage());
    run(() -> {
      timeout(10);
      var negative = assertThrows(IllegalArgumentException.class, () -> timeout(-1));
      assertEquals("limit must not be negative, but is -1 ms", negative.getMessage());
      assertThrows(NullPointerException.class, () -> time().timeout(null));
      assertThrows(TimedOutException.class, () -> sleep(20));
      time().timeout(Duration.ofSeconds(Long.MAX_VALUE));
      sleep(1_000);
      time().timeout(Duration.ZERO);
      time().timeout(Duration.ZERO);
    });
  }

  @Test
  void timeout_takenOutWithAValue_valueIsKeptAndNextWaitFails() {
    Task<Void> waiter =
        scheduler()
            .spawn(() -> {
              timeout(10);
              log.add(String.valueOf(scheduler().suspend()));
              assertThrows(TimedOutException.class, () -> sleep(100));
              log("failed");
            });
    scheduler().step();
    assertTrue(scheduler().scheduleTask(waiter, "event"));
    assertTrue(scheduler().queue().unschedule(waiter));
    clock.advanceBy(ms(20));
    assertTrue(scheduler().scheduleTask(waiter));
    scheduler().start();
    assertEquals(List.of("event", "failed@20"), log);
  }

  /// A limit that cannot strike does not count as a timer, because it cannot wake the task.
  @Test
  void timeout_takenOutWithAValueAndNeverScheduled_isADeadlock() {
    Task<Void> waiter =
        scheduler()
            .spawn(() -> {
              timeout(10);
              log.add(String.valueOf(scheduler().suspend()));
              assertThrows(TimedOutException.class, () -> sleep(100));
              log("failed");
            });
    scheduler().step();
    assertTrue(scheduler().scheduleTask(waiter, "event"));
    assertTrue(scheduler().queue().unschedule(waiter));
    assertThrows(DeadlockException.class, () -> scheduler().start());
    assertEquals(ms(10), clock.elapsed());
    assertEquals(0, time().waiterCount());
    assertTrue(scheduler().scheduleTask(waiter));
    scheduler().start();
    assertEquals(List.of("event", "failed@10"), log);
  }

  @Test
  void timeout_removedOrReplacedWhenItCouldNotStrike_doesNotStrikeLater() {
    run(() -> {
      timeout(10);
      clock.skip(ms(25));
      scheduler().yield();
      scheduler().yield();
      timeout(20);
      sleep(15);
      timeout(10);
      clock.skip(ms(25));
      scheduler().yield();
      scheduler().yield();
      timeout(0);
      sleep(15);
    });
    assertEquals(ms(80), clock.elapsed());
  }
}
