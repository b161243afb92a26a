package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The order in which events wake tasks: docs/inside/semantics.md, rules 2, 3, 5, 15 and 16.
class WakeOrderTest extends SchedulerTest {

  private Task<Void> turns(String name, int turns) {
    return scheduler.spawn(
        name,
        () -> {
          for (int i = 1; i <= turns; i++) {
            trace(name + i);
            scheduler.yield();
          }
        });
  }

  @Test
  void fireAllNext_threeWaiters_runFirstInTheOrderTheyBeganToWait() {
    var signal = new WaitQueueEvent();
    for (String name : List.of("w1", "w2", "w3")) {
      scheduler.spawn(name, () -> trace(name + scheduler.await(signal)));
    }
    drive();
    turns("X", 1);
    turns("Y", 1);
    assertEquals(3, signal.fireAllNext("!"));
    scheduler.start();
    assertTrace("w1! w2! w3! X1 Y1");
  }

  @Test
  void fireAllNext_fromATask_runBehindTheNotifier() {
    var signal = new WaitQueueEvent();
    for (String name : List.of("w1", "w2", "w3")) {
      scheduler.spawn(name, () -> trace(name + scheduler.await(signal)));
    }
    drive();
    scheduler.spawn(() -> {
      signal.fireAllNext("!");
      trace("notifier");
      scheduler.yield();
      trace("again");
    });
    turns("X", 1);
    scheduler.start();
    assertTrace("notifier w1! w2! w3! X1 again");
  }

  @Test
  void fireAll_fromATask_wokenGoToTheBackAndNotifierKeepsItsTurn() {
    var signal = new WaitQueueEvent();
    for (String name : List.of("w1", "w2")) {
      scheduler.spawn(name, () -> trace(name + scheduler.await(signal)));
    }
    drive();
    scheduler.spawn(() -> {
      trace(signal.fireAll("!"));
      trace("notifier");
    });
    turns("X", 1);
    scheduler.start();
    assertTrace("2 notifier X1 w1! w2!");
  }

  @Test
  void fireAll_waiterWaitsAgainInTheSameRound_itWaitsForTheNext() {
    var signal = new WaitQueueEvent();
    scheduler.spawn(() -> {
      trace(scheduler.await(signal));
      trace(scheduler.await(signal));
    });
    drive();
    signal.fireAll(1);
    drive();
    assertTrace("1");
    assertEquals(1, signal.waiters());
    signal.fireAll(2);
    scheduler.start();
    assertTrace("2");
  }

  @Test
  void fireAll_nobodyWaits_answersZeroAndIsLost() {
    var signal = new WaitQueueEvent();
    assertEquals(0, signal.fireAll("lost"));
    scheduler.spawn(() -> trace(scheduler.await(signal)));
    drive();
    assertTrace("");
    signal.fireAll("found");
    scheduler.start();
    assertTrace("found");
  }

  @Test
  void wake_twoEventsForOneTask_itRunsOnce() {
    var first = new WaitQueueEvent();
    var second = new WaitQueueEvent();
    Task<Void> task =
        scheduler.spawn(() -> {
          trace(scheduler.select(first, second).value());
          scheduler.suspend();
          trace("woken");
        });
    drive();
    assertEquals(1, first.fireAll("first"));
    assertEquals(0, second.fireAll("second"));
    drive();
    assertTrace("first");
    assertEquals(TaskState.SUSPENDED, task.taskState());
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("woken");
  }
}
