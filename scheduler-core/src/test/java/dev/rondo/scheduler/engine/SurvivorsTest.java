package dev.rondo.scheduler.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.TaskCancelled;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.WaitQueueEvent;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.Waiter;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Invariants that no other test covers, found by breaking the code by hand.
class SurvivorsTest extends SchedulerTest {

  @Test
  void anyOf_armingOnePartFiresAnother_thePartIsLeft() {
    var first = new WaitQueueEvent();
    var second = new WaitQueueEvent();
    Waitable<Object> firing =
        new Waitable<>() {
          @Override
          public void arm(Waiter<? super Object> waiter) {
            first.fireAll("first");
            second.arm(waiter);
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            second.disarm(waiter);
          }
        };
    runTask(() -> trace(scheduler.await(Waitable.<Object>anyOf(List.of(first, firing)))));
    assertTrace("first");
    assertEquals(0, second.waiters());
  }

  @Test
  void stopWithGrace_workEndsBeforeTheGrace_theTaskOfTheStopIsGoneToo() {
    int before = scheduler.tasks().size();
    scheduler.spawn(() -> {
      var _ = scheduler.shutdown(Duration.ofDays(1), Duration.ofDays(1));
      scheduler.yield();
    });
    scheduler.start();
    assertEquals(before, scheduler.tasks().size());
    assertTrue(time.elapsed().isZero(), "no wait for the grace");
  }

  @Test
  void idleUntil_severalDueAtOnce_inTheOrderTheyBeganToIdle() {
    long deadline = scheduler.host().deadlineAfter(Duration.ofSeconds(1));
    for (String name : List.of("A", "B", "C")) {
      scheduler
          .host()
          .spawnSteps(
              name,
              self -> {
                if (scheduler.host().nowNanos() - deadline < 0) {
                  return self.idleUntil(deadline);
                }
                trace(name);
                return StepResult.DONE;
              });
    }
    scheduler.start();
    assertTrace("A B C");
  }

  @Test
  void pace_slowTurns_passesComeSoonerButNeverLessThanOneTurnApart() {
    var pace = new PassInterval();
    for (int i = 0; i < 20; i++) {
      pace.turnsAfter(0);
    }
    assertEquals(256, pace.turnsAfter(0));
    assertEquals(128, pace.turnsAfter(100_000));
    assertEquals(1, pace.turnsAfter(3_600_000_000_000L));
    assertEquals(2, pace.turnsAfter(0));
  }

  @Test
  void firstSuccess_anotherSucceedsWhileItIsCancelled_theFirstStaysTheWinner() {
    runTask(() -> {
      TaskGroup<String> group = scheduler.newGroup("race", TaskGroup.Policy.FIRST_SUCCESS);
      group.run(() -> {
        group.spawn(() -> {
          try {
            scheduler.suspend();
          } catch (TaskCancelled e) {
            return "late";
          }
          return "never";
        });
        group.spawn(() -> "first");
      });
      trace(group.first());
    });
    assertTrace("first");
  }
}
