package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TimerHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WaitForTimeTest extends OnEveryBackend {

  private static final Duration HUGE = Duration.ofSeconds(Long.MAX_VALUE);

  /// In nanoseconds: one more is for ever.
  private static final long LONGEST = Duration.ofDays(146 * 365).toNanos();

  // The add-on.

  @Test
  void on_calledTwice_sameAddOn() {
    assertSame(time(), WaitForTime.on(scheduler()));
    assertSame(time(), scheduler().host().addOn(WaitForTime.class));
  }

  @Test
  void on_null_saysSo() {
    var e = assertThrows(NullPointerException.class, () -> WaitForTime.on(null));
    assertEquals("scheduler is null", e.getMessage());
  }

  @Test
  void tasksPending_sleepersAndTimers_countedUntilTheyFire() {
    assertEquals(0, time().waiterCount());
    time().delay(ms(3), () -> {});
    scheduler().spawn(() -> sleep(2));
    scheduler().spawn(() -> sleep(1));
    clock.advanceBy(Duration.ZERO);
    assertEquals(3, time().waiterCount());
    clock.advanceBy(ms(2));
    assertEquals(1, time().waiterCount());
    assertTrue(time().waiterCount() > 0);
    clock.advanceBy(ms(1));
    assertEquals(0, time().waiterCount());
  }

  private Optional<Deadline> nextDeadline() {
    return Optional.ofNullable(time().alarms().nextDeadlineNanos()).map(Deadline::new);
  }

  @Test
  void nextDeadline_timersArmedAndDisarmed_theEarliest() {
    assertEquals(Optional.empty(), nextDeadline());
    Deadline start = time().now();
    Timer late = time().delay(ms(9), () -> {});
    Timer early = time().delay(ms(3), () -> {});
    assertEquals(Optional.of(start.plus(ms(3))), nextDeadline());
    early.cancel();
    assertEquals(Optional.of(start.plus(ms(9))), nextDeadline());
    late.cancel();
    assertEquals(Optional.empty(), nextDeadline());
  }

  @Test
  void nextDeadline_passedButNotFired_isStillTheNext() {
    Deadline start = time().now();
    time().delay(ms(3), () -> {});
    clock.skip(ms(5));
    assertEquals(Optional.of(start.plus(ms(3))), nextDeadline());
    clock.advanceBy(Duration.ZERO);
    assertEquals(Optional.empty(), nextDeadline());
  }

  @Test
  void nextDeadline_inATimerAction_countsThoseThatAreDueWithIt() {
    Deadline due = time().now().plus(ms(3));
    TimerHandle[] third = new TimerHandle[1];
    time().at(due.nanos(), () -> log.add(nextDeadline()));
    time()
        .at(
            due.nanos(),
            () -> {
              third[0].cancel();
              log.add(nextDeadline());
            });
    third[0] = time().at(due.nanos(), () -> log.add("cancelled"));
    clock.advanceBy(ms(3));
    assertEquals(List.of(Optional.of(due), Optional.empty()), log);
  }

  @Test
  void step_byHand_firesWhatIsDue() {
    scheduler().spawn(() -> sleep(1));
    scheduler().spawn(() -> sleep(2));
    clock.advanceBy(Duration.ZERO);
    assertEquals(0, time().step());
    clock.skip(ms(1));
    assertEquals(1, time().step());
    clock.skip(ms(1));
    assertEquals(1, time().step());
    assertEquals(0, time().step());
    clock.advanceBy(Duration.ZERO);
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    WaitForTime time = time();
    var thrown = new ArrayList<WrongThreadException>();
    Thread.ofPlatform()
        .start(() -> {
          thrown.add(assertThrows(WrongThreadException.class, time::waiterCount));
          thrown.add(assertThrows(WrongThreadException.class, time::step));
          thrown.add(assertThrows(WrongThreadException.class, () -> time.at(0, () -> {})));
          thrown.add(assertThrows(WrongThreadException.class, () -> time.delay(ms(1), () -> {})));
        })
        .join();
    assertEquals(4, thrown.size());
  }

  // Sleeping.

  @Test
  void sleep_severalTasks_wakeInDeadlineOrder() {
    scheduler()
        .spawn(() -> {
          sleep(30);
          log("c");
        });
    scheduler()
        .spawn(() -> {
          sleep(10);
          log("a");
          sleep(10);
          log("b");
        });
    scheduler().start();
    assertEquals(List.of("a@10", "b@20", "c@30"), log);
  }

  @Test
  void sleep_equalDeadlines_armingOrder() {
    for (int i = 0; i < 20; i++) {
      int n = i;
      scheduler()
          .spawn(() -> {
            sleep(5);
            log.add(n);
          });
    }
    scheduler().start();
    assertEquals(IntStream.range(0, 20).boxed().toList(), log);
  }

  @Test
  void sleep_anHour_noTimeAtAll() {
    run(() -> time().yield(Duration.ofHours(1)));
    assertEquals(Duration.ofHours(1), clock.elapsed());
  }

  @Test
  void sleep_zero_plainYield() {
    scheduler()
        .spawn(() -> {
          log("a1");
          time().sleep(Duration.ZERO);
          log("a2");
        });
    scheduler()
        .spawn(() -> {
          log("b1");
          scheduler().yield();
          log("b2");
        });
    scheduler().start();
    assertEquals(List.of("a1@0", "b1@0", "a2@0", "b2@0"), log);
  }

  @Test
  void sleep_negative_refused() {
    run(() -> {
      var e = assertThrows(IllegalArgumentException.class, () -> sleep(-1));
      assertEquals("duration must not be negative, but is -1 ms", e.getMessage());
    });
  }

  @Test
  void sleep_null_saysSo() {
    run(() -> {
      var e = assertThrows(NullPointerException.class, () -> time().sleep(null));
      assertEquals("duration is null", e.getMessage());
    });
  }

  @Test
  void sleep_shortBesideHuge_shortOneFires() {
    Task<Void> sleeper = scheduler().spawn(() -> time().sleep(HUGE));
    clock.advanceBy(Duration.ZERO);
    clock.advanceBy(Duration.ofDays(1));
    scheduler().spawn(() -> sleep(5));
    clock.advanceBy(ms(5));
    assertEquals(1, time().waiterCount());
    sleeper.cancel("test");
    clock.advanceBy(Duration.ZERO);
  }

  @Test
  void sleep_outsideOfATask_saysSo() {
    assertThrows(IllegalStateException.class, () -> sleep(1));
  }

  @Test
  void sleep_cancelled_nothingStaysArmed() {
    Task<Void> sleeper =
        scheduler()
            .spawn(() -> {
              try {
                sleep(1_000);
              } catch (TaskCancelled e) {
                log("cancelled");
                throw e;
              }
            });
    run(() -> {
      sleep(1);
      sleeper.cancel("test");
      assertEquals(0, time().waiterCount());
    });
    assertEquals(List.of("cancelled@1"), log);
    assertEquals(ms(1), clock.elapsed());
  }

  @Test
  void sleep_scheduledDirectly_failsWithoutItsTimer() {
    Task<Void> sleeper =
        scheduler()
            .spawn(() -> {
              assertThrows(ScheduledDirectlyException.class, () -> sleep(10));
              log("first");
              sleep(10);
              log("second");
            });
    run(() -> {
      sleep(5);
      assertTrue(scheduler().scheduleTask(sleeper));
    });
    assertEquals(List.of("first@5", "second@15"), log);
  }

  @Test
  void yieldUntilTime_pastOrHugePast_plainYield() {
    run(() -> {
      long now = clock.read();
      time().yieldUntilTime(new Deadline(now));
      time().yieldUntilTime(new Deadline(now - 1));
      time().yieldUntilTime(new Deadline(now + Long.MIN_VALUE));
    });
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void yieldUntilTime_future_comesThen() {
    run(() -> time().yieldUntilTime(time().now().plus(ms(7))));
    assertEquals(ms(7), clock.elapsed());
  }

  @Test
  void sleep_longTurnOfAnother_lateNeverEarly() {
    scheduler()
        .spawn(() -> {
          sleep(10);
          log("late");
        });
    run(() -> clock.skip(ms(25)));
    assertEquals(List.of("late@25"), log);
  }

  @Test
  void sleep_besideABusyTask_wakes() {
    var awake = new boolean[1];
    scheduler()
        .spawn(() -> {
          sleep(10);
          awake[0] = true;
        });
    run(() -> {
      for (int i = 0; i < 100_000 && !awake[0]; i++) {
        clock.skip(Duration.ofNanos(1_000));
        scheduler().yield();
      }
      assertTrue(awake[0]);
    });
  }

  // Selecting.

  @Test
  void after_inASelect_losersAreDisarmed() {
    run(() -> {
      var won = scheduler().select(time().after(ms(20)), time().after(ms(10)), Waitable.never());
      assertEquals(1, won.index());
      assertEquals(0, time().waiterCount());
    });
    assertEquals(ms(10), clock.elapsed());
  }

  @Test
  void after_bothDueAtOnce_oneFires() {
    run(() -> {
      var won = scheduler().select(time().after(ms(10)), time().after(ms(10)));
      assertEquals(0, won.index());
      assertEquals(0, time().waiterCount());
      sleep(10);
    });
    assertEquals(ms(20), clock.elapsed());
  }

  @Test
  void after_awaitedTwice_countsFromEachWait() {
    Waitable<Void> tenMillis = time().after(ms(10));
    run(() -> {
      scheduler().await(tenMillis);
      scheduler().await(tenMillis);
    });
    assertEquals(ms(20), clock.elapsed());
  }

  @Test
  void at_passed_thereAtOnce() {
    Waitable<Void> instant = time().at(time().now().plus(ms(10)));
    run(() -> {
      scheduler().await(instant);
      scheduler().await(instant);
    });
    assertEquals(ms(10), clock.elapsed());
  }

  // Limits, which use the TimerService.

  @Test
  void await_timeout_failsInTimeAndLeavesNothing() {
    run(() -> {
      assertThrows(TimedOutException.class, () -> scheduler().await(Waitable.never(), ms(10)));
      assertEquals(0, time().waiterCount());
    });
    assertEquals(ms(10), clock.elapsed());
  }

  @Test
  void await_inTime_timerGoneAndClockDoesNotGoThere() {
    Task<Void> ten = scheduler().spawn(() -> sleep(10));
    run(() -> {
      scheduler().await(ten, Duration.ofHours(1));
      assertEquals(0, time().waiterCount());
    });
    assertEquals(ms(10), clock.elapsed());
  }

  @Test
  void within_tooLong_timeout() {
    run(() -> {
      assertThrows(
          TimedOutException.class,
          () ->
              scheduler()
                  .within(
                      ms(10),
                      () -> {
                        sleep(1_000);
                        return null;
                      }));
      assertEquals(ms(10), clock.elapsed());
    });
  }

  @Test
  void cancelledTimer_tasksThatNothingCanWake_deadlockAtOnce() {
    Task<Void> ten = scheduler().spawn(() -> sleep(10));
    Task<Void> stuck =
        scheduler()
            .spawn(() -> {
              scheduler().await(ten, Duration.ofHours(1));
              scheduler().await(Waitable.never());
            });
    assertThrows(DeadlockException.class, () -> scheduler().start());
    assertEquals(ms(10), clock.elapsed());
    stuck.cancel("test");
    scheduler().start();
  }

  // The TimerService.

  @Test
  void at_action_runsOnceAtItsInstant() {
    var alarm = time().at(scheduler().host().deadlineAfter(ms(5)), () -> log("alarm"));
    run(() -> sleep(20));
    assertEquals(List.of("alarm@5"), log);
    assertFalse(alarm.cancel());
  }

  @Test
  void cancel_ofAnAlarmThatIsDueInTheSameStep_doesNotRun() {
    long deadline = scheduler().host().deadlineAfter(ms(5));
    var alarms = new TimerHandle[2];
    alarms[0] = time().at(deadline, () -> log.add(alarms[1].cancel()));
    alarms[1] = time().at(deadline, () -> log("second"));
    run(() -> sleep(10));
    assertEquals(List.of(true), log);
    assertFalse(alarms[1].cancel());
  }

  @Test
  void at_actionArmsAnotherThatIsDue_nextStep() {
    long deadline = scheduler().host().deadlineAfter(ms(5));
    time()
        .at(
            deadline,
            () -> {
              log("first");
              time().at(deadline - 1, () -> log("third"));
            });
    time().at(deadline, () -> log("second"));
    run(() -> sleep(10));
    assertEquals(List.of("first@5", "second@5", "third@5"), log);
  }

  @Test
  void at_actionFails_isReportedAndTheOthersFire() {
    long deadline = scheduler().host().deadlineAfter(ms(5));
    var failure = new IllegalStateException("on purpose");
    time()
        .at(
            deadline,
            () -> {
              throw failure;
            });
    time().at(deadline, () -> log("second"));
    run(() -> sleep(10));
    assertEquals(List.of(failure), takeFailures());
    assertEquals(List.of("second@5"), log);
  }

  @Test
  void at_instantsOfAnySize_ordered() {
    long now = time().nowNanos();
    for (long distance : new long[] {Long.MIN_VALUE, -5, 5, LONGEST, 0, Long.MIN_VALUE + 1}) {
      time().at(now + distance, () -> log.add(distance));
    }
    TimerHandle forEver = time().at(now + Long.MAX_VALUE, () -> log.add("never"));
    run(() -> time().sleep(Duration.ofNanos(LONGEST)));
    assertEquals(List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -5L, 0L, 5L, LONGEST), log);
    assertTrue(forEver.cancel());
  }

  @Test
  void toString_whatIsAwaited_readsWellBeforeAndAfterItsInstant() {
    Waitable<Void> event = time().at(time().now().plus(ms(10)));
    assertEquals("the instant in 10 ms", event.toString());
    clock.skip(ms(10));
    assertEquals("the instant now", event.toString());
    clock.skip(ms(5));
    assertEquals("the instant 5 ms ago", event.toString());
    assertEquals("the end of 2 s", time().after(Duration.ofSeconds(2)).toString());
    var sleeper = scheduler().spawn(() -> sleep(10));
    clock.advanceBy(Duration.ZERO);
    clock.skip(ms(11));
    assertEquals(
        "the instant 1 ms ago",
        scheduler().tasks().stream()
            .filter(task -> task.id() == sleeper.id())
            .findFirst()
            .orElseThrow()
            .waitingFor());
    scheduler().start();
  }

  @Test
  void at_nullAction_saysSo() {
    var e = assertThrows(NullPointerException.class, () -> time().at(0, null));
    assertNotNull(e.getMessage());
  }

  // Postponing.

  @Test
  void postpone_readyTask_runsThen() {
    Task<Void> task = scheduler().spawn(() -> log("ran"));
    assertTrue(time().postpone(task, time().now().plus(ms(10))));
    assertEquals(TaskState.WAITING, task.taskState());
    scheduler().start();
    assertEquals(List.of("ran@10"), log);
  }

  @Test
  void postpone_again_replaces() {
    Task<Void> task = scheduler().spawn(() -> log("ran"));
    assertTrue(time().postpone(task, time().now().plus(ms(10))));
    assertTrue(time().postpone(task, time().now().plus(ms(5))));
    assertEquals(1, time().waiterCount());
    scheduler().start();
    assertEquals(List.of("ran@5"), log);
  }

  @Test
  void postpone_sleepingTask_replacesItsSleep() {
    Task<Void> sleeper =
        scheduler()
            .spawn(() -> {
              sleep(10);
              log("ran");
            });
    run(() -> time().postpone(sleeper, time().now().plus(ms(30))));
    assertEquals(List.of("ran@30"), log);
  }

  @Test
  void postpone_sleepIsOver_waitsAgain() {
    Task<Void> sleeper =
        scheduler()
            .spawn(() -> {
              sleep(10);
              log("ran");
            });
    scheduler().step();
    clock.skip(ms(10));
    while (sleeper.taskState() != TaskState.READY) {
      assertTrue(scheduler().step());
    }
    assertTrue(time().postpone(sleeper, time().now().plus(ms(10))));
    scheduler().start();
    assertEquals(List.of("ran@20"), log);
  }

  @Test
  void postpone_hasReceived_falseAndItIsNotLost() {
    var task = scheduler().spawn(() -> log.add(String.valueOf(scheduler().suspend())));
    scheduler().step();
    assertTrue(scheduler().scheduleTask(task, "value"));
    assertFalse(time().postpone(task, time().now().plus(ms(10))));
    assertFalse(time().postpone(task, time().now()));
    scheduler().start();
    assertEquals(List.of("value"), log);
  }

  @Test
  void postpone_instantHasPassed_runsInTheSameRound() {
    Task<Void> postponed =
        scheduler()
            .newTask(
                "B",
                () -> {
                  log.add("B");
                });
    scheduler()
        .spawn(() -> {
          log.add("A");
          assertTrue(time().postpone(postponed, time().now()));
          assertEquals(TaskState.READY, postponed.taskState());
        });
    for (int i = 0; i < 2; i++) {
      scheduler()
          .spawn(() -> {
            log.add("x");
            scheduler().yield();
            log.add("y");
          });
    }
    scheduler().start();
    assertEquals(List.of("A", "x", "x", "B", "y", "y"), log);
  }

  @Test
  void postpone_runningOrEndedTask_false() {
    Task<Void> ended = scheduler().spawn(() -> {});
    run(() -> {
      scheduler().yield();
      assertFalse(time().postpone(scheduler().currentTask(), time().now().plus(ms(1))));
      assertFalse(time().postpone(ended, time().now().plus(ms(1))));
    });
  }

  @Test
  void close_sleepersAndTimers_allEnd() {
    Scheduler scheduler = scheduler();
    scheduler.spawn(() -> sleep(10));
    Timer delay = time().delay(ms(20), () -> log("never"));
    Timer periodic = time().periodic(ms(1), () -> log("tick"));
    clock.advanceBy(ms(1));
    scheduler.close();
    assertEquals(List.of("tick@1"), log);
    assertFalse(delay.isActive());
    assertFalse(periodic.isActive());
    assertEquals(0, time().waiterCount());
    assertEquals(0, scheduler.tasks().size());
    assertThrows(IllegalStateException.class, delay::restart);
    closedByTheTest = true;
  }
}
