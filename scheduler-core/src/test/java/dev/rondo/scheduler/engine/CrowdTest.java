package dev.rondo.scheduler.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Selection;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskState;
import dev.rondo.scheduler.WaitQueueEvent;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.StepBody;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.addon.WaitQueue;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// One event wakes many tasks, in the order in which they began to wait.
class CrowdTest extends SchedulerTest {

  private static final int CROWD = 40;

  private final WaitQueueEvent signal = new WaitQueueEvent();
  private final List<Task<Void>> crowd = new ArrayList<>();

  private void gather(int size) {
    for (int i = 0; i < size; i++) {
      String name = "w" + i;
      crowd.add(scheduler.spawn(name, () -> trace(name + scheduler.await(signal))));
    }
    drive();
  }

  private static String all(int from, int to, String value) {
    return IntStream.range(from, to)
        .mapToObj(i -> "w" + i + value)
        .collect(Collectors.joining(" "));
  }

  private Task<Void> other(String name) {
    return scheduler.spawn(name, () -> trace(name));
  }

  @Test
  void fireAll_crowd_isReady() {
    gather(CROWD);
    assertEquals(CROWD, signal.fireAll("!"));
    assertEquals(0, signal.waiters());
    for (Task<Void> task : crowd) {
      assertEquals(TaskState.READY, task.taskState());
      assertNull(TaskCore.of(task).awaited());
    }
    assertEquals(CROWD, scheduler.tasksPending());
    assertEquals(CROWD + 1, scheduler.tasks().size(), "and the timer");
    scheduler.start();
    assertTrace(all(0, CROWD, "!"));
  }

  @Test
  void fireAll_crowd_runsBetweenWhoWasReadyBeforeAndAfter() {
    gather(CROWD);
    other("X");
    signal.fireAll("!");
    other("Y");
    scheduler.start();
    assertTrace("X " + all(0, CROWD, "!") + " Y");
  }

  @Test
  void fireAllNext_crowd_runsFirst() {
    gather(CROWD);
    other("X");
    scheduler.spawn(
        "notifier",
        () -> {
          assertEquals(CROWD, signal.fireAllNext("!"));
          trace("notifier");
        });
    other("Y");
    scheduler.start();
    assertTrace("X notifier " + all(0, CROWD, "!") + " Y");
    gatherAgain();
    signal.fireAllNext("?");
    other("Z");
    scheduler.start();
    assertTrace(all(0, CROWD, "?") + " Z");
  }

  private void gatherAgain() {
    crowd.clear();
    gather(CROWD);
  }

  @Test
  void failAll_crowd_everybodyIsTold() {
    for (int i = 0; i < CROWD; i++) {
      int number = i;
      scheduler.spawn(() -> {
        var thrown = assertThrows(IllegalStateException.class, () -> scheduler.await(signal));
        trace(number + thrown.getMessage());
      });
    }
    drive();
    assertEquals(CROWD, signal.failAll(new IllegalStateException("!")));
    scheduler.start();
    assertTrace(IntStream.range(0, CROWD).mapToObj(i -> i + "!").collect(Collectors.joining(" ")));
  }

  @Test
  void readyTasks_crowdInTheMiddle_listsEverybodyInOrder() {
    gather(CROWD);
    Task<Void> x = other("X");
    signal.fireAll("!");
    Task<Void> y = other("Y");
    List<Task<?>> expected = new ArrayList<>(crowd);
    expected.addFirst(x);
    expected.addLast(y);
    assertEquals(expected, scheduler.queue().readyTasks());
    assertEquals(CROWD + 2, scheduler.tasksPending());
    scheduler.start();
    assertTrace("X " + all(0, CROWD, "!") + " Y");
  }

  @Test
  void step_crowd_oneTurnAtATime() {
    gather(CROWD);
    signal.fireAll("!");
    for (int i = 0; i < CROWD; i++) {
      assertEquals(CROWD - i, scheduler.tasksPending());
      assertTrue(scheduler.step());
      assertTrace("w" + i + "!");
    }
    while (scheduler.step()) {
      // the drive's add-ons
    }
  }

  @Test
  void run_crowd_valuesGoFromTaskToTask() {
    gather(CROWD);
    signal.fireAll("!");
    scheduler.run(null);
    assertTrace(all(0, CROWD, "!"));
  }

  @Test
  void cancel_oneOfTheCrowd_itHasReceivedAndIsToldNext() {
    gather(CROWD);
    Task<Void> other =
        scheduler.spawn(
            "patient",
            () -> {
              trace("patient" + scheduler.await(signal));
              assertThrows(TaskCancelled.class, () -> scheduler.yield());
              trace("told");
            });
    drive();
    signal.fireAll("!");
    assertTrue(other.cancel("test"));
    assertEquals(TaskState.READY, other.taskState());
    scheduler.start();
    assertTrace(all(0, CROWD, "!") + " patient! told");
  }

  @Test
  void cancel_stepTaskOfTheCrowd_endsAtOnceAndLeavesIt() {
    gather(CROWD);
    StepTask<Void> steps =
        scheduler
            .host()
            .spawnSteps(
                "steps",
                new StepBody<Void>() {
                  private boolean waited;

                  @Override
                  public StepResult step(StepTask<Void> self) {
                    assertFalse(waited, "ran though it was cancelled");
                    waited = true;
                    return self.await(signal);
                  }
                });
    drive();
    assertEquals(CROWD + 1, signal.fireAll("!"));
    assertTrue(steps.cancel("test"));
    assertTrue(steps.isCancelled());
    assertEquals(CROWD, scheduler.tasksPending());
    scheduler.start();
    assertTrace(all(0, CROWD, "!"));
  }

  @Test
  void cancel_neverRunTaskOfTheCrowd_neverRuns() {
    gather(CROWD);
    Task<Void> fresh = scheduler.newTask("fresh", () -> trace("ran"));
    scheduler.queue().scheduleOn(fresh, signal);
    signal.fireAll("!");
    assertTrue(fresh.cancel("test"));
    scheduler.start();
    assertTrace(all(0, CROWD, "!"));
  }

  @Test
  void arm_firesEverybodyAndCancelsTheCaller_theEventIsDeliveredFirst() {
    gather(CROWD);
    Waitable<Object> fatal =
        new Waitable<>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {
            signal.arm(waiter);
            signal.fireAll("!");
            waiter.task().cancel("test");
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            signal.disarm(waiter);
          }
        };
    Task<Void> last =
        scheduler.spawn(
            "last",
            () -> {
              trace("last" + scheduler.await(fatal));
              scheduler.yield();
            });
    scheduler.start();
    assertTrue(last.isCancelled());
    assertTrace(all(0, CROWD, "!") + " last!");
  }

  @Test
  void await_limitPassesAfterTheCall_theWaitHasWon() {
    for (int i = 0; i < CROWD; i++) {
      String name = "w" + i;
      scheduler.spawn(name, () -> trace(name + scheduler.await(signal, Duration.ofSeconds(1))));
    }
    scheduler.spawn(
        "notifier",
        () -> {
          scheduler.yield();
          signal.fireAll("!");
          time.advance(Duration.ofSeconds(2));
          scheduler.stop(); // the next start begins with what is due: the limits
        });
    scheduler.start();
    assertTrace("");
    scheduler.start();
    assertTrace(all(0, CROWD, "!"));
  }

  @Test
  void unschedule_oneOfTheCrowd_leavesItAndKeepsWhatItReceived() {
    gather(CROWD);
    signal.fireAll("!");
    Task<Void> out = crowd.get(3);
    assertTrue(scheduler.queue().unschedule(out));
    assertFalse(scheduler.queue().scheduled(out));
    assertFalse(scheduler.queue().unschedule(out));
    assertEquals(CROWD - 1, scheduler.tasksPending());
    drive();
    assertTrace(all(0, 3, "!") + " " + all(4, CROWD, "!"));
    assertTrue(scheduler.scheduleTask(out));
    scheduler.start();
    assertTrace("w3!");
  }

  @Test
  void scheduleTask_oneOfTheCrowd_isRefused() {
    gather(CROWD);
    signal.fireAll("!");
    assertFalse(scheduler.scheduleTask(crowd.get(1)));
    assertFalse(scheduler.scheduleTask(crowd.get(1), "?"));
    assertFalse(scheduler.queue().scheduleNext(crowd.get(2)));
    assertTrue(scheduler.queue().scheduled(crowd.get(3)));
    scheduler.start();
    assertTrace(all(0, CROWD, "!"));
  }

  @Test
  void scheduleAfter_anchorInTheCrowd_goesDirectlyBehindIt() {
    gather(CROWD);
    signal.fireAll("!");
    Task<Void> x = scheduler.newTask("X", () -> trace("X"));
    assertTrue(scheduler.queue().scheduleAfter(x, crowd.get(4)));
    scheduler.start();
    assertTrace(all(0, 5, "!") + " X " + all(5, CROWD, "!"));
  }

  @Test
  void scheduleOn_oneOfTheCrowd_waitsForTheOther() {
    gather(CROWD);
    var second = new WaitQueueEvent();
    signal.fireAll(null);
    assertTrue(scheduler.queue().scheduleOn(crowd.getFirst(), second));
    drive();
    assertTrace(all(1, CROWD, "null"));
    assertEquals(1, second.fireAll("?"));
    scheduler.start();
    assertTrace("w0?");
  }

  @Test
  void scheduleOn_oneOfTheCrowdHasReceived_isRefused() {
    gather(CROWD);
    signal.fireAll("!");
    assertFalse(scheduler.queue().scheduleOn(crowd.getFirst(), new WaitQueueEvent()));
    assertTrue(scheduler.queue().unschedule(crowd.getFirst()));
    assertFalse(scheduler.scheduleTask(crowd.getFirst(), "?"));
    assertTrue(scheduler.scheduleTask(crowd.getFirst()));
    scheduler.start();
    assertTrace(all(1, CROWD, "!") + " w0!");
  }

  @Test
  void select_inTheCrowd_losesNothingAndNobodyWaitsTwice() {
    var second = new WaitQueueEvent();
    gather(CROWD / 2);
    scheduler.spawn(
        "choice",
        () -> {
          Selection<Object> selected = scheduler.select(second, signal);
          trace("choice" + selected.index() + selected.value());
        });
    drive();
    gatherMore();
    assertEquals(CROWD + 1, signal.fireAll("!"));
    assertEquals(0, second.waiters(), "a sister branch is still armed");
    assertEquals(0, second.fireAll("?"));
    scheduler.start();
    assertTrace(all(0, CROWD / 2, "!") + " choice1! " + all(CROWD / 2, CROWD, "!"));
  }

  private void gatherMore() {
    for (int i = CROWD / 2; i < CROWD; i++) {
      String name = "w" + i;
      scheduler.spawn(name, () -> trace(name + scheduler.await(signal)));
    }
    drive();
  }

  @Test
  void fireAll_woken_waitAgainInTheSameRound_waitForTheNext() {
    for (int i = 0; i < CROWD; i++) {
      scheduler.spawn(() -> {
        trace(scheduler.await(signal));
        trace(scheduler.await(signal));
      });
    }
    drive();
    assertEquals(CROWD, signal.fireAll(1));
    assertEquals(0, signal.fireAll("nobody"));
    drive();
    assertTrace("1 ".repeat(CROWD).strip());
    assertEquals(CROWD, signal.waiters());
    assertEquals(CROWD, signal.fireAll(2));
    scheduler.start();
    assertTrace("2 ".repeat(CROWD).strip());
  }

  @Test
  void fireAll_twoCrowds_runOneBehindTheOther() {
    var second = new WaitQueueEvent();
    gather(CROWD);
    for (int i = 0; i < CROWD; i++) {
      String name = "v" + i;
      scheduler.spawn(name, () -> trace(name + scheduler.await(second)));
    }
    drive();
    second.fireAll("?");
    signal.fireAll("!");
    assertEquals(2 * CROWD, scheduler.tasksPending());
    scheduler.start();
    String seconds =
        IntStream.range(0, CROWD).mapToObj(i -> "v" + i + "?").collect(Collectors.joining(" "));
    assertTrace(seconds + " " + all(0, CROWD, "!"));
  }

  @Test
  void stop_inTheMiddleOfACrowd_goesOnLater() {
    gather(CROWD);
    crowd.get(9).toCompletableFuture().thenRun(scheduler::stop);
    signal.fireAll("!");
    scheduler.start();
    assertTrace(all(0, 10, "!"));
    scheduler.start();
    assertTrace(all(10, CROWD, "!"));
  }

  @Test
  void stepTask_firesWhatItAwaits_isWokenInItsPlace() {
    gather(CROWD);
    scheduler
        .host()
        .spawnSteps(
            "self",
            new StepBody<Void>() {
              private boolean waited;

              @Override
              public StepResult step(StepTask<Void> self) {
                if (waited) {
                  trace("self" + self.received());
                  return StepResult.DONE;
                }
                waited = true;
                StepResult turn = self.await(signal);
                assertEquals(CROWD + 1, signal.fireAll("!"));
                return turn;
              }
            });
    scheduler.start();
    assertTrace(all(0, CROWD, "!") + " self!");
  }

  @Test
  void stepTask_firesWhatItAwaitsAndEnds_nothingIsLeft() {
    gather(CROWD);
    scheduler
        .host()
        .spawnSteps(
            "self",
            self -> {
              self.await(signal);
              assertEquals(CROWD + 1, signal.fireAll("!"));
              assertEquals(CROWD, scheduler.tasksPending(), "without itself, which runs");
              return StepResult.DONE;
            });
    scheduler.start();
    assertTrace(all(0, CROWD, "!"));
  }

  @Test
  void stepTask_firesWhatItAwaitsAndGoesOn_receivesItNextTurn() {
    gather(CROWD);
    scheduler
        .host()
        .spawnSteps(
            "self",
            new StepBody<Void>() {
              private boolean waited;

              @Override
              public StepResult step(StepTask<Void> self) {
                if (waited) {
                  trace("received " + self.received());
                  return StepResult.DONE;
                }
                waited = true;
                self.await(signal);
                signal.fireAll("!");
                return StepResult.AGAIN;
              }
            });
    scheduler.start();
    assertTrace(all(0, CROWD, "!") + " received !");
  }

  @Test
  void fire_waiterOfACalledCrowd_isRefused() {
    var waiters = new ArrayList<Waiter<? super Object>>();
    var queue = new WaitQueue<Object>();
    Waitable<Object> event =
        new Waitable<>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {
            waiters.add(waiter);
            queue.add(waiter);
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            queue.remove(waiter);
          }
        };
    for (int i = 0; i < CROWD; i++) {
      scheduler.spawn(() -> trace(scheduler.await(event)));
    }
    drive();
    assertEquals(CROWD, queue.fireAll("!"));
    assertFalse(waiters.getFirst().fire("?"));
    assertFalse(queue.remove(waiters.getLast()));
    scheduler.start();
    assertTrace("! ".repeat(CROWD).strip());
  }

  @Test
  void arm_firesEverybodyAlsoWhoIsBeingArmed_nothingIsLost() {
    gather(CROWD);
    var eager =
        new Waitable<Object>() {
          private final WaitQueue<Object> queue = new WaitQueue<>();

          @Override
          public void arm(Waiter<? super Object> waiter) {
            queue.add(waiter);
            if (queue.size() > CROWD) {
              queue.fireAll("full");
            }
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            queue.remove(waiter);
          }
        };
    for (int i = 0; i <= CROWD; i++) {
      scheduler.spawn(() -> trace(Objects.requireNonNull(scheduler.await(eager))));
    }
    drive();
    assertTrace("full ".repeat(CROWD + 1).strip());
    signal.fireAll("!");
    scheduler.start();
    assertTrace(all(0, CROWD, "!"));
  }

  @Test
  void close_crowdIsReady_everyFinallyHasRunYoungestFirst() {
    Scheduler closing = newScheduler();
    var event = new WaitQueueEvent();
    for (int i = 0; i < CROWD; i++) {
      int number = i;
      closing.spawn(() -> {
        try {
          closing.await(event);
          closing.yield();
        } finally {
          trace(number);
        }
      });
    }
    while (closing.step()) {
      // until all wait
    }
    event.fireAll("!");
    closing.close();
    assertTrace(
        IntStream.range(0, CROWD)
            .mapToObj(i -> String.valueOf(CROWD - 1 - i))
            .collect(Collectors.joining(" ")));
    assertEquals(0, closing.tasks().size());
  }

  @Test
  void deadlock_afterACrowdWasWoken_isStillFound() {
    gather(CROWD);
    signal.fireAll("!");
    Task<Void> stuck =
        scheduler.spawn(
            "stuck",
            () -> {
              scheduler.suspend();
            });
    assertThrows(DeadlockException.class, scheduler::start);
    assertTrace(all(0, CROWD, "!"));
    scheduler.scheduleTask(stuck);
    scheduler.start();
  }
}
