package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.AddOn;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// The end of a scheduler: every `finally` runs.
class CloseTest extends SchedulerTest {

  private void cleaning(String name, TaskAction<?> body) {
    scheduler.spawn(
        name,
        () -> {
          try {
            body.run();
          } finally {
            trace(name);
          }
        });
  }

  @Test
  void close_waitingTasks_runEveryFinallyYoungestFirst() {
    var signal = new WaitQueueEvent();
    cleaning("a", () -> scheduler.await(signal));
    cleaning("b", () -> scheduler.suspend());
    cleaning("c", () -> scheduler.await(Waitable.never()));
    drive();
    scheduler.close();
    assertTrace("c b a");
    assertEquals(0, signal.waiters());
    assertEquals(0, scheduler.tasks().size());
  }

  @Test
  void close_readyTasks_runEveryFinallyYoungestFirst() {
    cleaning("a", scheduler::yield);
    cleaning("b", () -> scheduler.suspend());
    cleaning("c", scheduler::yield);
    for (int i = 0; i < 3; i++) {
      scheduler.step();
    }
    scheduler.close();
    assertTrace("c b a");
  }

  @Test
  void close_aTrapOfAStepTaskCancelsAnother_eachEndsOnce() {
    var signal = new WaitQueueEvent();
    StepTask<Void> elder = scheduler.host().spawnSteps("elder", self -> self.await(signal));
    StepTask<Void> younger = scheduler.host().spawnSteps("younger", self -> self.await(signal));
    younger.trap((task, outcome) -> {
      elder.cancel("its sister has ended");
      return outcome;
    });
    drive();
    scheduler.close();
    assertTrue(elder.isCancelled());
    assertTrue(younger.isCancelled());
    assertEquals(0, signal.waiters());
  }

  @Test
  void close_whileATaskJoinsOneThatHasNotBegun_bothAreCancelled() {
    assertCancelledWithWhatItJoins(() -> scheduler.spawn("joined", () -> null));
  }

  @Test
  void close_whileATaskJoinsAStepTask_bothAreCancelled() {
    assertCancelledWithWhatItJoins(
        () -> scheduler.host().spawnSteps("joined", self -> self.await(Waitable.never())));
  }

  private void assertCancelledWithWhatItJoins(Supplier<Task<Void>> joined) {
    Task<Void> joining =
        scheduler.spawn(() -> {
          Task<Void> other = joined.get();
          scheduler.stop(); // the run ends before it begins
          other.join();
        });
    scheduler.start();
    scheduler.close();
    assertEquals(List.of(), takeReported());
    assertEquals(TaskState.CANCELLED, joining.taskState());
  }

  @Test
  void close_neverRan_neverRuns() {
    Task<Void> task = scheduler.spawn(() -> trace("ran"));
    scheduler.close();
    assertTrue(task.isCancelled());
  }

  @Test
  void close_shieldedCleanup_mayWait() {
    Task<Void> task =
        scheduler.spawn(() -> {
          try {
            scheduler.suspend();
          } finally {
            trace(
                scheduler.shielded(() -> {
                  scheduler.yield();
                  assertThrows(
                      TimedOutException.class,
                      () -> scheduler.await(Waitable.never(), Duration.ofSeconds(1)));
                  return scheduler.blocking(() -> "waited");
                }));
          }
        });
    drive();
    scheduler.close();
    assertTrace("waited");
    assertTrue(task.isCancelled());
  }

  @Test
  void close_taskWillNotGo_isNamed() {
    Scheduler abandoned = newScheduler();
    abandoned.spawn("stubborn", () -> ignoreCancellation(abandoned));
    abandoned.spawn("shielded", () -> abandoned.shielded(() -> abandoned.suspend()));
    abandoned.step();
    abandoned.step();
    abandoned.close();
    var told = takeReported();
    assertEquals(3, told.size());
    assertTrue(
        told.get(0)
            .failure()
            .getMessage()
            .contains("'stubborn' has received its cancellation 16 times"));
    assertTrue(told.get(1).failure().getMessage().contains("'stubborn'"));
    assertTrue(told.get(1).failure().getMessage().contains("did not end after its cancellation"));
    assertTrue(told.get(2).failure().getMessage().contains("'shielded'"));
  }

  private static Void ignoreCancellation(Scheduler scheduler) {
    while (true) {
      try {
        scheduler.yield();
      } catch (TaskCancelled e) {
        // never
      }
    }
  }

  @Test
  void close_addOns_areClosedLast() {
    scheduler
        .host()
        .install(
            new AddOn() {
              @Override
              public StepResult turn(StepTask<Void> self) {
                return self.idle();
              }

              @Override
              public void close() throws Exception {
                trace("add-on");
                throw new IOException("close");
              }
            });
    cleaning("task", () -> scheduler.suspend());
    drive();
    scheduler.close();
    assertTrace("task add-on");
    assertEquals("close", takeReported().getFirst().failure().getMessage());
  }

  @Test
  void close_twice_doesNothing() {
    scheduler.close();
    scheduler.close();
  }

  @Test
  void afterClose_everythingIsRefused() throws Exception {
    Task<Object> early = scheduler.newTask("early", () -> scheduler.suspend());
    scheduler.close();
    assertThrows(IllegalStateException.class, () -> scheduler.spawn(() -> {}));
    assertThrows(IllegalStateException.class, () -> scheduler.newTask("t", () -> {}));
    assertThrows(IllegalStateException.class, scheduler::start);
    assertThrows(IllegalStateException.class, scheduler::step);
    assertThrows(RejectedExecutionException.class, () -> scheduler.execute(() -> {}));
    elsewhere(() -> {
      assertThrows(RejectedExecutionException.class, () -> scheduler.execute(() -> {}));
      return null;
    });
    assertFalse(early.isDone());
    early.cancel("after all");
    assertTrue(early.isCancelled());
  }

  @Test
  void whileClosing_aTaskThatWasWokenBefore_isCancelledWhereItSpawns() {
    Task<Void> task =
        scheduler.spawn(() -> {
          assertEquals("given", scheduler.suspend());
          try {
            scheduler.spawn(() -> {});
          } catch (TaskCancelled cancelled) {
            trace(cancelled.reason());
            throw cancelled;
          }
        });
    drive();
    assertTrue(scheduler.scheduleTask(task, "given"));
    scheduler.close();
    assertTrace("the scheduler closes");
    assertTrue(task.isCancelled());
  }

  @Test
  void whileClosing_spawnAndExecuteAreRefused() {
    Task<Void> task =
        scheduler.spawn(() -> {
          try {
            scheduler.suspend();
          } finally {
            assertThrows(IllegalStateException.class, () -> scheduler.spawn(() -> {}));
            assertThrows(RejectedExecutionException.class, () -> scheduler.execute(() -> {}));
            assertThrows(IllegalStateException.class, scheduler::start);
            scheduler.stop();
            scheduler.close();
            trace("refused");
          }
        });
    drive();
    scheduler.close();
    assertTrace("refused");
    assertTrue(task.isCancelled());
  }

  @Test
  void close_inATask_isRefused() {
    runTask(() -> assertThrows(IllegalStateException.class, scheduler::close));
  }

  @Test
  void close_pendingCompletion_isForgotten() {
    var future = new CompletableFuture<String>();
    Task<String> task = scheduler.spawn(() -> scheduler.await(scheduler.completion(future)));
    drive();
    scheduler.close();
    assertTrue(task.isCancelled());
    future.complete("late");
  }

  /// Round robin, until the test makes it fail.
  private static final class Failing implements SchedulingPolicy {

    private final SchedulingPolicy sound = SchedulingPolicies.roundRobin();
    private boolean fails;

    @Override
    public void add(Task<?> task) {
      sound.add(task);
    }

    @Override
    public void addFirst(Task<?> task) {
      sound.addFirst(task);
    }

    @Override
    public void remove(Task<?> task) {
      sound.remove(task);
    }

    @Override
    public Task<?> next() {
      if (fails) {
        throw new IllegalStateException("policy");
      }
      return sound.next();
    }
  }

  @Test
  void close_policyFails_addOnsAreClosedAndTheStopEnds() {
    var policy = new Failing();
    Scheduler own = configured().policy(() -> policy).build();
    own.host()
        .install(
            new AddOn() {
              @Override
              public StepResult turn(StepTask<Void> self) {
                return StepResult.SUSPEND;
              }

              @Override
              public void close() {
                trace("closed");
              }
            });
    Task<Object> left = own.spawn("left", () -> own.suspend());
    own.step();
    CompletableFuture<List<TaskInfo>> end =
        own.shutdown(Duration.ofSeconds(1), Duration.ofSeconds(1));
    policy.fails = true;
    assertEquals("policy", assertThrows(IllegalStateException.class, own::close).getMessage());
    assertTrace("closed");
    assertInstanceOf(TaskAbandonedException.class, takeReported().getFirst().failure());
    assertEquals(List.of(left.id()), end.join().stream().map(TaskInfo::id).toList());
    assertThrows(RejectedExecutionException.class, () -> own.execute(() -> {}));
  }

  @Test
  void whileClosing_scheduleAfterANewTask_isRefusedAndEveryFinallyRuns() {
    Task<Void> late = scheduler.newTask("late", () -> trace("late"));
    cleaning("a", scheduler::yield);
    scheduler.spawn(() -> {
      try {
        scheduler.suspend();
      } finally {
        assertFalse(scheduler.queue().scheduleAfter(late, scheduler.currentTask()));
        trace("refused");
      }
    });
    cleaning("b", () -> scheduler.suspend());
    drive();
    assertTrace("a");
    cleaning("c", scheduler::yield);
    cleaning("d", () -> scheduler.shielded(() -> scheduler.await(Waitable.always(1))));
    scheduler.step();
    scheduler.close();
    assertTrace("c b refused");
  }

  @Test
  void close_inATrapOfAStepTask_endsItOnce() {
    StepTask<Void> task = scheduler.host().spawnSteps("S", self -> StepResult.SUSPEND);
    task.trap(
        Trap.onEnd(outcome -> {
          trace("trap");
          scheduler.close();
        }));
    scheduler.step();
    assertTrue(task.cancel("why"));
    assertTrace("trap");
    assertTrue(task.isCancelled());
    assertEquals(1, takeReported().size()); // it had not ended when `close` returned
  }

  @Test
  void close_severalFailuresOfTheMachine_allAreReported() {
    var errors = List.of(new InternalError("1"), new InternalError("2"));
    for (Error error : errors) {
      scheduler.spawn(() -> {
        try {
          scheduler.suspend();
        } finally {
          exhaust(error);
        }
      });
    }
    drive();
    scheduler.close();
    List<Throwable> told = takeFailures();
    assertEquals(List.of(errors.get(1)), told);
    assertEquals(List.of(errors.get(0)), List.of(told.getFirst().getSuppressed()));
  }

  private static void exhaust(Error error) {
    throw error;
  }
}
