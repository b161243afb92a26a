package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Values that go into a turn and come out of it: docs/inside/semantics.md, rules 7 and 8, `step`,
/// `run`, `halt`.
class ValuesTest extends SchedulerTest {

  @Test
  void suspend_scheduledWithAValue_returnsIt() {
    Task<Void> task =
        scheduler.spawn(() -> {
          trace(scheduler.suspend());
          trace(scheduler.suspend());
          trace(scheduler.suspend());
        });
    drive();
    scheduler.scheduleTask(task, "back");
    drive();
    scheduler.queue().scheduleNext(task, "front");
    drive();
    scheduler.scheduleTask(task, null);
    scheduler.start();
    assertTrace("back front null");
  }

  @Test
  void suspend_scheduledWithoutAValue_returnsNull() {
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.suspend()));
    drive();
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("null");
  }

  @Test
  void suspend_fromAnyDepth_returnsThere() {
    Task<Void> task = scheduler.spawn(() -> trace(suspendAtDepth(1_000)));
    drive();
    scheduler.scheduleTask(task, "deep");
    scheduler.start();
    assertTrace("deep");
  }

  private Object suspendAtDepth(int depth) {
    return depth == 0 ? scheduler.suspend() : suspendAtDepth(depth - 1);
  }

  @Test
  void step_value_goesInAndTheYieldedComesOut() {
    Task<String> task =
        scheduler.spawn(() -> {
          trace(scheduler.received());
          trace(scheduler.received());
          trace(scheduler.yield("p1"));
          trace(scheduler.suspend("p2"));
          return "p3";
        });
    assertEquals("p1", scheduler.step("a"));
    assertEquals("p2", scheduler.step("b"));
    assertEquals("c", scheduler.step("c"));
    assertTrace("a null b");
    assertTrue(scheduler.scheduleTask(task));
    assertEquals("p3", scheduler.step("d"));
    assertTrace("d");
  }

  @Test
  void step_firstValueNotTaken_isNotDeliveredLater() {
    Task<Void> task =
        scheduler.spawn(() -> {
          trace(scheduler.yield("p1"));
          trace(scheduler.suspend("p2"));
        });
    scheduler.step("a");
    scheduler.step("b");
    assertTrace("b");
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("null");
  }

  @Test
  void step_firstValueNotTakenThenSuspended_isNotDeliveredLater() {
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.suspend("p1")));
    assertEquals("p1", scheduler.step("a"));
    scheduler.scheduleTask(task);
    scheduler.step();
    assertTrace("null");
  }

  @Test
  void step_firstValueNotTakenThenAwait_isNotDeliveredLater() {
    var signal = new WaitQueueEvent();
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(signal)));
    scheduler.step("a");
    scheduler.scheduleTask(task);
    scheduler.step();
    assertTrace("null");
  }

  @Test
  void step_firstValueNotTakenByAStepTask_isNotDeliveredLater() {
    var turns = new int[1];
    scheduler
        .host()
        .spawnSteps(
            "steps",
            self -> {
              if (turns[0]++ == 0) {
                return StepResult.AGAIN;
              }
              trace(self.received());
              return StepResult.DONE;
            });
    scheduler.step("a");
    scheduler.step("b");
    assertTrace("b");
  }

  @Test
  void step_nobodyReady_givesTheValueBack() {
    var value = new Object();
    assertSame(value, scheduler.step(value));
    assertNull(scheduler.step(null));
    assertFalse(scheduler.step());
  }

  @Test
  void step_scheduledWithAValueOfItsOwn_thatOneArrives() {
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.suspend()));
    scheduler.step();
    scheduler.scheduleTask(task, "own");
    scheduler.step("stepped");
    assertTrace("own");
  }

  @Test
  void step_withoutValue_oneTurnEach() {
    scheduler.spawn(() -> {
      trace(1);
      scheduler.yield();
      trace(2);
    });
    assertTrue(scheduler.step());
    assertTrace("1");
    assertTrue(scheduler.step());
    assertTrace("2");
    assertFalse(scheduler.step());
  }

  @Test
  void yield_plain_returnsNothingAndProducesNothing() {
    scheduler.spawn(() -> {
      scheduler.yield();
      trace(scheduler.yield("x"));
    });
    assertNull(scheduler.step("a"));
    assertEquals("x", scheduler.step("b"));
    scheduler.step("c");
    assertTrace("c");
  }

  @Test
  void run_value_eachProductGoesToTheNextTask() {
    for (String name : new String[] {"A", "B", "C"}) {
      scheduler.spawn(
          name,
          () -> {
            Object got = scheduler.received();
            got = scheduler.yield(got + name + "1");
            return got + name + "2";
          });
    }
    assertEquals("-A1B1C1A2B2C2", scheduler.run("-"));
  }

  @Test
  void run_nobodyReady_givesTheValueBack() {
    assertEquals("v", scheduler.run("v"));
  }

  @Test
  void run_taskLeftSuspended_returnsTheLastProduct() {
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.suspend("out")));
    assertEquals("out", scheduler.run("in"));
    scheduler.scheduleTask(task);
    scheduler.run("again");
    assertTrace("again");
  }

  @Test
  void halt_inRun_returnsTheValueAndGoesOnWithTheSameTask() {
    scheduler.spawn(
        "H",
        () -> {
          trace("H1");
          trace(scheduler.halt("halted"));
          trace("H2");
          return "end";
        });
    scheduler.spawn("X", () -> trace("X" + scheduler.received()));
    assertEquals("halted", scheduler.run("a"));
    assertTrace("H1");
    assertEquals("H", scheduler.queue().readyTasks().getFirst().name());
    assertNull(scheduler.run("b"));
    assertTrace("b H2 Xend");
  }

  @Test
  void halt_inStart_returnsAndStartGoesOnAnyNumberOfTimes() {
    scheduler.spawn(() -> {
      for (int i = 0; i < 5; i++) {
        trace(i);
        scheduler.halt(null);
      }
      trace("end");
    });
    for (int i = 0; i < 5; i++) {
      scheduler.start();
      assertTrace("" + i);
    }
    scheduler.start();
    assertTrace("end");
  }

  @Test
  void halt_inStep_isJustAProduct() {
    scheduler.spawn(() -> trace(scheduler.halt("out")));
    assertEquals("out", scheduler.step("in"));
    scheduler.step("back");
    assertTrace("back");
  }

  @Test
  void await_firedWithNull_returnsNull() {
    var signal = new WaitQueueEvent();
    scheduler.spawn(() -> trace(scheduler.await(signal)));
    drive();
    signal.fireAll(null);
    scheduler.start();
    assertTrace("null");
  }

  @Test
  void await_failed_throwsTheFailureAsItIs() {
    var signal = new WaitQueueEvent();
    var checked = new IOException("broken");
    scheduler.spawn(() -> {
      trace(assertThrows(Throwable.class, () -> scheduler.await(signal)) == checked);
      scheduler.yield();
      trace("goes on");
    });
    drive();
    assertEquals(1, signal.failAll(checked));
    scheduler.start();
    assertTrace("true goes on");
  }

  @Test
  void yield_outsideATask_saysSo() {
    for (var call :
        List.<Executable>of(
            () -> scheduler.yield(),
            () -> scheduler.yield("v"),
            scheduler::suspend,
            () -> scheduler.halt(null),
            scheduler::received,
            () -> scheduler.await(Waitable.always(1)),
            () -> scheduler.select(Waitable.always(1)),
            () -> scheduler.blocking(() -> 1),
            () -> scheduler.shielded(() -> 1),
            () -> scheduler.newScope("s").run(() -> 1))) {
      var told = assertThrows(IllegalStateException.class, call);
      assertTrue(told.getMessage().contains("outside of a task"), told.getMessage());
    }
    scheduler.spawn(() -> trace("still runs"));
    scheduler.start();
    assertTrace("still runs");
  }

  @Test
  void yield_inAStepTask_saysSoByName() {
    scheduler
        .host()
        .spawnSteps(
            "stepper",
            self -> {
              var told = assertThrows(IllegalStateException.class, scheduler::yield);
              assertTrue(told.getMessage().contains("step task 'stepper'"), told.getMessage());
              assertThrows(IllegalStateException.class, () -> scheduler.await(Waitable.always(1)));
              trace("told");
              return StepResult.DONE;
            });
    scheduler.start();
    assertTrace("told");
  }

  @Test
  void run_trapReplacesTheResult_handsOnWhatTheTrapReturned() {
    Task<String> task = scheduler.newTask("t", () -> "raw");
    task.trap((ended, outcome) -> new Outcome.Success<>("trapped"));
    scheduler.scheduleTask(task);
    scheduler.spawn("next", () -> trace(scheduler.received()));
    scheduler.run("in");
    assertTrace("trapped");
  }

  @Test
  void step_trapRecoversFromAFailure_returnsItsValue() {
    Task<String> task =
        scheduler.newTask(
            "t",
            () -> {
              throw new IllegalStateException("oops");
            });
    task.trap(Trap.recover(e -> "saved"));
    scheduler.scheduleTask(task);
    assertEquals("saved", scheduler.step("in"));
  }

  @Test
  void step_trapMakesItFail_returnsNull() {
    Task<String> task = scheduler.newTask("t", () -> "raw");
    task.trap((ended, outcome) -> new Outcome.Failure<>(new IllegalStateException("trap")));
    scheduler.scheduleTask(task);
    assertNull(scheduler.step("in"));
    assertThrows(TaskFailedException.class, task::join);
    takeReported();
  }

  @Test
  void step_trapOfAnotherTask_isNotTheProductOfTheTurn() {
    Task<String> other = scheduler.newTask("other", () -> "raw");
    other.trap((ended, outcome) -> new Outcome.Success<>("trapped"));
    scheduler.spawn(() -> {
      other.cancel("why");
      return "mine";
    });
    assertEquals("mine", scheduler.step("in"));
    assertEquals("trapped", other.join());
  }
}
