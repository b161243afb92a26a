package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.coroutine.PinnedException;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.PinnedFrame;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Listeners: the calls and their order, and that a broken listener breaks nothing.
@BackendsDiffer
class TaskListenerTest extends SchedulerTest {

  private final List<Throwable> told = new ArrayList<>();
  private Scheduler watched;

  /// Traces every call.
  private class Tracing implements TaskListener {
    private final String prefix;

    Tracing(String prefix) {
      this.prefix = prefix;
    }

    void note(String what, Task<?> task) {
      trace(prefix + what + ":" + task.name());
    }

    @Override
    public void created(Task<?> task) {
      note("created", task);
    }

    @Override
    public void beforeTurn(Task<?> task) {
      assertEquals(TaskState.RUNNING, task.taskState());
      note("before", task);
    }

    @Override
    public void afterTurn(Task<?> task) {
      note("after", task);
    }

    @Override
    public void suspended(Task<?> task) {
      note(task.taskState().toString(), task);
    }

    @Override
    public void done(Task<?> task) {
      note(task.taskState().toString(), task);
    }
  }

  private Scheduler watchedBy(TaskListener... listeners) {
    SchedulerBuilder builder = configured().failureHandler((where, failure) -> told.add(failure));
    for (TaskListener each : listeners) {
      builder.listener(each);
    }
    watched = builder.build();
    return watched;
  }

  @AfterEach
  void closeWatched() {
    watched.close();
    assertEquals(List.of(), told);
  }

  @Test
  void listener_joinAndYield_isToldEveryTurnInOrder() {
    watchedBy(new Tracing(""));
    watched.spawn(
        "p",
        () -> {
          Task<Void> child =
              watched.spawn(
                  "c",
                  () -> {
                    watched.yield();
                  });
          child.join();
        });
    watched.start();
    assertTrace(
        "created:p before:p created:c after:p WAITING:p"
            + " before:c after:c before:c SUCCEEDED:c after:c before:p SUCCEEDED:p after:p");
  }

  @Test
  void listener_childThatAGroupRefuses_isNotToldOf() {
    watchedBy(new Tracing(""));
    TaskGroup<Object> group = watched.newGroup("not open");
    assertThrows(IllegalStateException.class, () -> group.spawn("c", () -> 1));
    assertThrows(IllegalStateException.class, () -> group.spawnSteps("s", self -> StepResult.DONE));
    assertTrace("");
  }

  @Test
  void listener_stoppedInAJoin_isToldNoTurnTwice() {
    watchedBy(new Tracing(""));
    watched.spawn(
        "p",
        () -> {
          Task<Void> child = watched.spawn("c", () -> watched.stop());
          trace("joins");
          child.join();
          trace("joined");
        });
    watched.start();
    trace("|");
    watched.start();
    assertTrace(
        "created:p before:p created:c joins after:p WAITING:p before:c SUCCEEDED:c after:c"
            + " | before:p joined SUCCEEDED:p after:p");
  }

  @Test
  void listener_pinnedJoin_isToldThatItsTurnGoesOn() {
    var inTurn = new AtomicInteger();
    watchedBy();
    assumeFalse(backend.name().equals("HANDOFF"), "HANDOFF parks a thread, which works anywhere");
    watchedBy(
        new TaskListener() {
          @Override
          public void beforeTurn(Task<?> task) {
            assertEquals(1, inTurn.incrementAndGet());
          }

          @Override
          public void afterTurn(Task<?> task) {
            assertEquals(0, inTurn.decrementAndGet());
          }
        });
    watched.spawn(
        "p",
        () -> {
          Task<Object> child = watched.spawn("c", () -> watched.suspend());
          watched.spawn("h", () -> watched.stop());
          PinnedFrame.run(() -> assertThrows(PinnedException.class, child::join));
          assertEquals(1, inTurn.get());
          child.cancel("enough");
        });
    watched.start();
    watched.start();
  }

  @Test
  void listener_stepTask_isToldOfItsStates() {
    watchedBy(new Tracing(""));
    var turns = new AtomicInteger();
    StepTask<Void> task =
        watched
            .host()
            .spawnSteps(
                "s",
                self ->
                    switch (turns.getAndIncrement()) {
                      case 0 -> StepResult.AGAIN;
                      case 1 -> StepResult.SUSPEND;
                      default -> throw new IllegalStateException("on purpose");
                    });
    watched.step();
    watched.step();
    task.wake();
    watched.step();
    told.clear();
    assertTrace(
        "created:s before:s after:s before:s after:s SUSPENDED:s before:s FAILED:s after:s");
  }

  @Test
  void done_cancelledBeforeItRan_isToldOutsideOfAnyTurn() {
    watchedBy(new Tracing(""));
    watched.spawn("t", () -> {}).cancel("why");
    watched.start();
    assertTrace("created:t CANCELLED:t");
  }

  @Test
  void listener_several_firstSetIsToldFirst() {
    watchedBy(new Tracing("1"), new Tracing("2"));
    watched.spawn("t", () -> {});
    watched.start();
    assertTrace(
        "1created:t 2created:t 1before:t 2before:t 1SUCCEEDED:t 2SUCCEEDED:t 1after:t 2after:t");
  }

  @Test
  void listener_throws_isReportedAndTheOthersAreToldAllTheSame() {
    class Broken implements TaskListener {
      @Override
      public void beforeTurn(Task<?> task) {
        throw new IllegalStateException("broken hook");
      }

      @Override
      public void done(Task<?> task) {
        throw new StackOverflowError("broken hook");
      }
    }
    watchedBy(new Broken(), new Tracing(""));
    Task<String> task = watched.spawn("t", () -> "value");
    watched.start();
    assertEquals("value", task.join());
    assertEquals(
        List.of("broken hook", "broken hook"), told.stream().map(Throwable::getMessage).toList());
    told.clear();
    assertTrace("created:t before:t SUCCEEDED:t after:t");
  }

  @Test
  void listener_triesToGiveWay_isRefused() {
    watchedBy(
        new TaskListener() {
          @Override
          public void created(Task<?> task) {
            if (task.name().equals("inner")) {
              watched.yield();
            }
          }

          @Override
          public void beforeTurn(Task<?> task) {
            assertNull(watched.currentTask());
            watched.step();
          }
        });
    watched.spawn(
        "t",
        () -> {
          watched.spawn("inner", () -> {});
          watched.yield(); // works again
        });
    watched.start();
    assertTrue(told.stream().allMatch(IllegalStateException.class::isInstance), told.toString());
    assertEquals(4, told.size(), told.toString());
    told.clear();
  }

  @Test
  void listener_cancelsAndSpawnsInBeforeTurn_theTurnGoesOn() {
    watchedBy(
        new TaskListener() {
          @Override
          public void beforeTurn(Task<?> task) {
            if (task.name().equals("t")) {
              task.cancel("by a hook");
              watched.queue().scheduleNext(watched.newTask("next", () -> trace("next")));
            }
          }
        });
    Task<Void> task =
        watched.spawn(
            "t",
            () -> {
              trace("runs");
              watched.yield();
              trace("not reached");
            });
    watched.spawn(() -> trace("last"));
    watched.start();
    assertTrue(task.isCancelled());
    assertTrace("runs next last");
  }

  @Test
  void parentId_madeByTaskAndOutside_isTold() {
    watchedBy();
    var inner = new ArrayList<Task<?>>();
    Task<Void> outer =
        watched.spawn(() -> {
          inner.add(watched.spawn(() -> {}));
          inner.add(watched.host().newStepTask("s", self -> StepResult.DONE));
        });
    watched.start();
    assertEquals(OptionalLong.empty(), outer.parentId());
    assertEquals(OptionalLong.of(outer.id()), inner.get(0).parentId());
    assertEquals(OptionalLong.of(outer.id()), inner.get(1).parentId());
  }

  @Test
  void closed_isToldOnceWhenEverythingHasEnded() {
    watchedBy(
        new Tracing("") {
          @Override
          public void closed() {
            trace("closed");
          }
        });
    watched.spawn("t", () -> watched.suspend());
    watched.step();
    watched.close();
    watched.close();
    assertTrace("created:t before:t after:t SUSPENDED:t before:t CANCELLED:t after:t closed");
  }

  @Test
  void afterTurn_reschedulesTheTask_othersHearThatItWasSuspended() {
    TaskListener wakes =
        new TaskListener() {
          @Override
          public void afterTurn(Task<?> task) {
            watched.scheduleTask(task);
          }
        };
    var heard =
        new TaskListener() {
          @Override
          public void suspended(Task<?> task) {
            trace("suspended");
          }
        };
    watchedBy(wakes, heard);
    watched.spawn("t", () -> watched.suspend());
    watched.start();
    assertTrace("suspended");
  }
}
