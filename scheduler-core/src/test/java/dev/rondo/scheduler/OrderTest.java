package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The order in which tasks run: docs/inside/semantics.md, rules 1 to 6.
class OrderTest extends SchedulerTest {

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

  private Task<Void> suspended(String name) {
    Task<Void> task =
        scheduler.spawn(
            name,
            () -> {
              scheduler.suspend();
              trace(name);
            });
    drive();
    return task;
  }

  @Test
  void yield_severalTasks_runRoundRobin() {
    turns("A", 3);
    turns("B", 2);
    turns("C", 3);
    scheduler.start();
    assertTrace("A1 B1 C1 A2 B2 C2 A3 C3");
  }

  @Test
  void spawn_insideATask_childGoesBehindTheParent() {
    scheduler.spawn(
        "P",
        () -> {
          turns("C", 2);
          trace("P1");
          scheduler.yield();
          trace("P2");
        });
    scheduler.start();
    assertTrace("P1 C1 P2 C2");
  }

  @Test
  void scheduleTask_suspended_goesToTheBack() {
    Task<Void> sleeper = suspended("S");
    turns("A", 1);
    assertTrue(scheduler.scheduleTask(sleeper));
    turns("B", 1);
    scheduler.start();
    assertTrace("A1 S B1");
  }

  @Test
  void scheduleNext_outsideATurn_goesToTheFront() {
    Task<Void> sleeper = suspended("S");
    turns("A", 1);
    assertTrue(scheduler.queue().scheduleNext(sleeper));
    scheduler.start();
    assertTrace("S A1");
  }

  @Test
  void scheduleNext_insideATurn_goesDirectlyBehindTheRunning() {
    Task<Void> sleeper = suspended("S");
    scheduler.spawn(() -> {
      scheduler.queue().scheduleNext(sleeper);
      trace("first");
    });
    turns("A", 1);
    scheduler.start();
    assertTrace("first S A1");
  }

  @Test
  void scheduleNext_newTask_runsFirst() {
    turns("A", 1);
    scheduler.queue().scheduleNext(scheduler.newTask("N", () -> trace("N")));
    scheduler.start();
    assertTrace("N A1");
  }

  @Test
  void scheduleAfter_anchorReady_goesDirectlyBehindIt() {
    Task<Void> sleeper = suspended("S");
    Task<Void> anchor = turns("A", 1);
    turns("B", 1);
    assertTrue(scheduler.queue().scheduleAfter(sleeper, anchor));
    scheduler.start();
    assertTrace("A1 S B1");
  }

  @Test
  void scheduleAfter_anchorRunning_goesDirectlyBehindIt() {
    Task<Void> sleeper = suspended("S");
    scheduler.spawn(
        "A",
        () -> {
          trace(scheduler.queue().scheduleAfter(sleeper, scheduler.currentTask()));
          scheduler.yield();
          trace("A");
        });
    turns("B", 1);
    scheduler.start();
    assertTrace("true S B1 A");
  }

  @Test
  void scheduleAfter_anchorNotReadyOrTaskReady_isRefused() {
    Task<Void> sleeper = suspended("S");
    Task<Void> other = suspended("O");
    assertFalse(scheduler.queue().scheduleAfter(sleeper, other));
    assertFalse(scheduler.queue().scheduleAfter(sleeper, sleeper));
    assertEquals(TaskState.SUSPENDED, sleeper.taskState());
    Task<Void> ready = turns("A", 1);
    assertFalse(scheduler.queue().scheduleAfter(ready, ready));
    scheduler.scheduleTask(sleeper);
    scheduler.scheduleTask(other);
    assertFalse(scheduler.queue().scheduleAfter(ready, sleeper));
    scheduler.start();
    assertTrace("A1 S O");
  }

  @Test
  void scheduleTask_twice_secondIsRefusedAndItRunsOnce() {
    Task<Void> sleeper = suspended("S");
    assertTrue(scheduler.scheduleTask(sleeper));
    assertFalse(scheduler.scheduleTask(sleeper));
    assertFalse(scheduler.queue().scheduleNext(sleeper));
    assertFalse(scheduler.scheduleTask(sleeper, "value"));
    scheduler.start();
    assertTrace("S");
  }

  @Test
  void scheduleTask_runningOrFinished_isRefused() {
    Task<Void> self =
        scheduler.spawn(() -> {
          trace(scheduler.scheduleTask(scheduler.currentTask()));
          trace(scheduler.queue().scheduleNext(scheduler.currentTask()));
          trace(scheduler.queue().unschedule(scheduler.currentTask()));
          trace(scheduler.queue().scheduleOn(scheduler.currentTask(), Waitable.never()));
        });
    scheduler.start();
    assertTrace("false false false false");
    assertFalse(scheduler.scheduleTask(self));
    assertFalse(scheduler.queue().unschedule(self));
    assertFalse(scheduler.queue().scheduleOn(self, Waitable.never()));
    assertFalse(scheduler.queue().scheduled(self));
  }

  @Test
  void unschedule_ready_doesNotRunUntilScheduled() {
    Task<Void> task = turns("A", 1);
    turns("B", 1);
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.queue().unschedule(task));
    assertFalse(scheduler.queue().scheduled(task));
    drive();
    assertTrace("B1");
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    assertTrace("A1");
  }

  @Test
  void unschedule_waiting_eventDoesNotReachIt() {
    var signal = new WaitQueueEvent();
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(signal)));
    drive();
    assertEquals(TaskState.WAITING, task.taskState());
    assertTrue(scheduler.queue().unschedule(task));
    assertEquals(0, signal.waiters());
    assertEquals(0, signal.fireAll("late"));
    assertEquals(TaskState.SUSPENDED, task.taskState());
    scheduler.scheduleTask(task, "by hand");
    scheduler.start();
    assertTrace("by hand");
  }

  @Test
  void unschedule_woken_keepsWhatItReceived() {
    var signal = new WaitQueueEvent();
    Task<Void> task = scheduler.spawn(() -> trace(scheduler.await(signal)));
    drive();
    signal.fireAll("event");
    assertTrue(scheduler.queue().unschedule(task));
    drive();
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("event");
  }

  @Test
  void scheduleTask_valueForAWokenSelectThatWasUnscheduled_isRefused() {
    var signal = new WaitQueueEvent();
    Task<Void> task =
        scheduler.spawn(() -> {
          Waitable<Object> choice = Waitable.anyOf(List.of(signal, Waitable.never()));
          trace(scheduler.await(choice));
        });
    drive();
    signal.fireAll("event");
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.scheduleTask(task, "by hand"));
    assertTrue(scheduler.scheduleTask(task));
    scheduler.start();
    assertTrace("event");
  }

  @Test
  void readyTasks_severalReady_areListedFromTheHead() {
    Task<Void> a = turns("A", 1);
    Task<Void> b = turns("B", 1);
    assertEquals(List.of(a, b), scheduler.queue().readyTasks());
    assertEquals(2, scheduler.tasksPending());
    assertTrue(scheduler.tasksPending() > 0);
    assertTrue(scheduler.queue().scheduled(a));
    assertTrue(scheduler.inMainTask());
    assertNull(scheduler.currentTask());
    scheduler.spawn(
        "looker",
        () -> {
          trace(scheduler.queue().readyTasks().size());
          trace(scheduler.tasksPending());
          trace(scheduler.queue().scheduled(scheduler.currentTask()));
          trace(scheduler.currentTask().name());
          trace(scheduler.inMainTask());
          trace(scheduler.currentTask().taskState());
        });
    scheduler.start();
    assertTrace("A1 B1 2 2 true looker false RUNNING");
    assertEquals(0, scheduler.tasksPending());
    assertFalse(scheduler.tasksPending() > 0);
    assertEquals(List.of(), scheduler.queue().readyTasks());
  }

  @Test
  void currentTask_isTheCallerInItsTurnOnly() {
    Task<Void> other = turns("A", 1);
    assertFalse(scheduler.currentTask() == other);
    Task<?> asking =
        scheduler.spawn(
            "asking",
            () -> {
              Task<?> self = scheduler.currentTask();
              trace((scheduler.currentTask() == self) + "," + (scheduler.currentTask() == other));
              trace(
                  "elsewhere "
                      + CompletableFuture.supplyAsync(() -> scheduler.currentTask() == self)
                          .join());
              try (var inner = Scheduler.create()) {
                inner.spawn(() -> trace("below " + (scheduler.currentTask() == self)));
                inner.start();
              }
              trace(scheduler.currentTask() == self);
            });
    scheduler.start();
    assertTrace("A1 true,false elsewhere false below false true");
    assertFalse(scheduler.currentTask() == asking);
  }

  @Test
  void yield_manyTasks_eachHasOneTurnPerRound() {
    IntStream.range(0, 300).forEach(i -> turns("t" + i + ".", 3));
    scheduler.start();
    var expected = new ArrayList<String>();
    for (int turn = 1; turn <= 3; turn++) {
      for (int i = 0; i < 300; i++) {
        expected.add("t" + i + "." + turn);
      }
    }
    assertTrace(String.join(" ", expected));
  }
}
