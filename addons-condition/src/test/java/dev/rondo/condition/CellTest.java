package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.IdleStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Predicates that watch cells.
final class CellTest extends OnEveryBackend {

  /// A wait evaluates its predicate when it begins, and in the next round.
  private static final int LOOKS_AT_FIRST = 2;

  private Cell<Integer> a;
  private Cell<Integer> b;
  private int looks;

  @BeforeEach
  void makeCells() {
    a = new Cell<>(scheduler, "a", 0);
    b = new Cell<>(scheduler, "b", 0);
  }

  private Task<Void> waiter(String name, BooleanSupplier predicate) {
    return scheduler.spawn(
        name,
        () -> {
          conditions.waitFor(() -> {
            looks++;
            return predicate.getAsBoolean();
          });
          log(name);
        });
  }

  private void rounds(int n) {
    for (int i = 0; i < n; i++) {
      scheduler.yield();
    }
  }

  /// Asserts that the loop wakes up for timers only.
  private void refuseToPoll() {
    scheduler
        .host()
        .idleStrategy(
            new IdleStrategy() {
              @Override
              public void idleUntil(long deadlineNanos) {
                assertEquals(
                    0, (deadlineNanos - clock.read()) % ms(1).toNanos(), "a predicate is polled");
                clock.idleUntil(deadlineNanos);
              }

              @Override
              public void idle() {
                throw new AssertionError("there is always a deadline");
              }

              @Override
              public void wakeup() {
                clock.wakeup();
              }
            });
  }

  // When a predicate is evaluated.

  @Test
  void waitFor_cellsOnly_looksAgainWhenOneOfThemChanged() {
    waiter("w", () -> a.get() + b.get() >= 3);
    run(() -> {
      rounds(10);
      assertEquals(LOOKS_AT_FIRST, looks);
      a.set(1);
      rounds(10);
      assertEquals(LOOKS_AT_FIRST + 1, looks);
      b.set(1);
      a.set(2); // both before the next round: one evaluation
      rounds(10);
      assertEquals(LOOKS_AT_FIRST + 2, looks);
    });
    assertEquals(List.of("w@0"), log);
  }

  @Test
  void waitFor_cellsOnly_neverPolls() {
    refuseToPoll();
    waiter("w", () -> a.get() == 1);
    HandlerRegistration registration = conditions.when(() -> b.get() == 1, () -> log("when"));
    run(() -> {
      time.sleep(Duration.ofHours(1));
      a.set(1);
      time.sleep(Duration.ofHours(1));
      b.set(1);
      time.sleep(ms(1));
    });
    assertFalse(registration.isActive());
    assertEquals(LOOKS_AT_FIRST + 1, looks);
    assertEquals(List.of("w@3600000", "when@7200000"), log);
  }

  @Test
  void waitFor_otherCellChangedOrSameValueSet_isNotLookedAt() {
    waiter("w", () -> a.get() > 0);
    run(() -> {
      rounds(3);
      b.set(1);
      a.set(0);
      a.set(a.get());
      rounds(3);
      assertEquals(LOOKS_AT_FIRST, looks);
      a.set(a.get() + 1);
    });
    assertEquals(List.of("w@0"), log);
  }

  @Test
  void waitFor_readsOtherCellsThanBefore_watchesThoseAndNoOthers() {
    waiter("w", () -> a.get() == 0 ? b.get() == 9 : a.get() == 9);
    run(() -> {
      rounds(3);
      b.set(1);
      rounds(3);
      assertEquals(LOOKS_AT_FIRST + 1, looks);
      a.set(1); // b is no longer read
      rounds(3);
      assertEquals(LOOKS_AT_FIRST + 2, looks);
      b.set(2);
      rounds(3);
      assertEquals(LOOKS_AT_FIRST + 2, looks);
      a.set(0); // b is read again
      b.set(9);
    });
    assertEquals(List.of("w@0"), log);
  }

  @Test
  void waitFor_severalWatchOneCell_registrationOrderOthersIncluded() {
    int[] level = new int[1];
    waiter("1", () -> a.get() > 0);
    waiter("2", () -> level[0] > 0);
    waiter("3", () -> a.get() > 0);
    waiter("4", () -> level[0] > 0);
    run(() -> {
      rounds(3);
      a.set(1);
      level[0] = 1;
    });
    assertEquals(List.of("1@0", "2@0", "3@0", "4@0"), log);
  }

  @Test
  void waitFor_changedAndBackWithinARound_isNotSeen() {
    Task<Void> waiter = waiter("w", () -> a.get() > 0);
    run(() -> {
      rounds(3);
      a.set(1);
      a.set(0);
      rounds(3);
      assertFalse(waiter.isDone());
      a.set(1);
    });
  }

  @Test
  void changed_valueChangedInPlace_isLookedAt() {
    Cell<List<String>> list = new Cell<>(scheduler, "list", new ArrayList<>());
    waiter("w", () -> list.get().size() == 2);
    run(() -> {
      rounds(3);
      list.get().add("x");
      list.get().add("y");
      rounds(3);
      assertEquals(LOOKS_AT_FIRST, looks);
      list.changed();
    });
    assertEquals(List.of("w@0"), log);
  }

  @Test
  void whenever_overACell_runsForEveryLevel() {
    HandlerRegistration registration =
        conditions.whenever(() -> a.get() > 0, () -> a.set(a.get() - 1));
    run(() -> {
      a.set(3);
      rounds(20);
      assertEquals(0, a.get());
      a.set(1);
      rounds(20);
      assertEquals(0, a.get());
    });
    registration.cancel();
    settle();
  }

  @Test
  void waitFor_thousandOnOneCell_oneLookEachPerChange() {
    int many = 1_000;
    for (int i = 0; i < many; i++) {
      waiter("w", () -> a.get() == 2);
    }
    run(() -> {
      rounds(3);
      assertEquals(LOOKS_AT_FIRST * many, looks);
      a.set(1);
      rounds(5);
      assertEquals((LOOKS_AT_FIRST + 1) * many, looks);
      a.set(2);
    });
    assertEquals(many, log.size());
  }

  // Cells and other state.

  @Test
  void foreign_isRead_polls() {
    var flag = new AtomicBoolean();
    waiter("w", () -> a.get() > 0 && conditions.untracked(flag::get));
    run(() -> {
      rounds(5);
      assertEquals(LOOKS_AT_FIRST, looks); // not read yet
      a.set(1);
      rounds(5);
      assertEquals(LOOKS_AT_FIRST + 5, looks);
      a.set(0);
      rounds(5);
      int before = looks;
      rounds(5);
      assertEquals(before, looks); // no longer read
      a.set(1);
      time.sleep(ms(50));
      flag.set(true);
      time.sleep(ms(11));
    });
    assertEquals(1, log.size());
  }

  @Test
  void foreign_isRead_isNoDeadlock() {
    var deadline = clock.elapsed().plus(ms(100));
    waiter(
        "w",
        () -> a.get() == 0 && conditions.untracked(() -> clock.elapsed().compareTo(deadline) > 0));
    scheduler.start();
    assertEquals(1, log.size());
  }

  @Test
  void foreign_outsideOfAPredicate_justReads() {
    assertEquals(7, conditions.untracked(() -> 7));
  }

  // No task can change it.

  @Test
  void start_onlyPredicatesOfCellsLeft_deadlockNamesTheCells() {
    Task<Void> waiter = waiter("w", () -> a.get() + b.get() > 0);
    var deadlock = assertThrows(DeadlockException.class, () -> scheduler.start());
    assertTrue(
        deadlock.getMessage().contains("'w' WAITING for a predicate of cell 'a', cell 'b'"),
        deadlock.getMessage());
    assertEquals(Duration.ZERO, clock.elapsed());
    waiter.cancel("test");
    scheduler.start();
  }

  @Test
  void start_theLastPolledOneIsCancelled_deadlockIsSeenAtOnce() {
    HandlerRegistration polled = conditions.when(() -> false, () -> log("never"));
    Task<Void> watching = waiter("w", () -> a.get() > 0);
    settle(); // the add-on idles
    polled.cancel();
    assertThrows(DeadlockException.class, () -> scheduler.start());
    assertEquals(Duration.ZERO, clock.elapsed());
    watching.cancel("test");
    scheduler.start();
  }

  // Other state is read without untracked(..): the last look.

  @Test
  void start_trueForOtherStateThanItsCell_isNoDeadlock() {
    boolean[] flag = new boolean[1];
    waiter("w", () -> a.get() == 0 && flag[0]);
    run(() -> {
      rounds(3);
      flag[0] = true;
      rounds(3);
      assertEquals(LOOKS_AT_FIRST, looks); // only the last look finds it
    });
    assertEquals(List.of("w@0"), log);
    assertEquals(LOOKS_AT_FIRST + 1, looks);
  }

  @Test
  void start_eachLastLookMakesTheNextPredicateTrue_allGoOn() {
    int[] level = new int[1];
    for (int i = 3; i > 0; i--) {
      int mine = i;
      scheduler.spawn(() -> {
        conditions.waitFor(() -> a.get() == 0 && level[0] == mine);
        log("" + mine);
        level[0]++;
      });
    }
    run(() -> {
      rounds(3);
      level[0] = 1;
    });
    assertEquals(List.of("1@0", "2@0", "3@0"), log);
  }

  @Test
  void start_lastLookFindsNothing_looksOnceAndReports() {
    Task<Void> waiter = waiter("w", () -> a.get() == 1);
    for (int i = 1; i <= 2; i++) {
      assertThrows(DeadlockException.class, () -> scheduler.start());
      assertEquals(LOOKS_AT_FIRST + i, looks);
    }
    waiter.cancel("test");
    scheduler.start();
  }

  @Test
  void start_lastLookThrows_failsThatWaitAndReportsTheOther() {
    boolean[] fails = new boolean[1];
    scheduler.spawn(() -> {
      assertThrows(
          IllegalStateException.class,
          () ->
              conditions.waitFor(() -> {
                if (fails[0] && a.get() == 0) {
                  throw new IllegalStateException("on purpose");
                }
                return a.get() == 1;
              }));
      log("failed");
    });
    Task<Void> other = waiter("other", () -> a.get() == 1);
    scheduler.spawn(() -> {
      rounds(3);
      fails[0] = true;
    });
    var deadlock = assertThrows(DeadlockException.class, () -> scheduler.start());
    assertEquals(List.of("failed@0"), log);
    assertTrue(deadlock.getMessage().startsWith("deadlock: 1 task is left"), deadlock.getMessage());
    other.cancel("test");
    scheduler.start();
  }

  @Test
  void start_ends_handlerOfAPredicateOfOtherStateHasItsTurn() {
    boolean[] flag = new boolean[1];
    conditions.when(() -> a.get() == 0 && flag[0], () -> log("when"));
    run(() -> {
      rounds(3);
      flag[0] = true;
    });
    assertEquals(List.of("when@0"), log);
  }

  @Test
  void runWithValue_trueForOtherStateThanItsCell_goesOnWithTheValue() {
    boolean[] flag = new boolean[1];
    waiter("w", () -> a.get() == 0 && flag[0]);
    scheduler.spawn(() -> {
      rounds(3);
      flag[0] = true;
      return "product";
    });
    var _ = scheduler.run("value");
    assertEquals(List.of("w@0"), log);
  }

  @Test
  void start_polledBesideOneOfOtherStateThanItsCell_goesOn() {
    boolean[] flags = new boolean[2];
    waiter("polled", () -> flags[1]);
    scheduler.spawn(() -> {
      conditions.waitFor(() -> a.get() == 0 && flags[0]);
      flags[1] = true;
    });
    run(() -> {
      rounds(3);
      flags[0] = true;
    });
    assertEquals(1, log.size());
    assertTrue(clock.elapsed().compareTo(ms(40)) < 0, "found late: " + clock.elapsed());
  }

  // Ends.

  @Test
  void cancel_whileWatching_nothingIsLookedAtAnyMore() {
    Task<Void> waiter = waiter("w", () -> a.get() > 0);
    run(() -> {
      rounds(3);
      assertEquals(1, a.readers());
      waiter.cancel("test");
      assertEquals(0, a.readers());
      assertEquals(0, conditions.waiterCount());
      a.set(1);
      rounds(3);
    });
    assertEquals(LOOKS_AT_FIRST, looks);
    assertEquals(List.of(), log);
  }

  @Test
  void waitFor_throwsAfterAChange_failsItsOwnWaiterOnly() {
    scheduler.spawn(() ->
        assertEquals(
            "on purpose",
            assertThrows(
                    IllegalStateException.class,
                    () ->
                        conditions.waitFor(() -> {
                          if (a.get() == 1) {
                            throw new IllegalStateException("on purpose");
                          }
                          return false;
                        }))
                .getMessage()));
    waiter("other", () -> a.get() == 1);
    run(() -> {
      rounds(3);
      a.set(1);
      rounds(3);
      assertEquals(0, conditions.waiterCount());
    });
    assertEquals(List.of("other@0"), log);
  }

  // Mistakes.

  @Test
  void set_inAPredicate_failsItsWaiter() {
    String expected =
        "a predicate changes cell 'a': it must change nothing; change the cell in the waiting task,"
            + " afterwards";
    run(() -> {
      for (Runnable change : List.<Runnable>of(() -> a.set(1), () -> a.changed())) {
        assertEquals(
            expected,
            assertThrows(
                    IllegalStateException.class,
                    () ->
                        conditions.waitFor(() -> {
                          change.run();
                          return true;
                        }))
                .getMessage());
      }
      a.set(1); // allowed outside a predicate
    });
    HandlerRegistration registration =
        conditions.when(
            () -> {
              a.set(a.get() + 1);
              return true;
            },
            () -> log("never"));
    settle();
    assertFalse(registration.isActive());
    assertEquals(expected, takeFailures().getFirst().getMessage());
    assertEquals(1, a.get());
  }

  @Test
  void waitFor_predicateSuspendsAndOthersUseCells_failsItsOwnWaiterOnly() {
    scheduler.spawn(() ->
        assertEquals(
            "yield in code that must not suspend, as a predicate, a listener, or a task of a"
                + " scheduler that the current task runs: wait before or after",
            assertThrows(
                    IllegalStateException.class,
                    () ->
                        conditions.waitFor(() -> {
                          rounds(3);
                          return true;
                        }))
                .getMessage()));
    run(() -> {
      a.set(1); // not done by the predicate
      waiter("w", () -> b.get() == 1);
      rounds(5);
      b.set(1);
    });
    assertEquals(List.of("w@0"), log);
  }

  @Test
  void getAndSet_onAnotherThread_areRefused() throws Exception {
    var thrown = new ArrayList<Throwable>();
    Thread.ofPlatform()
        .start(() -> {
          thrown.add(assertThrows(WrongThreadException.class, () -> a.get()));
          thrown.add(assertThrows(WrongThreadException.class, () -> a.set(1)));
          thrown.add(assertThrows(WrongThreadException.class, () -> a.changed()));
        })
        .join();
    assertEquals(3, thrown.size());
  }

  @Test
  void cell_nameNull_isRefusedButNotTheValue() {
    assertThrows(NullPointerException.class, () -> new Cell<>(scheduler, null, 1));
    Cell<String> nothing = new Cell<>(scheduler, "nothing", null);
    waiter("w", () -> nothing.get() != null);
    run(() -> {
      rounds(2);
      nothing.set("x");
    });
    assertEquals("cell 'nothing'", nothing.toString());
  }
}
