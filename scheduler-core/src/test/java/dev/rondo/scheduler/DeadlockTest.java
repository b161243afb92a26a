package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tasks are left and nothing can wake them: docs/inside/semantics.md, rule 10.
class DeadlockTest extends SchedulerTest {

  @Test
  void start_tasksJoinEachOther_namesTheCycleAndIsIntact() {
    var tasks = new ArrayList<Task<?>>();
    Task<?> outside = scheduler.newTask("outsider", () -> tasks.getFirst().join());
    for (int i = 0; i < 3; i++) {
      int next = (i + 1) % 3;
      tasks.add(scheduler.newTask("t" + i, () -> tasks.get(next).join()));
    }
    scheduler.scheduleTask(outside);
    tasks.forEach(scheduler::scheduleTask);
    var told = assertThrows(DeadlockException.class, scheduler::start);
    assertEquals(Set.of("t0", "t1", "t2"), new HashSet<>(told.cycle()));
    assertEquals(3, told.cycle().size());
    String cycle = String.join("' -> '", told.cycle());
    assertTrue(told.getMessage().contains("cycle: '" + cycle), told.getMessage());
    assertTrue(told.getMessage().contains("4 tasks are left"), told.getMessage());
    TaskInfo outsider =
        told.tasks().stream().filter(i -> i.name().equals("outsider")).findFirst().orElseThrow();
    assertEquals(TaskState.WAITING, outsider.state());
    assertEquals("t0", outsider.holder());
    assertTrue(outsider.toString().contains("DeadlockTest"), outsider.toString());
    // The scheduler is intact: it reports again, and its tasks can be cancelled.
    assertThrows(DeadlockException.class, scheduler::start);
    assertTrue(tasks.get(1).cancel("by hand"));
    scheduler.start();
    assertTrue(tasks.stream().allMatch(Task::isDone));
    assertEquals(2, takeReported().size()); // nothing joins t2 and the outsider
  }

  @Test
  void start_oneTaskSuspended_saysWhoSinceWhenAndWhere() {
    Task<Object> task = scheduler.spawn("lonely", this::waitForNobody);
    drive();
    time.advance(Duration.ofSeconds(2));
    var told = assertThrows(DeadlockException.class, scheduler::start);
    assertEquals(List.of(), told.cycle());
    assertTrue(told.getMessage().contains("1 task is left"), told.getMessage());
    assertTrue(told.getMessage().contains("scheduler.keepAlive()"), told.getMessage());
    assertTrue(told.getMessage().contains("'lonely' SUSPENDED"), told.getMessage());
    assertTrue(told.getMessage().contains("2 s"), told.getMessage());
    assertTrue(told.getMessage().contains("waitForNobody"), told.getMessage());
    task.cancel("enough");
    scheduler.start();
    assertTrue(task.isCancelled());
  }

  private Object waitForNobody() {
    return scheduler.suspend();
  }

  /// No other thread completes it.
  @Test
  void start_completionOfATaskThatNeverEnds_isADeadlock() {
    Task<Object> never = scheduler.spawn("never", this::waitForNobody);
    Task<Object> main = scheduler.spawn("main", () -> scheduler.await(scheduler.completion(never)));
    var told = assertThrows(DeadlockException.class, scheduler::start);
    assertTrue(told.getMessage().contains("for completion of task 'never'"), told.getMessage());
    scheduler.scheduleTask(never, 3);
    scheduler.start();
    assertEquals(3, main.join());
  }

  @Test
  void start_timerArmed_isNoDeadlock() {
    runTask(() ->
        assertThrows(
            TimedOutException.class, () -> scheduler.await(Waitable.never(), Duration.ofDays(1))));
  }

  @Test
  void start_onlyDaemonsWait_isNoDeadlock() {
    Task<?> task = scheduler.newTask("d", () -> scheduler.suspend()).daemon();
    scheduler.scheduleTask(task);
    scheduler.start();
    task.cancel("done");
    drive();
    assertTrue(task.isDone());
  }

  @Test
  void start_addOnFailed_deadlockCarriesItsFailure() {
    var broken = new IOException("add-on");
    scheduler
        .host()
        .install(
            new AddOn() {
              @Override
              public StepResult turn(StepTask<Void> self) throws IOException {
                throw broken;
              }

              @Override
              public void close() {
                trace("closed");
              }
            })
        .wake();
    Task<Object> task = scheduler.spawn(() -> scheduler.suspend());
    var told = assertThrows(DeadlockException.class, scheduler::start);
    assertEquals(broken, told.getSuppressed()[0]);
    assertEquals(broken, takeReported().getFirst().failure());
    assertTrace("closed");
    scheduler.scheduleTask(task);
    scheduler.start();
  }

  @Test
  void start_selfHeldCycle_isNamed() {
    Task<?>[] task = new Task<?>[1];
    var held =
        new Waitable<Object>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {}

          @Override
          public void disarm(Waiter<? super Object> waiter) {}

          @Override
          public Task<?> holder() {
            return task[0];
          }
        };
    task[0] = scheduler.spawn("self", () -> scheduler.await(held));
    var told = assertThrows(DeadlockException.class, scheduler::start);
    assertEquals(List.of("self"), told.cycle());
    task[0].cancel("enough");
    scheduler.start();
  }
}
