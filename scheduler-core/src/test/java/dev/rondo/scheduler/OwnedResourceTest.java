package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.internal.rooms.OwnedResource;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Resources that tasks must give back before they end.
class OwnedResourceTest extends SchedulerTest {

  private final class Thing extends OwnedResource {

    private final String name;

    Thing(String name) {
      this.name = name;
    }

    void takeFor(Task<?> task) {
      take(task);
    }

    void back() {
      giveBack();
    }

    @Override
    protected void abandoned(Task<?> task) {
      assertNull(holder());
      trace(name + " by " + task.name() + (task.isDone() ? " done" : ""));
      if (name.equals("bad")) {
        throw new IllegalStateException("on purpose");
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private final Thing a = new Thing("a");
  private final Thing b = new Thing("b");
  private final Thing c = new Thing("c");

  private void takeAll() {
    for (Thing thing : List.of(a, b, c)) {
      thing.takeFor(scheduler.currentTask());
      assertSame(scheduler.currentTask(), thing.holder());
    }
  }

  @Test
  void end_everythingGivenBackInAnyOrder_nobodyIsTold() {
    for (List<Thing> order : List.of(List.of(a, b, c), List.of(c, b, a), List.of(b, c, a))) {
      runTask(() -> {
        takeAll();
        order.forEach(Thing::back);
        assertNull(a.holder());
      });
    }
  }

  @Test
  void end_someAreLeft_theirLendersAreToldLatestFirstBeforeJoiners() {
    scheduler.spawn(
        "t",
        () -> {
          takeAll();
          b.back();
        });
    drive();
    assertTrace("c by t a by t");
  }

  @Test
  void end_failedOrCancelled_lendersAreTold() {
    var failed =
        scheduler.spawn(
            "f",
            () -> {
              a.takeFor(scheduler.currentTask());
              throw new IllegalStateException("on purpose");
            });
    var cancelled =
        scheduler.spawn(
            "x",
            () -> {
              b.takeFor(scheduler.currentTask());
              scheduler.suspend();
            });
    drive();
    cancelled.cancel("test");
    drive();
    assertTrace("a by f b by x");
    assertTrue(failed.isDone());
    assertEquals("on purpose", takeReported().getFirst().failure().getMessage());
  }

  @Test
  void abandoned_throws_isReportedAndTheOthersAreTold() {
    scheduler.spawn(
        "t",
        () -> {
          a.takeFor(scheduler.currentTask());
          new Thing("bad").takeFor(scheduler.currentTask());
        });
    drive();
    assertTrace("bad by t a by t");
    var told = takeReported().getFirst();
    assertEquals("end of task 't'", told.where());
    assertEquals("on purpose", told.failure().getMessage());
  }

  @Test
  void trap_givesBack_nobodyIsTold() {
    scheduler
        .spawn("t", () -> a.takeFor(scheduler.currentTask()))
        .trap(Trap.onEnd(outcome -> a.back()));
    drive();
    assertNull(a.holder());
  }

  @Test
  void take_twice_saysWhoHasIt() {
    Task<Void> ended = scheduler.spawn("ended", () -> {});
    drive();
    runTask(() -> {
      a.takeFor(scheduler.currentTask());
      var twice =
          assertThrows(
              IllegalStateException.class, () -> a.takeFor(scheduler.newTask("other", () -> {})));
      assertEquals("a is for task 'other', but task 'main' has it", twice.getMessage());
      a.back();
      assertEquals(
          "no task has a", assertThrows(IllegalStateException.class, a::back).getMessage());
      assertEquals(
          "a is for task 'ended', which has ended",
          assertThrows(IllegalStateException.class, () -> a.takeFor(ended)).getMessage());
    });
  }
}
