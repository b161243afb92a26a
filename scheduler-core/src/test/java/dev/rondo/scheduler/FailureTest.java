package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.Delay;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.ThrowingConsumer;

/// Failures, how they are reported, and traps: docs/inside/semantics.md, rules 11 and 12.
class FailureTest extends SchedulerTest {

  private static <T> T fail(String message) throws IOException {
    throw new IOException(message);
  }

  @Test
  void failure_unobserved_goesToTheHandlerAndTheLoopGoesOn() {
    Task<Object> task = scheduler.spawn("bad", () -> fail("oops"));
    scheduler.spawn(() -> trace("next"));
    scheduler.start();
    assertTrace("next");
    Reported told = takeReported().getFirst();
    assertTrue(told.where().contains("'bad'"), told.where());
    assertEquals("oops", told.failure().getMessage());
    assertEquals(TaskState.FAILED, task.taskState());
    var outcome = assertInstanceOf(Outcome.Failure.class, task.outcome());
    assertSame(told.failure(), outcome.cause());
  }

  @Test
  void failure_joined_goesToTheJoinerWithBothTraces() {
    runTask(() -> {
      Task<Object> task = scheduler.spawn("bad", () -> fail("oops"));
      var told = assertThrows(TaskFailedException.class, task::join);
      assertTrue(told.getMessage().contains("'bad'"), told.getMessage());
      assertTrue(told.getMessage().contains("oops"), told.getMessage());
      assertTrue(CancelTest.shows(told, FailureTest.class), "where it was joined");
      assertEquals("fail", told.getCause().getStackTrace()[0].getMethodName());
      trace("told");
    });
    assertTrace("told");
  }

  /// Rule 46.
  @Test
  void failure_joinedLater_isNotReported() {
    runTask(() -> {
      var ways =
          List.<ThrowingConsumer<Task<Object>>>of(
              Task::join,
              Task::get,
              task -> task.toCompletableFuture().join(),
              task -> scheduler.await(task),
              task -> task.addListener(() -> {}, Runnable::run));
      for (ThrowingConsumer<Task<Object>> way : ways) {
        Task<Object> task = scheduler.spawn("bad", () -> fail("oops"));
        scheduler.await(Delay.of(Duration.ofMillis(999)));
        assertTrue(task.isDone());
        try {
          way.accept(task);
        } catch (Throwable e) {
          trace("received");
        }
      }
      scheduler.await(Delay.of(Duration.ofSeconds(2)));
    });
    assertTrace("received received received received");
  }

  /// Rule 46.
  @Test
  void failure_thatNothingReceives_isReportedAfterASecond() {
    runTask(() -> {
      scheduler.spawn("bad", () -> fail("oops"));
      scheduler.await(Delay.of(Duration.ofMillis(999)));
      assertEquals(List.of(), takeReported());
      scheduler.await(Delay.of(Duration.ofMillis(2)));
      assertEquals("oops", takeReported().getFirst().failure().getMessage());
    });
  }

  /// Nothing but the report wakes the loop.
  @Test
  void failure_thatNothingReceivesWhileTheLoopRests_isReportedAfterASecond() {
    long began = time.read();
    var reported = new ArrayList<Duration>();
    try (Scheduler quiet =
        configured()
            .failureHandler((where, e) -> reported.add(Duration.ofNanos(time.read() - began)))
            .build()) {
      time.serve(quiet);
      quiet.spawn("bad", () -> fail("oops"));
      quiet.spawn(() -> quiet.await(Delay.of(Duration.ofHours(1))));
      quiet.start();
    }
    assertEquals(List.of(Duration.ofSeconds(1)), reported);
  }

  @Test
  void failure_joinedByMany_eachGetsATraceOfItsOwn() {
    Task<Object> task = scheduler.newTask("bad", () -> fail("oops"));
    var told = new Throwable[2];
    for (int i = 0; i < 2; i++) {
      int index = i;
      scheduler.spawn(() -> {
        told[index] = assertThrows(TaskFailedException.class, task::join);
      });
    }
    scheduler.scheduleTask(task);
    scheduler.start();
    assertSame(told[0].getCause(), told[1].getCause());
    assertTrue(told[0] != told[1]);
  }

  @Test
  void failure_stackOverflow_isTheTasksOwn() {
    Task<Object> task = scheduler.spawn("deep", () -> overflow(0));
    scheduler.spawn(() -> trace("next"));
    scheduler.start();
    assertTrace("next");
    assertInstanceOf(StackOverflowError.class, takeReported().getFirst().failure());
    assertTrue(task.isDone());
  }

  @SuppressWarnings("InfiniteRecursion") // on purpose
  private static int overflow(int depth) {
    return overflow(depth + 1) + 1;
  }

  @Test
  void failure_ofAnAction_isLoggedAndSaysNothingOfTasks() {
    try (var log = new CapturedLog();
        Scheduler own = Scheduler.builder().backend(backend).build()) {
      assertTrue(
          own.post(() -> {
            throw new IllegalStateException("oops");
          }));
      own.spawn(() -> own.yield());
      own.start();
      assertEquals(1, log.lines().size(), log.lines()::toString);
      String line = log.lines().getFirst();
      assertTrue(line.startsWith("ERROR posted ") && line.endsWith(" failed"), line);
    }
  }

  @Test
  void failure_handlerThrows_loopGoesOn() {
    try (var log = new CapturedLog();
        Scheduler strict =
            Scheduler.builder()
                .backend(backend)
                .failureHandler((where, failure) -> {
                  throw new IllegalStateException("handler");
                })
                .build()) {
      strict.spawn("bad", () -> fail("oops"));
      strict.spawn(() -> trace("next"));
      strict.start();
      assertEquals(
          List.of("ERROR the failure handler failed at task 'bad'", "ERROR task 'bad' failed"),
          log.lines());
    }
    assertTrace("next");
  }

  // Traps.

  @Test
  void trap_success_replacesTheValue() {
    Task<Integer> task =
        scheduler
            .<Integer>newTask("t", () -> 20)
            .trap((self, outcome) -> {
              assertEquals("t", self.name());
              return new Outcome.Success<>(((Outcome.Success<Integer>) outcome).value() + 1);
            });
    scheduler.scheduleTask(task);
    scheduler.start();
    assertEquals(21, task.join());
  }

  @Test
  void trap_failure_recovers() {
    Task<String> task =
        scheduler
            .<String>newTask("t", () -> fail("oops"))
            .trap(Trap.recover(failure -> "recovered from " + failure.getMessage()));
    scheduler.scheduleTask(task);
    scheduler.start();
    assertEquals("recovered from oops", task.join());
    assertEquals(TaskState.SUCCEEDED, task.taskState());
  }

  @Test
  void trap_runsOnceAfterFinally() {
    Task<String> task =
        scheduler
            .<String>newTask(
                "t",
                () -> {
                  try {
                    return "v";
                  } finally {
                    trace("finally");
                  }
                })
            .trap(Trap.onEnd(outcome -> trace("trap")));
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("finally trap");
  }

  @Test
  void trap_cancelled_mayAnswerOtherwise() {
    Task<String> task =
        scheduler
            .<String>newTask("t", () -> "never")
            .trap((self, outcome) -> {
              assertInstanceOf(Outcome.Cancelled.class, outcome);
              return new Outcome.Success<>("instead");
            });
    task.cancel("why");
    assertEquals("instead", task.join());
  }

  @Test
  void trap_throws_failsWithThatAndKeepsTheFirst() {
    Task<String> task =
        scheduler.<String>newTask("t", () -> fail("first")).trap((self, outcome) -> fail("second"));
    scheduler.scheduleTask(task);
    scheduler.spawn(() -> trace("next"));
    scheduler.start();
    assertTrace("next");
    Throwable told = takeReported().getFirst().failure();
    assertEquals("second", told.getMessage());
    assertEquals("first", told.getSuppressed()[0].getMessage());
  }

  @Test
  void trap_answersNull_failsAndOthersGoOn() {
    Task<String> task = scheduler.<String>newTask("t", () -> "v").trap((self, outcome) -> null);
    scheduler.scheduleTask(task);
    scheduler.spawn(() -> trace("next"));
    scheduler.start();
    assertTrace("next");
    assertEquals(TaskState.FAILED, task.taskState());
    String told = takeReported().getFirst().failure().getMessage();
    assertTrue(told.contains("'t'"), told);
  }

  @Test
  void trap_cancelsItsOwnTask_isHarmless() {
    Task<String> task =
        scheduler
            .<String>newTask("t", () -> "v")
            .trap((self, outcome) -> {
              self.cancel("from the trap");
              return outcome;
            });
    scheduler.scheduleTask(task);
    scheduler.start();
    assertEquals("v", task.join());
  }

  @Test
  void trap_ofAnEndedTask_isRefused() {
    Task<Integer> task = scheduler.spawn(() -> 1);
    scheduler.start();
    assertThrows(IllegalStateException.class, () -> task.trap(Trap.onEnd(o -> {})));
    var refused = assertThrows(IllegalStateException.class, task::daemon);
    assertEquals(
        "daemon() on task 'task-2', which is SUCCEEDED: call it on a task of newTask(..), before"
            + " scheduleTask(..)",
        refused.getMessage());
  }

  @Test
  void trap_later_replacesTheEarlier() {
    Task<Integer> task =
        scheduler
            .<Integer>newTask("t", () -> 1)
            .trap(Trap.onEnd(o -> trace("first")))
            .trap(Trap.onEnd(o -> trace("second")));
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("second");
  }

  // Joins.

  @Test
  void join_endedTask_givesWayOnce() {
    Task<Integer> ended = scheduler.spawn(() -> 1);
    scheduler.start();
    scheduler.spawn(() -> trace("J" + ended.join()));
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("other J1");
  }

  @Test
  void join_endedTaskWithoutAValue_givesWayOnceToo() {
    Task<Void> failed =
        scheduler.spawn(() -> {
          throw new IllegalStateException("test");
        });
    Task<Void> cancelled = scheduler.spawn(() -> {});
    cancelled.cancel("test");
    scheduler.start();
    takeReported();
    scheduler.spawn(() -> {
      assertThrows(TaskFailedException.class, failed::join);
      trace("J1");
      assertThrows(CancellationException.class, cancelled::join);
      trace("J2");
      var either = Waitable.anyOf(List.of(failed, Waitable.always(null)));
      assertThrows(TaskFailedException.class, () -> scheduler.await(either));
      trace("J3");
    });
    scheduler.spawn(() -> {
      for (int i = 1; i <= 3; i++) {
        trace("other" + i);
        scheduler.yield();
      }
    });
    scheduler.start();
    assertTrace("other1 J1 other2 J2 other3 J3");
  }

  @Test
  void join_cancelledTask_tellsTheJoiner() {
    Task<Object> task = scheduler.spawn("x", () -> scheduler.suspend());
    scheduler.spawn(() -> {
      var told = assertThrows(CancellationException.class, task::join);
      assertInstanceOf(TaskCancelled.class, told.getCause());
      trace("told");
    });
    drive();
    task.cancel("why");
    scheduler.start();
    assertTrace("told");
  }

  @Test
  void join_manyJoiners_wokenInTheOrderTheyBeganToWait() {
    Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
    for (int i = 0; i < 4; i++) {
      String name = "j" + i;
      scheduler.spawn(() -> trace(name + task.join()));
    }
    drive();
    scheduler.scheduleTask(task, "!");
    scheduler.start();
    assertTrace("j0! j1! j2! j3!");
  }

  @Test
  void join_self_isRefused() {
    scheduler.spawn(
        "me",
        () -> {
          var told =
              assertThrows(IllegalStateException.class, () -> scheduler.currentTask().join());
          assertTrue(told.getMessage().contains("its own end"), told.getMessage());
        });
    scheduler.start();
    Task<Void> task = scheduler.newTask("other", () -> trace("ran"));
    assertThrows(IllegalStateException.class, () -> scheduler.queue().scheduleOn(task, task));
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("ran");
  }

  @Test
  void join_outsideATaskBeforeTheEnd_isRefused() {
    Task<Integer> task = scheduler.spawn(() -> 5);
    assertThrows(IllegalStateException.class, task::join);
    scheduler.start();
    assertEquals(5, task.join());
  }

  @Test
  void join_endedTaskInAStepTask_returnsAtOnce() {
    Task<Integer> ended = scheduler.spawn(() -> 1);
    scheduler.start();
    scheduler
        .host()
        .spawnSteps(
            "S",
            self -> {
              trace(ended.join());
              return StepResult.DONE;
            });
    scheduler.start();
    assertTrace("1");
  }

  @Test
  void trap_ofATaskCancelledOutsideOfItsTurn_cannotScheduleIt() {
    var signal = new WaitQueueEvent();
    StepTask<Void> waiting = scheduler.host().spawnSteps("waiting", self -> self.await(signal));
    StepTask<Void> suspended = scheduler.host().spawnSteps("suspended", self -> StepResult.SUSPEND);
    StepTask<Void> idling = scheduler.host().spawnSteps("idling", StepTask::idle);
    scheduler.step();
    scheduler.step();
    scheduler.step();
    Task<Void> unborn = scheduler.newTask("new", () -> trace("ran"));
    for (Task<Void> each : List.of(waiting, suspended, idling, unborn)) {
      each.trap((self, outcome) -> {
        trace(each.name() + "=" + self.taskState() + scheduler.scheduleTask(self));
        assertFalse(scheduler.queue().scheduleOn(self, signal));
        assertFalse(scheduler.queue().unschedule(self));
        return outcome;
      });
      assertTrue(each.cancel("test"));
      assertEquals(TaskState.CANCELLED, each.taskState());
    }
    assertTrace("waiting=RUNNINGfalse suspended=RUNNINGfalse idling=RUNNINGfalse new=RUNNINGfalse");
    assertEquals(0, signal.waiters());
    assertFalse(scheduler.step());
  }
}
