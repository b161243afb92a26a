package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Waits for predicates; the handlers are in [WheneverTest].
final class WaitForConditionTest extends ConditionFixture {

  // The add-on.

  @Test
  void on_calledTwice_sameAddOn() {
    assertSame(conditions, WaitForCondition.on(scheduler));
  }

  @Test
  void anyMethod_null_saysSo() {
    assertEquals("scheduler is null", message(() -> WaitForCondition.on(null)));
    assertEquals("predicate is null", message(() -> conditions.condition((BooleanSupplier) null)));
    assertEquals(
        "predicate is null",
        message(() -> conditions.condition((Supplier<Optional<String>>) null)));
    assertEquals("predicate is null", message(() -> conditions.when(null, () -> {})));
    assertEquals("action is null", message(() -> conditions.when(() -> true, null)));
    assertEquals("predicate is null", message(() -> conditions.whenever(null, () -> {})));
    assertEquals("action is null", message(() -> conditions.whenever(() -> true, null)));
    assertEquals(
        "signalName is null", message(() -> conditions.signalOnPredicate(() -> true, null)));
    assertEquals("task is null", message(() -> WaitForCondition.taskIsFinished(null)));
  }

  private static String message(Executable code) {
    return assertThrows(NullPointerException.class, code).getMessage();
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    var thrown = new ArrayList<WrongThreadException>();
    Thread.ofPlatform()
        .start(() -> {
          thrown.add(assertThrows(WrongThreadException.class, conditions::waiterCount));
          thrown.add(
              assertThrows(
                  WrongThreadException.class, () -> conditions.when(() -> true, () -> {})));
        })
        .join();
    assertEquals(2, thrown.size());
  }

  @Test
  void waitFor_outsideOfATask_saysSo() {
    assertThrows(IllegalStateException.class, () -> conditions.waitFor(() -> true));
  }

  // Waiting.

  @Test
  void waitFor_trueAlready_givesWayOnce() {
    scheduler.spawn(() -> {
      log("before");
      conditions.waitFor(() -> true);
      log("after");
    });
    scheduler.spawn(() -> log("other"));
    scheduler.start();
    assertEquals(List.of("before@0", "other@0", "after@0"), log);
  }

  @Test
  void waitFor_otherTaskMakesItTrue_sameInstant() {
    waiter("waiter", 1);
    run(() -> {
      time.sleep(Duration.ofSeconds(1));
      level = 1;
      time.sleep(Duration.ofSeconds(1));
    });
    assertEquals(List.of("waiter@1000"), log);
  }

  @Test
  void waitFor_severalBecomeTrue_registrationOrder() {
    waiter("c", 3);
    waiter("a", 1);
    waiter("b", 1);
    run(() -> {
      scheduler.yield();
      level = 1;
      time.sleep(ms(1));
      level = 3;
    });
    assertEquals(List.of("a@0", "b@0", "c@1"), log);
  }

  @Test
  void waitFor_othersReady_looksOncePerRound() {
    Task<Void> waiter = waiter("waiter", 1);
    run(() -> {
      scheduler.yield(); // entry
      int before = looks;
      for (int i = 1; i <= 100; i++) {
        scheduler.yield();
        assertEquals(before + i, looks);
      }
      waiter.cancel("test");
    });
  }

  @Test
  void waitFor_trueForOneRoundOnly_seen() {
    waiter("waiter", 1);
    run(() -> {
      time.sleep(ms(3));
      level = 1;
      scheduler.yield();
      level = 0;
      time.sleep(ms(3));
    });
    assertEquals(List.of("waiter@3"), log);
  }

  @Test
  void waitFor_aboutTime_seenSoonAfterAndExactlyAtTimers() {
    scheduler.spawn(() -> {
      conditions.waitFor(() -> clock.elapsed().compareTo(Duration.ofSeconds(3)) >= 0);
      assertTrue(clock.elapsed().compareTo(Duration.ofMillis(3_010)) <= 0);
      conditions.waitFor(() -> clock.elapsed().compareTo(Duration.ofSeconds(5)) >= 0);
      log("at the timer");
    });
    run(() -> time.sleep(Duration.ofSeconds(5)));
    assertEquals(List.of("at the timer@5000"), log);
  }

  @Test
  void waitFor_foreignThreadMakesItTrue_seen() throws InterruptedException {
    var flag = new AtomicBoolean();
    Thread other = Thread.ofPlatform().unstarted(() -> flag.set(true));
    scheduler.spawn(other::start);
    run(() -> conditions.waitFor(flag::get));
    other.join();
  }

  @Test
  void waitFor_predicateWithValue_delivered() {
    scheduler.spawn(() -> {
      String found =
          scheduler.await(
              conditions.condition(
                  () -> level < 2 ? Optional.empty() : Optional.of("level " + level)));
      log(found);
    });
    run(() -> {
      scheduler.yield();
      level = 1;
      time.sleep(ms(2));
      level = 2;
    });
    assertEquals(List.of("level 2@2"), log);
  }

  @Test
  void waitFor_throwsAtOnce_outOfTheCall() {
    var failure = new IllegalStateException("on purpose");
    run(() ->
        assertSame(
            failure,
            assertThrows(
                IllegalStateException.class,
                () ->
                    conditions.waitFor(
                        (BooleanSupplier)
                            () -> {
                              throw failure;
                            }))));
  }

  @Test
  void waitFor_throwsLater_failsItsOwnWaiterOnly() {
    var failure = new IllegalStateException("on purpose");
    waiter("before", 1);
    scheduler.spawn(() -> {
      assertSame(
          failure,
          assertThrows(
              IllegalStateException.class,
              () ->
                  conditions.waitFor(() -> {
                    if (level > 0) {
                      throw failure;
                    }
                    return false;
                  })));
      log("thrower");
    });
    waiter("behind", 1);
    run(() -> {
      time.sleep(ms(1));
      level = 1;
    });
    assertEquals(List.of("before@1", "thrower@1", "behind@1"), log);
  }

  @Test
  void waitFor_answersNull_saysWhatToDo() {
    run(() -> {
      var e =
          assertThrows(
              NullPointerException.class,
              () -> scheduler.await(conditions.condition((Supplier<Optional<String>>) () -> null)));
      assertTrue(e.getMessage().contains("Optional.empty()"));
    });
  }

  @Test
  void waitFor_predicateSuspends_failsItsOwnWaiter() {
    run(() ->
        assertThrows(
            IllegalStateException.class,
            () ->
                conditions.waitFor(() -> {
                  scheduler.yield();
                  return false;
                })));
    run(() -> time.sleep(ms(1)));
  }

  /// The first look fails, too, even if the predicate would be true.
  @Test
  void waitFor_predicateSuspendsInItsFirstLook_failsAndNoOtherTaskRuns() {
    var ran = new ArrayList<String>();
    run(() -> {
      scheduler.spawn(() -> {
        ran.add("other");
      });
      for (Runnable suspending :
          List.<Runnable>of(
              () -> scheduler.yield(),
              () -> time.sleep(ms(20)),
              () -> scheduler.suspend(),
              () -> scheduler.await(Waitable.always("there")))) {
        assertThrows(
            IllegalStateException.class,
            () -> {
              BooleanSupplier predicate =
                  () -> {
                    suspending.run();
                    return true;
                  };
              var _ = scheduler.select(conditions.condition(predicate), Waitable.never());
            });
      }
      assertEquals(List.of(), ran);
    });
    assertEquals(List.of("other"), ran);
  }

  @Test
  void waitFor_anyLook_thereIsNoWaitingTaskAround() {
    var seen = new ArrayList<Object>();
    run(() -> {
      Object self = scheduler.currentTask();
      conditions.waitFor(() -> {
        seen.add(scheduler.currentTask() == self);
        return seen.size() == 3;
      });
      assertEquals(self, scheduler.currentTask());
    });
    assertEquals(List.of(false, false, false), seen);
  }

  /// {@return whether a method of this class that waits is on the stack}
  private static boolean isWaitOnTheStack() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("waitInThisFrame")));
  }

  private void waitInThisFrame(BooleanSupplier predicate) {
    var _ = scheduler.select(Waitable.never(), conditions.condition(predicate));
  }

  @Test
  void waitFor_anyLook_theWaitingTaskIsNotOnTheStack() {
    var seen = new ArrayList<Boolean>();
    run(() ->
        waitInThisFrame(() -> {
          seen.add(isWaitOnTheStack());
          return seen.size() == 3;
        }));
    assertEquals(List.of(false, false, false), seen);
  }

  /// As under a monitor, or in a callback from native code.
  @Test
  void waitFor_stackCannotBeLeft_theFirstLookIsTakenOnIt() {
    run(() -> {
      var lock = new Object();
      synchronized (lock) {
        waitInThisFrame(() -> true);
      }
    });
  }

  @Test
  void waitFor_predicateFailsInItsFirstLook_theTaskReceivesThat() {
    run(() -> {
      Object self = scheduler.currentTask();
      var failure = new IllegalStateException("test");
      var thrown =
          assertThrows(
              IllegalStateException.class,
              () ->
                  waitInThisFrame(() -> {
                    throw failure;
                  }));
      assertSame(failure, thrown);
      assertSame(self, scheduler.currentTask());
    });
  }

  @Test
  void waitFor_cancelled_nothingLeft() {
    Task<Void> waiter = waiter("waiter", 1);
    run(() -> {
      scheduler.yield();
      assertEquals(1, conditions.waiterCount());
      waiter.cancel("test");
      assertEquals(0, conditions.waiterCount());
      level = 1;
    });
    assertEquals(List.of(), log);
  }

  @Test
  void waitFor_scheduledDirectly_fails() {
    Task<ScheduledDirectlyException> waiter =
        scheduler.spawn(() ->
            assertThrows(ScheduledDirectlyException.class, () -> conditions.waitFor(() -> false)));
    settle();
    assertTrue(scheduler.scheduleTask(waiter, true));
    assertEquals(0, conditions.waiterCount());
    scheduler.start();
    assertEquals(true, waiter.join().value());
  }

  @Test
  void start_noPredicateIsAwaitedAnyMore_deadlockIsSeen() {
    Task<Void> waiter = waiter("waiter", 1);
    Task<Void> stuck = scheduler.spawn(() -> scheduler.await(Waitable.never()));
    settle();
    waiter.cancel("test");
    assertThrows(DeadlockException.class, () -> scheduler.start());
    assertEquals(Duration.ZERO, clock.elapsed());
    stuck.cancel("test");
    scheduler.start();
  }

  @Test
  void start_lastRegistrationCancelled_deadlockIsSeen() {
    HandlerRegistration registration = conditions.when(() -> atLeast(1), () -> log("never"));
    Task<Void> stuck = scheduler.spawn(() -> scheduler.await(Waitable.never()));
    settle(); // the add-on idles
    registration.cancel();
    assertThrows(DeadlockException.class, () -> scheduler.start());
    assertEquals(Duration.ZERO, clock.elapsed());
    stuck.cancel("test");
    scheduler.start();
  }

  // Predicates that change the list of waits during a pass.

  @Test
  void pass_predicateCancelsTheNext_thatIsNotLookedAt() {
    var doomed = new ArrayList<HandlerRegistration>();
    conditions.when(
        () -> {
          doomed.forEach(HandlerRegistration::cancel);
          return true;
        },
        () -> {});
    doomed.add(conditions.when(() -> log.add("doomed"), () -> {}));
    doomed.add(conditions.when(() -> log.add("doomed too"), () -> {}));
    conditions.when(() -> log.add("survivor"), () -> {});
    run(() -> {
      scheduler.yield();
      log.add("next round");
    });
    assertEquals(List.of("survivor", "next round"), log);
  }

  @Test
  void pass_predicateRegistersAnother_lookedAtInTheNextRound() {
    HandlerRegistration[] inner = new HandlerRegistration[1];
    HandlerRegistration outer =
        conditions.when(
            () -> {
              log.add("outer");
              inner[0] = conditions.when(() -> log.add("inner"), () -> {});
              return true;
            },
            () -> {});
    conditions.when(() -> log.add("behind"), () -> {});
    run(() -> {
      for (int i = 0; i < 3; i++) {
        log.add("round");
        scheduler.yield();
      }
    });
    assertEquals(List.of("outer", "behind", "round", "inner", "round", "round"), log);
    assertFalse(outer.isActive());
    assertFalse(inner[0].isActive());
  }

  @Test
  void pass_predicateEndsItsOwnWait_isNotLookedAtNorWatchedAnyMore() {
    var cell = new Cell<>(scheduler, "cell", 0);
    var tasks = new ArrayList<Task<Void>>();
    for (boolean watched : new boolean[] {true, false}) {
      tasks.add(
          scheduler.spawn(() ->
              conditions.waitFor(() -> {
                if (watched) {
                  cell.get();
                }
                if (level == 1) {
                  tasks.get(watched ? 0 : 1).cancel("by its own predicate");
                }
                return false;
              })));
    }
    run(() -> {
      scheduler.yield();
      level = 1;
      cell.changed();
      tasks.forEach(task -> assertThrows(CancellationException.class, task::join));
    });
    assertEquals(0, cell.readers());
    Task<Void> stuck = scheduler.spawn(() -> scheduler.await(Waitable.never()));
    assertThrows(DeadlockException.class, () -> scheduler.start());
    stuck.cancel("test");
    scheduler.start();
  }

  // As a Waitable.

  @Test
  void select_timerWins_predicateIsForgotten() {
    run(() -> {
      var won = scheduler.<Object>select(conditions.condition(() -> atLeast(1)), time.after(ms(5)));
      assertEquals(1, won.index());
      assertEquals(0, conditions.waiterCount());
    });
    assertEquals(ms(5), clock.elapsed());
  }

  @Test
  void select_predicateIsTrue_winsAndTimerIsForgotten() {
    run(() -> {
      var won = scheduler.<Object>select(time.after(ms(5)), conditions.condition(() -> level == 0));
      assertEquals(1, won.index());
      assertEquals(true, won.value());
      assertEquals(0, time.waiterCount());
    });
    assertEquals(Duration.ZERO, clock.elapsed());
  }

  @Test
  void await_timeout_leavesNothing() {
    run(() -> {
      assertThrows(
          TimedOutException.class,
          () -> scheduler.await(conditions.condition(() -> atLeast(1)), ms(5)));
      assertEquals(0, conditions.waiterCount());
    });
    assertEquals(ms(5), clock.elapsed());
  }

  // Tasks as conditions.

  @Test
  void taskIsFinished_asAPredicate_trueAtTheEnd() {
    Task<Void> task = scheduler.spawn(() -> time.sleep(ms(5)));
    run(() -> {
      conditions.waitFor(WaitForCondition.taskIsFinished(task));
      log("finished");
    });
    assertEquals(List.of("finished@5"), log);
  }

  @Test
  void join_ofATaskWhosePredicateThrew_throwsTheCause() {
    Task<Void> failing =
        scheduler.spawn(() ->
            conditions.waitFor(() -> {
              if (level == 1) {
                throw new IllegalStateException("on purpose");
              }
              return false;
            }));
    run(() -> {
      scheduler.yield();
      level = 1;
      var e = assertThrows(TaskFailedException.class, failing::join);
      assertEquals("on purpose", e.getCause().getMessage());
    });
  }
}
