package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.testing.SchedulerTest;
import org.junit.jupiter.api.Test;

/// The result of a step holds for that turn only.
class StepAnswerTest extends SchedulerTest {

  @Test
  void idle_plainAnswerAfterATimedOne_hasNoDeadline() {
    int[] turns = {0};
    StepTask<Void> idling =
        scheduler
            .host()
            .newStepTask(
                "idling", self -> ++turns[0] == 1 ? self.idleUntil(time.read()) : StepResult.IDLE);
    scheduler.scheduleTask(idling);
    for (int i = 0; i < 10; i++) {
      scheduler.step();
    }
    assertEquals(2, turns[0]);
    idling.cancel("done");
  }

  @Test
  void halt_byDaemon_isWhatRunReturns() {
    Task<Object> daemon = scheduler.newTask("daemon", () -> scheduler.halt("halted")).daemon();
    scheduler.scheduleTask(daemon);
    Task<Void> worker = scheduler.spawn(() -> trace("worker"));
    assertEquals("halted", scheduler.run("value"));
    scheduler.start();
    assertEquals(true, worker.isDone());
    assertTrace("worker");
  }
}
