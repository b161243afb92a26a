package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// What a listener sees when a task has ended in its turn: no task is running, above all not the
/// next.
class DoneListenerTest extends SchedulerTest {

  private void whenDone(String name, Consumer<Scheduler> code) {
    Scheduler[] watched = new Scheduler[1];
    watched[0] =
        configured()
            .listener(
                new TaskListener() {
                  @Override
                  public void done(Task<?> task) {
                    if (task.name().equals(name)) {
                      code.accept(watched[0]);
                    }
                  }
                })
            .build();
    try (Scheduler scheduler = watched[0]) {
      time.serve(scheduler);
      scheduler.host().spawnSteps("steps", self -> StepResult.DONE);
      next = scheduler.spawn("next", () -> trace("next runs"));
      scheduler.spawn("other", () -> trace("other runs"));
      scheduler.start();
    }
  }

  private Task<?> next;

  @Test
  void done_theNextIsCancelled_itNeverRuns() {
    whenDone(
        "steps",
        scheduler -> {
          assertEquals(TaskState.READY, next.taskState());
          assertTrue(next.cancel("not needed"));
          assertTrue(next.isDone());
        });
    assertTrace("other runs");
  }

  @Test
  void done_readyTasks_allAreThere() {
    whenDone(
        "steps",
        scheduler -> trace(scheduler.tasksPending() + "=" + scheduler.queue().readyTasks().size()));
    assertTrace("2=2 next runs other runs");
  }

  @Test
  void done_aTaskIsMade_theNextIsNotItsOwner() {
    whenDone(
        "steps",
        scheduler ->
            assertEquals(OptionalLong.empty(), scheduler.newTask("made", () -> {}).parentId()));
    assertTrace("next runs other runs");
  }

  @Test
  void done_aTaskIsPutInFront_itRunsBeforeTheNext() {
    whenDone(
        "next",
        scheduler ->
            scheduler.queue().scheduleNext(scheduler.newTask("front", () -> trace("front runs"))));
    assertTrace("next runs front runs other runs");
  }

  @Test
  void done_theNextIsScheduled_isRefusedAsReady() {
    whenDone("steps", scheduler -> assertFalse(scheduler.scheduleTask(next)));
    assertTrace("next runs other runs");
  }
}
