package dev.rondo.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// On BOUND, code of users that is no stackful task does not block the thread that carries the
/// tasks.
@BackendsDiffer
class HelperThreadTest extends SchedulerTest {

  private final ReentrantLock lock = new ReentrantLock();
  private final CountDownLatch gate = new CountDownLatch(1);

  @BeforeEach
  void onlyBound() {
    assumeTrue(backend.name().equals("BOUND"));
  }

  private void useLock(String who) {
    lock.lock();
    try {
      trace(who);
    } finally {
      lock.unlock();
    }
  }

  /// Another thread has the lock until two wait for it.
  private Thread holdUntilTwoWait() throws InterruptedException {
    return holdUntilTwoWait(() -> {});
  }

  /// The same, and does something when the first one waits.
  private Thread holdUntilTwoWait(Runnable atTheFirst) throws InterruptedException {
    var held = new CountDownLatch(1);
    Thread holder =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              lock.lock();
              try {
                held.countDown();
                while (lock.getQueueLength() < 1) {
                  Thread.onSpinWait();
                }
                atTheFirst.run();
                while (lock.getQueueLength() < 2) {
                  Thread.onSpinWait();
                }
              } finally {
                lock.unlock();
              }
            });
    held.await();
    return holder;
  }

  // The lock is handed to a task, and code on the loop's thread waits behind it.

  @Test
  void lock_sharedByAThreadATaskAndARunnable_allGetIt() throws InterruptedException {
    Thread holder = holdUntilTwoWait();
    scheduler.spawn("task", () -> useLock("task"));
    scheduler.execute(() -> useLock("runnable"));
    scheduler.start();
    holder.join();
    assertTrace("task runnable");
  }

  @Test
  void lock_sharedByAThreadATaskAndAStepTask_allGetIt() throws InterruptedException {
    Thread holder = holdUntilTwoWait();
    scheduler.spawn("task", () -> useLock("task"));
    scheduler
        .host()
        .spawnSteps(
            "steps",
            self -> {
              useLock("steps");
              return StepResult.DONE;
            });
    scheduler.start();
    holder.join();
    assertTrace("task steps");
  }

  @Test
  void lock_sharedByAThreadATaskAndAListener_allGetIt() throws InterruptedException {
    var listener =
        new TaskListener() {
          @Override
          public void beforeTurn(Task<?> task) {
            if (task.name().equals("other")) {
              useLock("listener");
            }
          }
        };
    Thread holder = holdUntilTwoWait();
    try (Scheduler heard = configured().listener(listener).build()) {
      heard.spawn("task", () -> useLock("task"));
      heard.spawn("other", () -> {});
      heard.start();
    }
    holder.join();
    assertTrace("task listener");
  }

  @Test
  void lock_sharedByAThreadATaskAndAFailureHandler_allGetIt() throws InterruptedException {
    try (Scheduler strict =
        configured().failureHandler((where, failure) -> useLock("handler")).build()) {
      Task<Void> unborn = strict.newTask("unborn", () -> {});
      unborn.trap((self, outcome) -> new Outcome.Failure<>(new IllegalStateException("test")));
      Thread holder = holdUntilTwoWait(() -> unborn.cancel("by another thread"));
      strict.spawn("task", () -> useLock("task"));
      strict.start();
      holder.join();
    }
    assertTrace("task handler");
  }

  @Test
  void lock_sharedByAThreadATaskAndAnEvent_allGetIt() throws InterruptedException {
    Thread holder = holdUntilTwoWait(() -> assertTrue(scheduler.post(() -> useLock("event"))));
    scheduler.spawn("task", () -> useLock("task"));
    scheduler.start();
    holder.join();
    assertTrace("task event");
  }

  @Test
  void lock_sharedWhileTheSchedulerCloses_allGetIt() throws InterruptedException {
    var listener =
        new TaskListener() {
          @Override
          public void done(Task<?> task) {
            if (task.name().equals("other")) {
              useLock("listener");
            }
          }
        };
    Thread holder;
    try (Scheduler heard = configured().listener(listener).build()) {
      heard.spawn(
          "other",
          () -> {
            heard.suspend();
          });
      heard.spawn(
          "task",
          () -> {
            try {
              heard.suspend();
            } finally {
              useLock("task");
            }
          });
      while (heard.step()) {
        trace("step");
      }
      holder = holdUntilTwoWait();
    }
    holder.join();
    assertTrace("step step task listener");
  }

  @Test
  void lock_heldAcrossASuspension_aRunnableWaitsForIt() {
    scheduler.spawn(
        "task",
        () -> {
          lock.lock();
          try {
            for (int i = 0; i < 3; i++) {
              scheduler.yield();
            }
            trace("task");
          } finally {
            lock.unlock();
          }
        });
    scheduler.execute(() -> useLock("runnable"));
    scheduler.spawn(() -> trace("other"));
    scheduler.start();
    assertTrace("other task runnable");
  }

  // A step task that is blocked.

  private StepTask<String> blockedStepTask() {
    StepTask<String> task =
        scheduler
            .host()
            .spawnSteps(
                "steps",
                self -> {
                  gate.await();
                  trace("through");
                  return self.done("value");
                });
    scheduler.step();
    return task;
  }

  @Test
  void blocked_othersGoOn() {
    StepTask<String> task = blockedStepTask();
    assertEquals(TaskState.BLOCKED, task.taskState());
    scheduler.spawn(() -> trace("other"));
    scheduler.step();
    assertTrace("other");
    gate.countDown();
    scheduler.start();
    assertTrace("through");
    assertEquals("value", task.join());
  }

  @Test
  void blocked_cancelled_isInterruptedAndEnds() {
    StepTask<String> task = blockedStepTask();
    assertTrue(task.cancel("enough"));
    scheduler.start();
    var outcome = assertInstanceOf(Outcome.Cancelled.class, task.outcome());
    assertInstanceOf(InterruptedException.class, outcome.cause().getSuppressed()[0]);
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void blocked_woken_hasOneTurnMore() {
    int[] turns = new int[1];
    StepTask<Void> task =
        scheduler
            .host()
            .spawnSteps(
                "steps",
                self -> {
                  trace("turn" + turns[0]);
                  if (turns[0] == 0) {
                    gate.await();
                  }
                  return turns[0]++ < 2 ? StepResult.SUSPEND : StepResult.DONE;
                });
    scheduler.step();
    assertTrue(task.wake());
    gate.countDown();
    assertThrows(DeadlockException.class, scheduler::start);
    assertTrace("turn0 turn1");
    assertTrue(task.cancel("it waits for nothing"));
  }

  @Test
  void blocked_dump_showsWhere() {
    StepTask<String> task = blockedStepTask();
    var info =
        scheduler.tasks().stream()
            .filter(each -> each.name().equals("steps"))
            .findFirst()
            .orElseThrow();
    assertEquals(TaskState.BLOCKED, info.state());
    assertTrue(
        info.stack().stream().anyMatch(frame -> frame.getMethodName().equals("await")),
        info::toString);
    gate.countDown();
    scheduler.start();
    assertTrue(task.isDone());
    assertTrace("through");
  }

  @Test
  void current_inAStepTask_isTheScheduler() {
    scheduler.execute(() -> {
      assertSame(scheduler, Scheduler.current());
      trace(scheduler.currentTask() instanceof StepTask<?>);
    });
    scheduler.start();
    assertTrace("true");
  }
}
