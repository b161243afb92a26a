package dev.rondo.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskFailedException;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What tasks use, and what happens when they exceed their limits.
@BackendsDiffer
class TaskMetricsTest extends SchedulerTest {

  private static final int BIG = 1 << 20;

  private final List<Throwable> told = new ArrayList<>();
  private Scheduler counting;
  private volatile Object sink;

  private Scheduler counting(UnaryOperator<Observers> set) {
    SchedulerBuilder builder =
        Scheduler.builder()
            .backend(backend)
            .ticker(time)
            .failureHandler((where, failure) -> told.add(failure));
    counting = builder.instrument(set.apply(new Observers())).build();
    return counting;
  }

  @AfterEach
  void closeCounting() {
    if (counting != null) {
      counting.close();
    }
    assertEquals(List.of(), told);
  }

  private static TaskMetrics of(Task<?> task) {
    return Objects.requireNonNull(LoopView.of(task).describe(task).metrics());
  }

  private void work(long millis) {
    time.advance(Duration.ofMillis(millis));
  }

  @Test
  void metrics_off_isEmpty() {
    Task<Void> task = scheduler.spawn(() -> {});
    assertNull(LoopView.of(task).describe(task).metrics());
    var refused =
        assertThrows(
            IllegalStateException.class, () -> TaskLimits.UNLIMITED.turns(1).applyTo(task));
    assertTrue(refused.getMessage().contains("taskMetrics()"), refused.getMessage());
    scheduler.start();
  }

  @Test
  void metrics_turnsOfKnownLength_countsThemExactly() {
    counting(Observers::taskMetrics);
    Task<Void> task =
        counting.spawn(() -> {
          work(3);
          counting.yield();
          work(5);
          counting.suspend();
          work(1);
        });
    counting.spawn(() -> work(100)); // of another task
    counting.run(null);
    work(50); // outside of tasks
    counting.scheduleTask(task);
    counting.start();
    work(7);
    TaskMetrics metrics = of(task);
    assertEquals(3, metrics.turns());
    assertEquals(Duration.ofMillis(9), metrics.runTime());
    assertEquals(Duration.ofMillis(5), metrics.longestTurn());
  }

  @Test
  void metrics_joining_theTurnsOfOthersAreNotItsOwn() {
    counting(Observers::taskMetrics);
    Task<Void> parent =
        counting.spawn(() -> {
          work(1);
          counting.spawn(() -> work(10)).join();
          work(2);
        });
    counting.start();
    assertEquals(2, of(parent).turns());
    assertEquals(Duration.ofMillis(3), of(parent).runTime());
  }

  @Test
  void allocatedBytes_knownWhereTheLoopsThreadIsTheTasks() {
    counting(Observers::taskMetrics);
    Task<?> big = counting.spawn(() -> sink = new byte[BIG]);
    Task<?> small = counting.spawn(() -> {});
    Task<?> steps =
        counting
            .host()
            .spawnSteps(
                "steps",
                self -> {
                  sink = new byte[BIG];
                  return StepResult.DONE;
                });
    counting.start();
    assertTrue(of(steps).allocatedBytes().orElseThrow() >= BIG);
    if (backend.name().equals("HANDOFF")) {
      assertEquals(OptionalLong.empty(), of(big).allocatedBytes());
    } else {
      assertTrue(of(big).allocatedBytes().orElseThrow() >= BIG, of(big).toString());
      assertTrue(of(small).allocatedBytes().orElseThrow() < BIG / 2, of(small).toString());
    }
  }

  @Test
  void taskInfo_withLedger_tellsIt() {
    counting(Observers::taskMetrics);
    Task<Object> task =
        counting.spawn(
            "t",
            () -> {
              work(3);
              return counting.suspend();
            });
    counting.step();
    TaskInfo info = counting.tasks().getFirst();
    assertEquals(1, info.metrics().turns());
    assertTrue(info.toString().contains("turns=1, runTime=3 ms"), info.toString());
    task.cancel("enough");
    counting.start();
  }

  private TaskLimitExceededException exceeded(Task<?> task) {
    var failed = assertThrows(TaskFailedException.class, task::join);
    told.remove(failed.getCause());
    return assertInstanceOf(TaskLimitExceededException.class, failed.getCause());
  }

  @Test
  void limits_turns_failsAtTheSuspensionPointAfterTheLast() {
    counting(observers -> observers.taskLimits(TaskLimits.UNLIMITED.turns(3)));
    Task<Void> task =
        counting.spawn(
            "t",
            () -> {
              for (int i = 1; ; i++) {
                trace(i);
                counting.yield();
              }
            });
    Task<Void> modest =
        counting.spawn(() -> {
          counting.yield();
          counting.yield();
        });
    counting.start();
    assertTrace("1 2 3 4");
    assertEquals("task 't' exceeded its limits: turns=4, allowed 3", exceeded(task).getMessage());
    modest.join();
    assertEquals(3, of(modest).turns());
  }

  /// The listeners see how the turn has ended; then the limit strikes.
  @Test
  void limits_exceededInATurnThatSuspends_listenersSeeThat() {
    var listener =
        new TaskListener() {
          @Override
          public void suspended(Task<?> task) {
            trace(task.name() + " " + task.taskState());
          }
        };
    counting =
        Scheduler.builder()
            .backend(backend)
            .failureHandler((where, failure) -> told.add(failure))
            .instrument(new Observers().taskLimits(TaskLimits.UNLIMITED.turns(1)))
            .listener(listener)
            .build();
    Task<Object> task =
        counting.spawn(
            "t",
            () -> {
              counting.yield();
              return counting.suspend();
            });
    counting.start();
    assertTrace("t SUSPENDED");
    assertEquals("task 't' exceeded its limits: turns=2, allowed 1", exceeded(task).getMessage());
  }

  @Test
  void limits_ofTwoObservers_countEachTurnOnce() {
    counting =
        Scheduler.builder()
            .backend(backend)
            .failureHandler((where, failure) -> told.add(failure))
            .instrument(new Observers().taskLimits(TaskLimits.UNLIMITED.turns(10)))
            .instrument(new Observers().taskMetrics())
            .build();
    Task<Void> task =
        counting.spawn(
            "t",
            () -> {
              while (true) {
                counting.yield();
              }
            });
    counting.start();
    assertEquals("task 't' exceeded its limits: turns=11, allowed 10", exceeded(task).getMessage());
  }

  @Test
  void limits_swallowedAndFinally_isToldAgainAndCleansUpShielded() {
    counting(observers -> observers.taskLimits(TaskLimits.UNLIMITED.runTime(Duration.ofMillis(5))));
    Task<Void> task =
        counting.spawn(
            "t",
            () -> {
              try {
                work(6);
                try {
                  counting.yield();
                } catch (TaskCancelled e) {
                  trace("swallowed");
                }
                counting.await(Waitable.never());
              } finally {
                counting.shielded(() -> {
                  counting.yield();
                  trace("cleaned");
                  return null;
                });
              }
            });
    counting.start();
    assertTrace("swallowed cleaned");
    var failure = exceeded(task);
    assertEquals("task 't' exceeded its limits: runTime=6 ms, allowed 5 ms", failure.getMessage());
    assertInstanceOf(TaskCancelled.class, failure.getSuppressed()[0]);
    assertFalse(task.isCancelled());
  }

  @Test
  void limits_exceededInTheLastTurn_theTaskHasItsValue() {
    counting(observers -> observers.taskLimits(TaskLimits.UNLIMITED.runTime(Duration.ofMillis(5))));
    Task<String> task =
        counting.spawn(() -> {
          work(6);
          return "value";
        });
    counting.start();
    assertEquals("value", task.join());
  }

  @Test
  void limits_waitingTask_isWokenWithIt() {
    counting(observers -> observers.taskLimits(TaskLimits.UNLIMITED.turns(1)));
    var event = new Signal();
    Task<Object> task =
        counting.spawn(
            "t",
            () -> {
              counting.yield();
              return counting.await(event);
            });
    counting.start();
    assertEquals("task 't' exceeded its limits: turns=2, allowed 1", exceeded(task).getMessage());
  }

  @Test
  void limits_stepTask_endsAfterItsTurn() {
    counting(observers -> observers.taskLimits(TaskLimits.UNLIMITED.turns(2)));
    StepTask<Void> task =
        counting
            .host()
            .spawnSteps(
                "s",
                self -> {
                  trace("turn");
                  return StepResult.AGAIN;
                });
    counting.start();
    assertTrace("turn turn turn");
    assertEquals("task 's' exceeded its limits: turns=3, allowed 2", exceeded(task).getMessage());
  }

  @Test
  void limits_allocatedBytes_failsWhereItIsMeasured() {
    if (backend.name().equals("HANDOFF")) {
      var refused =
          assertThrows(
              IllegalStateException.class,
              () -> counting(b -> b.taskLimits(TaskLimits.UNLIMITED.allocatedBytes(BIG))));
      assertTrue(refused.getMessage().contains("HANDOFF"), refused.getMessage());
      counting(Observers::taskMetrics);
      Task<Void> task = counting.newTask("t", () -> {});
      assertThrows(
          IllegalStateException.class, () -> TaskLimits.UNLIMITED.allocatedBytes(1).applyTo(task));
      TaskLimits.UNLIMITED.turns(1).applyTo(task);
    } else {
      counting(b -> b.taskLimits(TaskLimits.UNLIMITED.allocatedBytes(BIG)));
      Task<Void> task =
          counting.spawn(() -> {
            sink = new byte[BIG];
            counting.yield();
            trace("not reached");
          });
      counting.start();
      assertTrue(exceeded(task).getMessage().contains("allocatedBytes="));
    }
  }

  @Test
  void limits_ofOneTask_replacesTheStandard() {
    counting(b -> b.taskLimits(TaskLimits.UNLIMITED.turns(1)));
    Task<Void> task =
        counting.newTask(
            "t",
            () -> {
              counting.yield();
              counting.yield();
            });
    TaskLimits.UNLIMITED.applyTo(task);
    counting.scheduleTask(task);
    counting.start();
    assertTrue(task.isDone());
    task.join();
  }

  @Test
  void limits_addOn_hasNone() {
    counting(b -> b.taskLimits(TaskLimits.UNLIMITED.turns(1)));
    StepTask<Void> addOn = counting.host().install(self -> StepResult.AGAIN);
    addOn.wake();
    TaskLimits.UNLIMITED.applyTo(counting.spawn(() -> counting.yield()));
    counting.start();
    assertFalse(addOn.isDone());
    assertTrue(of(addOn).turns() > 1);
  }

  @Test
  void limits_taskIsCancelledAlready_endsAsCancelled() {
    counting(b -> b.taskLimits(TaskLimits.UNLIMITED.turns(1)));
    Task<Void> task =
        counting.spawn(() -> {
          counting.yield();
          counting.currentTask().cancel("why");
          counting.yield();
        });
    counting.start();
    assertTrue(task.isCancelled());
  }

  @Test
  void limits_badLimits_areRefused() {
    assumeTrue(backend.name().equals("HANDOFF"), "once is enough");
    TaskLimits none = TaskLimits.UNLIMITED;
    assertThrows(IllegalArgumentException.class, () -> none.turns(0));
    assertThrows(IllegalArgumentException.class, () -> none.allocatedBytes(-1));
    assertThrows(IllegalArgumentException.class, () -> none.runTime(Duration.ofNanos(-1)));
    assertThrows(NullPointerException.class, () -> new Observers().taskLimits(null));
    assertEquals(
        "limits(turns=2, runTime=5 ms, allocatedBytes=unlimited)",
        none.turns(2).runTime(Duration.ofMillis(5)).toString());
  }
}
