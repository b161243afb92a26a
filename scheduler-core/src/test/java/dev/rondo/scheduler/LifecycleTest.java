package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Starting, stopping, and starting again: docs/inside/semantics.md, rules 6, 9 and 10.
@BackendsDiffer
class LifecycleTest extends SchedulerTest {

  @Test
  void start_nothingToDo_returns() {
    scheduler.start();
    scheduler.start();
    assertEquals(0, scheduler.tasksPending());
  }

  @Test
  void start_onlyDaemonsLeft_returnsAndTheySurvive() {
    Task<?> daemon =
        scheduler
            .newTask(
                "d",
                () -> {
                  trace(scheduler.suspend());
                  return null;
                })
            .daemon();
    scheduler.scheduleTask(daemon);
    scheduler.spawn(() -> {});
    scheduler.start();
    assertTrue(daemon.isDaemon());
    assertFalse(daemon.isDone());
    scheduler.scheduleTask(daemon, "later");
    scheduler.start();
    drive();
    assertTrace("later");
  }

  @Test
  void start_lastWorkingTaskEnds_busyDaemonsGetNoMoreTurns() {
    drive();
    int[] turns = new int[1];
    StepTask<Void> daemon =
        scheduler
            .host()
            .newStepTask(
                "busy daemon",
                self -> {
                  turns[0]++;
                  return StepResult.AGAIN;
                });
    daemon.daemon();
    daemon.wake();
    scheduler.spawn(() -> {});
    scheduler.start();
    assertTrue(turns[0] <= 1, "turns after the end: " + turns[0]);
    daemon.cancel("enough");
  }

  @Test
  void start_insideAStart_saysSoAndHarmsNothing() {
    for (Executable call :
        List.<Executable>of(
            scheduler::start,
            scheduler::step,
            () -> scheduler.step("v"),
            () -> scheduler.run("v"),
            scheduler::close)) {
      Task<Void> task =
          scheduler.spawn(
              "inside",
              () -> {
                var told = assertThrows(IllegalStateException.class, call);
                assertTrue(told.getMessage().contains("inside of a running scheduler"));
                assertTrue(told.getMessage().contains("'inside'"), told.getMessage());
                scheduler.yield();
                trace("fine");
              });
      scheduler.start();
      assertTrue(task.isDone());
      assertTrace("fine");
    }
  }

  @Test
  void stop_inATask_startReturnsAfterThisTurnAndGoesOnLater() {
    scheduler.spawn(() -> {
      for (int i = 0; i < 5; i++) {
        scheduler.stop();
        trace("s" + i);
        scheduler.yield();
      }
    });
    scheduler.spawn(() -> {
      for (int i = 0; i < 3; i++) {
        trace("o" + i);
        scheduler.yield();
      }
    });
    scheduler.start();
    assertTrace("s0");
    scheduler.start();
    assertTrace("o0 s1");
    scheduler.start();
    assertTrace("o1 s2");
    scheduler.start();
    assertTrace("o2 s3");
    scheduler.start();
    scheduler.start();
    assertTrace("s4");
  }

  @Test
  void stop_andThenWait_taskIsLeftWaiting() {
    var signal = new WaitQueueEvent();
    scheduler.spawn(() -> {
      scheduler.stop();
      trace(scheduler.await(signal));
    });
    scheduler.start();
    assertEquals(1, signal.waiters());
    signal.fireAll("later");
    scheduler.start();
    assertTrace("later");
  }

  @Test
  void stop_onItsThreadWhenNotRunning_hasNoEffect() {
    scheduler.stop();
    scheduler.spawn(() -> trace("ran"));
    scheduler.start();
    assertTrace("ran");
  }

  @Test
  void stop_inAStep_doesNotReachIntoTheNextStart() {
    scheduler.spawn(() -> scheduler.stop());
    scheduler.step();
    scheduler.spawn(() -> trace("ran"));
    scheduler.start();
    assertTrace("ran");
  }

  @Test
  void stop_fromAnotherThreadBefore_endsTheNextRunOnly() throws Exception {
    scheduler.spawn(() -> trace("ran"));
    elsewhere(() -> {
      scheduler.stop();
      return null;
    });
    scheduler.start();
    assertTrace("");
    scheduler.start();
    assertTrace("ran");
  }

  @Test
  void stop_fromAnotherThreadAtTheVeryEnd_isUsedUp() {
    Task<Void> task =
        scheduler.spawn(() -> {
          elsewhere(() -> {
            scheduler.stop();
            return null;
          });
          scheduler.suspend();
        });
    scheduler.start();
    scheduler.spawn(() -> trace("ran"));
    assertThrows(DeadlockException.class, scheduler::start);
    assertTrace("ran");
    scheduler.scheduleTask(task);
    scheduler.start();
  }

  @Test
  void stop_fromAnotherThreadWhileAsleep_returns() throws Exception {
    try (var _ = scheduler.keepAlive()) {
      Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
      drive();
      Thread other = Thread.ofPlatform().start(scheduler::stop);
      scheduler.start();
      other.join();
      assertEquals(TaskState.SUSPENDED, task.taskState());
      scheduler.scheduleTask(task);
    }
    scheduler.start();
  }

  @Test
  void interrupt_whileAsleep_stopsAndIsFoundByTheCaller() throws Exception {
    Thread loop = Thread.currentThread();
    try (var _ = scheduler.keepAlive()) {
      Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
      drive();
      Thread other = Thread.ofPlatform().start(loop::interrupt);
      scheduler.start();
      assertTrue(Thread.interrupted());
      other.join();
      scheduler.scheduleTask(task);
      scheduler.start();
      assertTrue(task.isDone());
    }
  }

  @Test
  void interrupt_whileBusy_stopsAndIsFoundByTheCaller() {
    Thread loop = Thread.currentThread();
    int[] turns = new int[1];
    Task<Void> task =
        scheduler.spawn(() -> {
          while (turns[0] < 100_000) {
            if (turns[0]++ == 10) {
              interruptFromOutside(loop);
            }
            scheduler.yield();
          }
        });
    scheduler.start();
    assertTrue(Thread.interrupted());
    assertTrue(turns[0] < 100_000, "the loop was not stopped");
    turns[0] = 100_000;
    scheduler.start();
    assertTrue(task.isDone());
  }

  @Test
  void interrupt_inTheLastTurnOfATask_isFoundByTheCaller() {
    Thread loop = Thread.currentThread();
    scheduler.spawn(() -> interruptFromOutside(loop));
    scheduler.start();
    assertTrue(Thread.interrupted());
  }

  @Test
  void interrupt_ofATasksOwnThread_doesNotStopTheLoop() {
    assumeFalse(backend.name().equals("CONTINUATION")); // where the thread is the loop's
    scheduler.spawn(() -> {
      Thread.currentThread().interrupt();
      scheduler.yield();
      trace(Thread.interrupted());
    });
    scheduler.start();
    assertFalse(Thread.interrupted());
    assertTrace("true");
  }

  @Test
  void run_lastWorkingTaskCancelledWhileOnlyAnAddOnIdles_returns() {
    drive(); // from now on a pass comes every 256 turns only
    StepTask<Void> waiter = scheduler.host().spawnSteps("w", self -> self.await(Waitable.never()));
    scheduler
        .host()
        .install(
            new AddOn() {
              @Override
              public StepResult turn(StepTask<Void> self) {
                return self.idle();
              }
            })
        .wake();
    scheduler.spawn(() -> elsewhere(() -> waiter.cancel("from afar")));
    scheduler.start();
    assertTrue(waiter.isDone());
  }

  @Test
  void current_insideAndOutside() {
    assertThrows(IllegalStateException.class, Scheduler::current);
    runTask(() -> assertSame(scheduler, Scheduler.current()));
    assertThrows(IllegalStateException.class, Scheduler::current);
  }

  @Test
  void tasks_insideATask_listsAllWithTheirStacks() {
    Task<Object> sleeper = scheduler.spawn("sleeper", this::sleep);
    drive();
    runTask(() -> {
      List<TaskInfo> infos = scheduler.tasks();
      TaskInfo info =
          infos.stream().filter(i -> i.name().equals("sleeper")).findFirst().orElseThrow();
      assertEquals(TaskState.SUSPENDED, info.state());
      assertTrue(info.toString().contains("LifecycleTest.sleep"), info.toString());
      assertTrue(infos.stream().anyMatch(i -> i.state() == TaskState.RUNNING));
      scheduler.scheduleTask(sleeper);
    });
  }

  @Test
  void taskInfo_ofOneTask_isWhatItIsDoing() {
    Task<Object> sleeper = scheduler.spawn("sleeper", this::sleep);
    assertEquals(TaskState.READY, LoopView.of(sleeper).describe(sleeper).state());
    drive();
    TaskInfo info = LoopView.of(sleeper).describe(sleeper);
    assertEquals(TaskState.SUSPENDED, info.state());
    assertTrue(info.toString().contains("LifecycleTest.sleep"), info.toString());
    runTask(() -> {
      assertEquals(
          TaskState.RUNNING,
          LoopView.of(scheduler.currentTask()).describe(scheduler.currentTask()).state());
      scheduler.scheduleTask(sleeper);
    });
    assertEquals(TaskState.SUCCEEDED, LoopView.of(sleeper).describe(sleeper).state());
  }

  private Object sleep() {
    return scheduler.suspend();
  }

  @Test
  void tasks_sleeperJoins_stackIsShown() {
    Task<Object> sleeper = scheduler.spawn("sleeper", this::sleep);
    scheduler.spawn(
        "looker",
        () -> {
          TaskInfo info =
              scheduler.tasks().stream()
                  .filter(i -> i.name().equals("sleeper"))
                  .findFirst()
                  .orElseThrow();
          assertTrue(info.toString().contains("LifecycleTest.sleep"), info.toString());
          assertFalse(info.toString().contains("lambda$tasks_sleeper"), info.toString());
          scheduler.scheduleTask(sleeper);
        });
    scheduler.start();
  }
}
