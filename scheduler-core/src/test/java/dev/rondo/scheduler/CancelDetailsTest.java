package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/// What a cancellation carries, what happens to tasks that ignore it, and how scopes, shields and
/// deadlines nest.
class CancelDetailsTest extends SchedulerTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private void sleep(Duration time) {
    assertThrows(TimedOutException.class, () -> scheduler.await(Waitable.never(), time));
  }

  // Canceller, reason and place.

  @Test
  void cancel_withCause_isTheTriggerAndInTheTrace() throws Exception {
    var cause = new ArithmeticException("the reason behind");
    Task<Object> task = scheduler.spawn("victim", () -> scheduler.suspend());
    Task<Object> other = scheduler.spawn("other", () -> scheduler.suspend());
    drive();
    assertTrue(task.cancel("why", cause));
    assertTrue(elsewhere(() -> other.cancel("afar", cause)));
    scheduler.start();
    for (Task<?> each : List.of(task, other)) {
      TaskCancelled told = assertInstanceOf(Outcome.Cancelled.class, each.outcome()).cause();
      assertSame(cause, told.trigger());
      assertSame(cause, told.getCause().getCause());
      assertEquals(getClass().getName(), told.site().getClassName());
      assertTrue(told.site().getMethodName().contains("cancel_withCause"), told.site().toString());
    }
  }

  @Test
  void cancel_withoutCause_hasNoTrigger() {
    Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
    drive();
    task.cancel("why");
    scheduler.start();
    assertNull(assertInstanceOf(Outcome.Cancelled.class, task.outcome()).cause().trigger());
  }

  @Test
  void scopeCancel_withCause_isTheTrigger() throws Exception {
    var cause = new ArithmeticException();
    CancelScope scope = scheduler.newScope("s");
    scheduler.spawn(() -> {
      var told = assertThrows(CancellationException.class, () -> scope.run(scheduler::suspend));
      var inside = assertInstanceOf(TaskCancelled.class, told.getCause());
      assertSame(cause, inside.trigger());
      assertTrue(inside.site().getMethodName().contains("scopeCancel"), inside.site().toString());
      trace("told");
    });
    drive();
    assertTrue(scope.cancel("why", cause));
    scheduler.start();
    assertTrace("told");
  }

  @Test
  @SuppressWarnings("NullAway")
  void cancel_null_isRefused() {
    Task<Void> task = scheduler.spawn(() -> {});
    assertThrows(NullPointerException.class, () -> task.cancel((String) null));
    assertThrows(NullPointerException.class, () -> task.cancel("why", (Throwable) null));
    assertThrows(NullPointerException.class, () -> task.cancel("why", (Duration) null));
    scheduler.start();
    assertFalse(task.isCancelled());
  }

  @Test
  void close_manyTasks_haveOneSiteInCommon() {
    Scheduler closing = newScheduler();
    Task<Object> first = closing.spawn("first", () -> closing.suspend());
    Task<Object> second = closing.spawn("second", () -> closing.suspend());
    closing.step();
    closing.step();
    closing.close();
    assertSameSite(first, second, "the scheduler closes");
    TaskCancelled told = assertInstanceOf(Outcome.Cancelled.class, first.outcome()).cause();
    assertEquals(getClass().getName(), told.site().getClassName());
  }

  @Test
  void closedGenerator_hasTheCallOfCloseAsItsSite() {
    var told = new ArrayList<TaskCancelled>();
    Generator.Body<Integer> body =
        sink -> {
          try {
            sink.yield(1);
          } catch (TaskCancelled e) {
            told.add(e);
            throw e;
          }
        };
    scheduler.spawn(() -> {
      try (var numbers = scheduler.newGenerator("numbers", body)) {
        assertEquals(1, numbers.next());
      }
    });
    scheduler.start();
    assertEquals(getClass().getName(), told.getFirst().site().getClassName());
  }

  @Test
  void stopWithGrace_manyTasks_haveOneSiteInCommon() {
    Task<Object> first = scheduler.spawn("first", () -> scheduler.await(Waitable.never()));
    Task<Object> second = scheduler.spawn("second", () -> scheduler.await(Waitable.never()));
    drive();
    scheduler.shutdown(Duration.ZERO, SECOND);
    scheduler.start();
    assertSameSite(first, second, "the scheduler stops");
  }

  /// With a stack trace for each, closing 100,000 tasks would spend most of its time on traces.
  private static void assertSameSite(Task<?> first, Task<?> second, String reason) {
    TaskCancelled one = assertInstanceOf(Outcome.Cancelled.class, first.outcome()).cause();
    TaskCancelled other = assertInstanceOf(Outcome.Cancelled.class, second.outcome()).cause();
    assertSame(one.getCause(), other.getCause());
    assertTrue(one.getMessage().startsWith("task 'first' was cancelled by "), one.getMessage());
    assertTrue(other.getMessage().startsWith("task 'second' was cancelled by "));
    assertTrue(other.getMessage().endsWith(": " + reason), other.getMessage());
  }

  // Grace periods.

  @Test
  void cancelWithGrace_endsInTime_nobodyIsTold() {
    Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
    drive();
    assertTrue(task.cancel("why", SECOND));
    assertEquals(1, time.alarms());
    scheduler.start();
    assertTrue(task.isCancelled());
    assertEquals(0, time.alarms());
  }

  @Test
  void cancelWithGrace_cleansUpTooLong_isNamedOnceWithItsStack() {
    Task<Object> task =
        scheduler.spawn(
            "slow",
            () -> {
              try {
                return scheduler.suspend();
              } finally {
                cleanUpSlowly();
              }
            });
    drive();
    assertTrue(task.cancel("why", SECOND));
    scheduler.start();
    assertTrue(task.isCancelled());
    List<Reported> told = takeReported();
    assertEquals(1, told.size());
    assertEquals("task 'slow'", told.getFirst().where());
    var warning = assertInstanceOf(CancelIgnoredException.class, told.getFirst().failure());
    assertTrue(
        warning.getMessage().startsWith("task 'slow' (WAITING) has not ended within 1 s of its"),
        warning.getMessage());
    assertTrue(
        warning.getMessage().endsWith("(task 'slow' was cancelled by thread 'test-loop': why)"));
    assertTrue(
        List.of(warning.getStackTrace()).stream()
            .anyMatch(frame -> frame.getMethodName().equals("cleanUpSlowly")),
        "the trace is the task's");
    assertTrue(CancelTest.shows(warning.getCause(), getClass()), "the cause shows the site");
  }

  private void cleanUpSlowly() throws Exception {
    scheduler.shielded(() -> {
      sleep(SECOND.multipliedBy(3));
      return null;
    });
  }

  @Test
  void cancelWithGrace_cancelledBefore_graceCountsAndReasonStands() {
    Task<Object> task =
        scheduler.spawn(
            "slow",
            () -> {
              try {
                return scheduler.suspend();
              } finally {
                cleanUpSlowly();
              }
            });
    drive();
    assertTrue(task.cancel("first"));
    assertFalse(task.cancel("second", SECOND.multipliedBy(9)));
    assertFalse(task.cancel("third", SECOND));
    assertEquals(1, time.alarms());
    scheduler.start();
    List<Reported> told = takeReported();
    assertEquals(1, told.size());
    assertTrue(told.getFirst().failure().getMessage().contains("thread 'test-loop': first"));
  }

  @Test
  void cancelWithGrace_neverRanOrEnded_needsNoTimer() {
    Task<Void> task = scheduler.spawn(() -> trace("ran"));
    assertTrue(task.cancel("why", SECOND));
    assertFalse(task.cancel("why", SECOND));
    assertEquals(0, time.alarms());
    assertTrue(task.isCancelled());
  }

  @Test
  void cancelWithGrace_badArguments_leaveTheTaskAlone() throws Exception {
    Task<Void> task = scheduler.spawn(() -> {});
    var told =
        assertThrows(
            IllegalArgumentException.class, () -> task.cancel("why", Duration.ofSeconds(-1)));
    assertEquals("grace must not be negative, but is -1 s", told.getMessage());
    elsewhere(() -> assertThrows(WrongThreadException.class, () -> task.cancel("why", SECOND)));
    try (Scheduler timeless = newScheduler()) {
      Task<Void> other = timeless.spawn(() -> {});
      assertThrows(IllegalStateException.class, () -> other.cancel("why", SECOND));
      timeless.start();
      assertFalse(other.isCancelled());
    }
    scheduler.start();
    assertFalse(task.isCancelled());
  }

  // Ignored cancellations.

  private void swallow(int times) {
    for (int i = 0; i < times; i++) {
      assertThrows(TaskCancelled.class, scheduler::yield);
    }
  }

  @Test
  void cancelled_swallowsAndSuspendsAgainAndAgain_isNamedOnce() {
    Task<Void> task =
        scheduler.spawn(
            "deaf",
            () -> {
              assertThrows(TaskCancelled.class, scheduler::suspend);
              swallow(100);
            });
    drive();
    task.cancel("why");
    scheduler.start();
    List<Reported> told = takeReported();
    assertEquals(1, told.size());
    assertEquals("task 'deaf'", told.getFirst().where());
    var warning = assertInstanceOf(CancelIgnoredException.class, told.getFirst().failure());
    assertTrue(
        warning.getMessage().startsWith("task 'deaf' has received its cancellation 16 times"),
        warning.getMessage());
    assertTrue(CancelTest.shows(warning, getClass()), "the trace is the task's");
  }

  @Test
  void cancelled_waitsInAFewFinallyBlocks_isNotNamed() {
    Task<Void> task =
        scheduler.spawn(() -> {
          assertThrows(TaskCancelled.class, scheduler::suspend);
          swallow(14);
        });
    drive();
    task.cancel("why");
    scheduler.start();
    assertTrue(task.isDone());
  }

  @Test
  void cancelled_manyScopesOneAfterTheOther_isNotNamed() {
    runTask(() -> {
      for (int i = 0; i < 100; i++) {
        assertThrows(
            TimedOutException.class, () -> scheduler.within(Duration.ZERO, scheduler::suspend));
      }
    });
  }

  @Test
  void cancelled_shieldsBetweenSwallowing_isNamedAllTheSame() {
    Task<Void> task =
        scheduler.spawn(() -> {
          assertThrows(TaskCancelled.class, scheduler::suspend);
          for (int i = 0; i < 20; i++) {
            swallow(1);
            scheduler.shielded(() -> {
              scheduler.yield();
              return null;
            });
          }
        });
    drive();
    task.cancel("why");
    scheduler.start();
    assertEquals(1, takeReported().size());
  }

  @Test
  void defaultHandler_ignoredCancellation_isAWarning() {
    try (var log = new CapturedLog();
        Scheduler own = Scheduler.builder().backend(backend).build()) {
      Task<Void> task =
          own.spawn(
              "deaf",
              () -> {
                for (int i = 0; i < 20; i++) {
                  assertThrows(TaskCancelled.class, own::suspend);
                }
              });
      own.step();
      task.cancel("why");
      own.start();
      assertEquals(List.of("WARN task 'deaf' ignores its cancellation"), log.lines());
    }
  }

  // Nesting.

  @Test
  void within_nested_theEarlierDeadlineCounts() {
    runTask(() -> {
      var told =
          assertThrows(
              TimedOutException.class,
              () ->
                  scheduler.within(
                      SECOND, () -> scheduler.within(SECOND.multipliedBy(5), scheduler::suspend)));
      assertEquals("gave up after 1 s: within(..) of task 'main'", told.getMessage());
      trace(time.elapsed().toSeconds());
      told =
          assertThrows(
              TimedOutException.class,
              () ->
                  scheduler.within(
                      SECOND.multipliedBy(5),
                      () -> scheduler.within(SECOND.multipliedBy(2), scheduler::suspend)));
      assertEquals("gave up after 2 s: within(..) of task 'main'", told.getMessage());
      trace(time.elapsed().toSeconds());
    });
    assertTrace("1 3");
  }

  /// The block has no name: what it was waiting for says which one it is.
  @Test
  void within_timeIsUpInAWait_theMessageSaysWhatForAndTheCauseWhere() {
    Task<Object> other = scheduler.spawn("other", scheduler::suspend);
    runTask(() -> {
      var told =
          assertThrows(TimedOutException.class, () -> scheduler.within(SECOND, () -> other.join()));
      assertEquals(
          "gave up after 1 s: within(..) of task 'main', waiting for " + other, told.getMessage());
      assertInstanceOf(TaskCancelled.class, told.getCause());
      var _ = other.cancel("the test is over");
    });
  }

  @Test
  void within_insideAShield_stillLimits() {
    Task<Void> task =
        scheduler.spawn(() -> {
          try {
            scheduler.suspend();
          } finally {
            scheduler.shielded(() -> {
              assertThrows(
                  TimedOutException.class, () -> scheduler.within(SECOND, scheduler::suspend));
              trace("limited");
              scheduler.yield();
              trace("still-shielded");
              return null;
            });
          }
        });
    drive();
    task.cancel("why");
    scheduler.start();
    assertTrace("limited still-shielded");
    assertTrue(task.isCancelled());
  }

  @Test
  void within_aroundAShield_isToldBehindIt() {
    runTask(() -> {
      assertThrows(
          TimedOutException.class,
          () ->
              scheduler.within(
                  SECOND,
                  () -> {
                    scheduler.shielded(() -> {
                      sleep(SECOND.multipliedBy(3));
                      trace("finished");
                      return null;
                    });
                    scheduler.yield();
                    trace("not reached");
                    return null;
                  }));
      trace(time.elapsed().toSeconds());
    });
    assertTrace("finished 3");
  }

  @Test
  void shielded_nested_endOfTheInnerDoesNotEndTheOuter() {
    Task<Void> task =
        scheduler.spawn(() -> {
          scheduler.shielded(() -> {
            scheduler.shielded(scheduler::suspend);
            scheduler.yield();
            trace("outer-holds");
            return null;
          });
          scheduler.yield();
          trace("not reached");
        });
    drive();
    task.cancel("why");
    drive();
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("outer-holds");
    assertTrue(task.isCancelled());
  }
}
