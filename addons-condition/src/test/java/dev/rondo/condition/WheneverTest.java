package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.Waitable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// [WaitForCondition#when], [WaitForCondition#whenever] and [WaitForCondition#signalOnPredicate].
final class WheneverTest extends ConditionFixture {

  @Test
  void signalOnPredicate_becomesTrue_wakesAllOnce() {
    HandlerRegistration registration = conditions.signalOnPredicate(() -> atLeast(1), "level");
    for (String name : List.of("a", "b")) {
      scheduler.spawn(() -> {
        scheduler.await(signals.signal("level"));
        log(name);
      });
    }
    run(() -> {
      time.sleep(ms(4));
      level = 1;
      time.sleep(ms(1));
    });
    assertEquals(List.of("a@4", "b@4"), log);
    assertFalse(registration.isActive());
  }

  @Test
  void signalOnPredicate_cancelled_silent() {
    HandlerRegistration registration = conditions.signalOnPredicate(() -> atLeast(1), "level");
    registration.cancel();
    assertEquals(0, conditions.waiterCount());
    level = 1;
    run(() ->
        assertThrows(
            TimedOutException.class, () -> scheduler.await(signals.signal("level"), ms(5))));
  }

  // When.

  @Test
  void when_becomesTrue_runsOnce() {
    HandlerRegistration registration = conditions.when(() -> atLeast(1), () -> log("when"));
    run(() -> {
      time.sleep(ms(2));
      level = 1;
      time.sleep(ms(2));
      level = 2;
      time.sleep(ms(2));
    });
    assertEquals(List.of("when@2"), log);
    assertFalse(registration.isActive());
    assertFalse(registration.cancel());
  }

  @Test
  void when_schedulerEndsBefore_survivesForTheNextRun() {
    conditions.when(() -> atLeast(1), () -> log("when"));
    scheduler.start();
    run(() -> time.sleep(ms(1)));
    assertEquals(List.of(), log);
    level = 1;
    run(() -> time.sleep(ms(1)));
    assertEquals(List.of("when@1"), log);
  }

  @Test
  void when_actionSuspends_othersGoOn() {
    conditions.when(
        () -> atLeast(1),
        () -> {
          time.sleep(ms(5));
          log("slow");
        });
    run(() -> {
      level = 1;
      time.sleep(ms(3));
      log("other");
      time.sleep(ms(3));
    });
    assertEquals(List.of("other@3", "slow@5"), log);
  }

  @Test
  void when_cancelledBeforeOrAfterItIsTrue_neverRuns() {
    HandlerRegistration before = conditions.when(() -> atLeast(1), () -> log("never"));
    assertTrue(before.cancel());
    assertFalse(before.cancel());
    assertEquals(0, conditions.waiterCount());
    HandlerRegistration[] after = new HandlerRegistration[2];
    after[0] = conditions.when(() -> atLeast(1), () -> log.add(after[1].cancel()));
    after[1] = conditions.when(() -> atLeast(1), () -> log("never"));
    level = 1;
    run(() -> time.sleep(ms(1)));
    assertEquals(List.of(true), log);
  }

  @Test
  void when_cancelledByItsOwnPredicate_neverRuns() {
    HandlerRegistration[] own = new HandlerRegistration[1];
    own[0] =
        conditions.when(
            () -> {
              own[0].cancel();
              return true;
            },
            () -> log("never"));
    run(() -> time.sleep(ms(1)));
    assertEquals(List.of(), log);
    assertFalse(own[0].isActive());
  }

  @Test
  void when_predicateThrows_endsAndIsReported() {
    var failure = new IllegalStateException("on purpose");
    HandlerRegistration registration =
        conditions.when(
            () -> {
              throw failure;
            },
            () -> log("never"));
    run(() -> time.sleep(ms(1)));
    assertEquals(List.of(failure), takeFailures());
    assertFalse(registration.isActive());
  }

  @Test
  void when_actionThrows_isReported() {
    var failure = new IllegalStateException("on purpose");
    conditions.when(
        () -> true,
        () -> {
          throw failure;
        });
    run(() -> time.sleep(ms(1)));
    assertEquals(List.of(failure), takeFailures());
  }

  // Whenever.

  @Test
  void whenever_staysTrue_runsAgainAndAgain() {
    HandlerRegistration registration =
        conditions.whenever(
            () -> level > 0,
            () -> {
              log("level " + level);
              level--;
            });
    run(() -> {
      level = 3;
      time.sleep(ms(5));
      level = 1;
      time.sleep(ms(5));
      assertTrue(registration.isActive());
      assertTrue(registration.cancel());
    });
    settle();
    assertEquals(List.of("level 3@0", "level 2@0", "level 1@0", "level 1@5"), log);
  }

  @Test
  void whenever_twoOfThem_takeTurns() {
    HandlerRegistration a = conditions.whenever(() -> level > 0, () -> log.add("a" + level--));
    HandlerRegistration b = conditions.whenever(() -> level > 0, () -> log.add("b" + level--));
    run(() -> {
      level = 6;
      time.sleep(ms(5));
    });
    assertEquals(List.of("a6", "b5", "a4", "b3", "a2", "b1"), log);
    a.cancel();
    b.cancel();
    settle();
  }

  @Test
  void whenever_actionSuspends_notReentered() {
    level = 1;
    HandlerRegistration registration =
        conditions.whenever(
            () -> level > 0,
            () -> {
              log("begin");
              time.sleep(ms(4));
              log("end");
            });
    run(() -> {
      time.sleep(ms(7));
      level = 0;
      time.sleep(ms(7));
    });
    assertEquals(List.of("begin@0", "end@4", "begin@4", "end@8"), log);
    registration.cancel();
    settle();
  }

  @Test
  void whenever_registersAgain_atTheBack() {
    level = 1;
    HandlerRegistration first = conditions.whenever(() -> level > 0, () -> log.add("first"));
    run(() -> {
      scheduler.yield();
      HandlerRegistration second = conditions.whenever(() -> level > 0, () -> log.add("second"));
      while (log.size() < 6) {
        scheduler.yield();
      }
      level = 0;
      first.cancel();
      second.cancel();
    });
    settle();
    int behind = log.indexOf("second");
    for (int i = behind; i < 6; i++) {
      assertEquals((i - behind) % 2 == 0 ? "second" : "first", log.get(i), log.toString());
    }
  }

  @Test
  void whenever_cancelByItsOwnAction_noFurtherRun() {
    level = 1;
    HandlerRegistration[] own = new HandlerRegistration[1];
    own[0] =
        conditions.whenever(
            () -> level > 0,
            () -> {
              log("run");
              assertTrue(own[0].cancel());
              time.sleep(ms(1));
              log("end");
            });
    run(() -> time.sleep(ms(5)));
    assertEquals(List.of("run@0", "end@1"), log);
  }

  @Test
  void whenever_actionThrows_endsAndIsReported() {
    var failure = new IllegalStateException("on purpose");
    HandlerRegistration registration =
        conditions.whenever(
            () -> true,
            () -> {
              if (++level == 3) {
                throw failure;
              }
            });
    run(() -> time.sleep(ms(5)));
    assertEquals(3, level);
    assertEquals(List.of(failure), takeFailures());
    assertFalse(registration.isActive());
  }

  @Test
  void whenever_predicateThrowsLater_endsAndIsReported() {
    var failure = new IllegalStateException("on purpose");
    HandlerRegistration registration =
        conditions.whenever(
            () -> {
              if (level == 2) {
                throw failure;
              }
              return true;
            },
            () -> level++);
    run(() -> time.sleep(ms(5)));
    assertEquals(List.of(failure), takeFailures());
    assertFalse(registration.isActive());
  }

  @Test
  void whenever_actionNeverReturns_noSecondRun() {
    HandlerRegistration registration =
        conditions.whenever(
            () -> true,
            () -> {
              log("run");
              scheduler.await(Waitable.never());
            });
    run(() -> time.sleep(ms(5)));
    assertEquals(List.of("run@0"), log);
    assertEquals(0, conditions.waiterCount());
    assertTrue(registration.cancel());
    scheduler.close();
    closedByTheTest = true;
  }

  @Test
  void close_waitersAndHandlers_allEnd() {
    Task<Void> waiter = waiter("waiter", 1);
    HandlerRegistration when = conditions.when(() -> atLeast(1), () -> log("never"));
    HandlerRegistration whenever = conditions.whenever(() -> atLeast(1), () -> log("never"));
    settle();
    scheduler.close();
    closedByTheTest = true;
    assertTrue(waiter.isCancelled());
    assertFalse(when.isActive());
    assertFalse(whenever.isActive());
    assertThrows(IllegalStateException.class, () -> conditions.when(() -> true, () -> {}));
  }

  @Test
  void when_trueWithTheEndOfTheLastTask_handlerRunsBeforeTheRunEnds() {
    Task<Void> last = scheduler.spawn(() -> scheduler.yield());
    conditions.when(
        WaitForCondition.taskIsFinished(last),
        () -> {
          log("handler");
          scheduler.stop();
        });
    scheduler.start();
    assertEquals(List.of("handler@0"), log);
  }

  // The last look is repeated: docs/inside/semantics.md, rule 47.

  @Test
  void when_madeTrueByTheHandlerOfTheLastLook_runsToo() {
    Task<Void> last = scheduler.spawn(() -> scheduler.yield());
    conditions.when(() -> atLeast(3), () -> log("third"));
    HandlerRegistration repeated =
        conditions.whenever(
            () -> atLeast(2),
            () -> {
              log("second");
              level = 3;
            });
    conditions.when(
        () -> atLeast(1),
        () -> {
          log("first");
          level = 2;
        });
    conditions.when(WaitForCondition.taskIsFinished(last), () -> level = 1);
    scheduler.start();
    assertEquals(List.of("first@0", "second@0", "third@0"), log.subList(0, 3));
    assertTrue(repeated.cancel());
    settle(); // its task ends
  }

  @Test
  void when_madeByTheHandlerOfTheLastLook_runsToo() {
    Task<Void> last = scheduler.spawn(() -> scheduler.yield());
    var isOver = WaitForCondition.taskIsFinished(last);
    conditions.when(
        isOver,
        () -> {
          log("first");
          conditions.when(
              isOver,
              () -> {
                log("second");
                conditions.when(isOver, () -> log("third"));
              });
        });
    scheduler.start();
    assertEquals(List.of("first@0", "second@0", "third@0"), log);
  }

  @Test
  void whenever_staysTrueAtTheEnd_theRunEnds() {
    Task<Void> last = scheduler.spawn(() -> scheduler.yield());
    HandlerRegistration registration =
        conditions.whenever(WaitForCondition.taskIsFinished(last), () -> log("again"));
    scheduler.start();
    assertEquals(List.of("again@0", "again@0"), log);
    scheduler.start(); // as at the end of the first run
    assertEquals(4, log.size());
    assertTrue(registration.cancel());
    settle(); // its task ends
  }

  @Test
  void when_handlerSpawnsATask_theRunGoesOnForIt() {
    Task<Void> last = scheduler.spawn(() -> scheduler.yield());
    conditions.when(
        WaitForCondition.taskIsFinished(last),
        () ->
            scheduler.spawn(() -> {
              time.sleep(ms(3));
              log("spawned");
            }));
    scheduler.start();
    assertEquals(List.of("spawned@3"), log);
  }

  @Test
  void start_predicateIsFalseAtTheEnd_endsAndTheHandlerSurvives() {
    var registration = conditions.when(() -> false, () -> log("never"));
    scheduler.spawn(() -> scheduler.yield());
    scheduler.start();
    assertTrue(registration.isActive());
    assertTrue(registration.cancel());
    scheduler.start();
    assertEquals(List.of(), log);
  }

  // With a value.

  private Optional<String> levelIfAtLeast(int bound) {
    return atLeast(bound) ? Optional.of("level " + level) : Optional.empty();
  }

  private void rise() {
    run(() -> {
      time.sleep(ms(2));
      level = 1;
      time.sleep(ms(2));
      level = 2;
      time.sleep(ms(2));
    });
  }

  @Test
  void when_predicateReturnsAValue_actionReceivesIt() {
    HandlerRegistration registration =
        conditions.when(() -> levelIfAtLeast(2), value -> log(value));
    rise();
    assertEquals(List.of("level 2@4"), log);
    assertFalse(registration.isActive());
  }

  @Test
  void whenever_predicateReturnsValues_actionReceivesEach() {
    HandlerRegistration registration =
        conditions.whenever(
            () -> levelIfAtLeast(1),
            value -> {
              log(value);
              level = 0;
              time.sleep(ms(1));
            });
    rise();
    assertEquals(List.of("level 1@2", "level 2@4"), log);
    assertTrue(registration.cancel());
    settle();
  }

  @Test
  void handlersWithValues_null_saysSo() {
    Supplier<Optional<String>> none = null;
    SignalHandler<String> noHandler = null;
    Supplier<Optional<String>> never = Optional::empty;
    assertEquals("predicate is null", message(() -> conditions.when(none, value -> {})));
    assertEquals("action is null", message(() -> conditions.when(never, noHandler)));
    assertEquals("predicate is null", message(() -> conditions.whenever(none, value -> {})));
    assertEquals("action is null", message(() -> conditions.whenever(never, noHandler)));
  }

  private static String message(Executable code) {
    return assertThrows(NullPointerException.class, code).getMessage();
  }

  @Test
  void when_predicateReturnsNull_endsAndIsReported() {
    Supplier<Optional<String>> wrong = () -> null;
    HandlerRegistration registration = conditions.when(wrong, value -> log("never"));
    run(() -> time.sleep(ms(1)));
    assertFalse(registration.isActive());
    assertEquals(
        "the predicate returned null; return Optional.empty() for 'not yet'",
        takeReported().getFirst().failure().getMessage());
    assertEquals(List.of(), log);
  }

  // A drain. docs/inside/semantics.md, rule 43.

  private void drainWhileTheLevelIsOne() {
    run(() -> {
      level = 1;
      time.sleep(ms(1));
      var _ = scheduler.shutdown(ms(50), ms(50));
      for (int i = 0; i < 3; i++) {
        signals.signalAll("go", null);
        time.sleep(ms(1));
      }
    });
  }

  @Test
  void whenever_drainBegins_runsNoMore() {
    HandlerRegistration registration =
        conditions.whenever(
            () -> atLeast(1),
            () -> {
              log("run");
              time.sleep(ms(2));
            });
    drainWhileTheLevelIsOne();
    assertEquals(List.of("run@0"), log);
    assertFalse(registration.isActive());
  }

  @Test
  void onSignal_drainBegins_runsNoMore() {
    HandlerRegistration registration = signals.signal("go").onSignal(_ -> log("run"));
    drainWhileTheLevelIsOne();
    assertEquals(List.of(), log);
    assertFalse(registration.isActive());
  }

  @Test
  void when_drainBegins_runs() {
    conditions.when(() -> atLeast(2), () -> log("run"));
    run(() -> {
      var _ = scheduler.shutdown(ms(50), ms(50));
      level = 2;
      time.sleep(ms(1));
    });
    assertEquals(List.of("run@0"), log);
  }
}
