package dev.rondo.scheduler;

import static dev.rondo.scheduler.TaskGroup.Policy.COLLECT;
import static dev.rondo.scheduler.TaskGroup.Policy.FIRST_SUCCESS;
import static dev.rondo.scheduler.TaskGroup.Policy.SUPERVISE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The effect of a child's end under the policies other than the default.
class TaskGroupPolicyTest extends GroupFixture {

  @Test
  void collect_failures_siblingsGoOnAndAllAreThrownAtTheEnd() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g", COLLECT);
      var told =
          failureOf(
              group,
              () -> {
                group.spawn("a", () -> failAfter(2, "a"));
                group.spawn("b", () -> failAfter(1, "b"));
                group.spawn("c", () -> after(4, "c"));
              });
      assertEquals("task 'b' failed: java.io.IOException: b", told.getMessage());
      assertEquals("task 'a' failed: java.io.IOException: a", told.getSuppressed()[0].getMessage());
      assertFalse(group.isCancelled());
      assertEquals(
          List.of(TaskState.FAILED, TaskState.FAILED, TaskState.SUCCEEDED),
          group.outcomes().stream().map(Outcome::state).toList());
      assertTrue(
          assertThrows(TaskFailedException.class, group::results).getMessage().contains("'a'"));
    });
    assertTrace("b a c");
  }

  @Test
  void firstSuccess_othersAreCancelledAndAwaited() {
    runTask(() -> {
      TaskGroup<String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      race.run(() -> {
        race.spawn(() -> failAfter(0, "bad"));
        race.spawn(() -> hangAndCleanUp("a"));
        race.spawn("quick", () -> after(2, "quick"));
        race.spawn(() -> hang("c"));
        hang("block");
      });
      trace("left");
      assertEquals("quick", race.first());
      assertTrue(race.isCancelled());
    });
    assertTrace("bad quick block-ended c-ended a-cleaned left");
  }

  @Test
  void firstSuccess_none_failuresAreThrown() {
    runTask(() -> {
      TaskGroup<String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      var told =
          failureOf(
              race,
              () -> {
                race.spawn("a", () -> failAfter(1, "a"));
                race.spawn("b", () -> failAfter(0, "b"));
              });
      assertTrue(told.getMessage().contains("'b'"));
      assertTrue(told.getSuppressed()[0].getMessage().contains("'a'"));
      assertThrows(NoSuchElementException.class, race::first);
    });
    assertTrace("b a");
  }

  @Test
  void firstSuccess_nullIsASuccess() {
    runTask(() -> {
      TaskGroup<@Nullable String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      race.run(() -> race.spawn(() -> null));
      assertNull(race.first());
    });
  }

  @Test
  void firstSuccess_failureWhileCleaningUp_isReported() {
    runTask(() -> {
      TaskGroup<String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      race.run(() -> {
        race.spawn(
            "loser",
            () -> {
              try {
                return hang("loser");
              } finally {
                failAfter(0, "cleanup");
              }
            });
        race.spawn(() -> after(1, "quick"));
      });
      assertEquals("quick", race.first());
    });
    assertTrace("quick loser-ended cleanup");
    assertEquals("task 'loser'", takeReported().getFirst().where());
  }

  @Test
  void firstSuccess_blockFailsAfterIt_thatIsThrownAndNotWhatFailedBeforeIt() {
    runTask(() -> {
      TaskGroup<String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      var failure = new ArithmeticException();
      var told =
          assertThrows(
              Exception.class,
              () ->
                  race.run(() -> {
                    race.spawn("bad", () -> failAfter(0, "bad"));
                    race.spawn("quick", () -> after(1, "quick"));
                    assertThrows(TaskCancelled.class, () -> scheduler.suspend());
                    throw failure;
                  }));
      assertSame(failure, told);
      assertEquals(
          List.of("task 'bad' failed: java.io.IOException: bad"),
          Arrays.stream(told.getSuppressed()).map(Throwable::getMessage).toList());
    });
    assertTrace("bad quick");
  }

  @Test
  void firstSuccess_blockCutShort_callHasNoResult() {
    runTask(() -> {
      TaskGroup<String> race = scheduler.newGroup("race", FIRST_SUCCESS);
      var told =
          assertThrows(
              CancellationException.class,
              () ->
                  race.run(() -> {
                    race.spawn("quick", () -> after(1, "quick"));
                    return scheduler.suspend();
                  }));
      assertEquals(
          "group 'race' was cancelled by task 'quick': task 'quick' has succeeded",
          told.getMessage());
      assertEquals("quick", race.first());
    });
    assertTrace("quick");
  }

  @Test
  void supervise_childFails_isItsOwnAffair() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g", SUPERVISE);
      group.run(() -> {
        group.spawn("bad", () -> failAfter(0, "reported"));
        Task<String> joined = group.spawn(() -> failAfter(2, "joined"));
        group.spawn(() -> after(4, "sibling"));
        assertThrows(TaskFailedException.class, joined::join);
      });
      assertThrows(IllegalStateException.class, group::results);
      var told = assertThrows(IllegalStateException.class, group::outcomes);
      assertEquals(
          "outcomes of group 'g': a supervisor keeps none; keep the tasks that spawn(..) returns",
          told.getMessage());
    });
    assertTrace("reported joined sibling");
    assertEquals(List.of("task 'bad'"), takeReported().stream().map(Reported::where).toList());
  }

  @Test
  void supervise_blockThrows_childrenAreCancelledAllTheSame() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("g", SUPERVISE);
      assertThrows(
          ArithmeticException.class,
          () ->
              group.run(() -> {
                group.spawn(() -> hang("child"));
                turns(1);
                throw new ArithmeticException();
              }));
    });
    assertTrace("child-ended");
  }
}
