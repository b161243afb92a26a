package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.engine.Inside;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Values that belong to a task: scoped, inherited, and invisible to other tasks.
@BackendsDiffer
class TaskLocalTest extends SchedulerTest {

  private static final TaskLocal<String> USER = TaskLocal.named("user");
  private static final TaskLocal<@Nullable Integer> SIZE = TaskLocal.named("size");

  @Test
  void where_acrossSuspensions_eachTaskSeesItsOwn() {
    for (String name : new String[] {"ada", "bob"}) {
      scheduler.spawn(() ->
          TaskLocal.where(USER, name)
              .run(() -> {
                trace(USER.get());
                scheduler.yield();
                trace(USER.get());
              }));
    }
    scheduler.start();
    assertTrace("ada bob ada bob");
  }

  @Test
  void captured_inATaskOfAnotherScheduler_bindsTheSame() throws Exception {
    TaskLocal.Carrier[] captured = new TaskLocal.Carrier[1];
    runTask(() -> TaskLocal.where(USER, "ada").run(() -> captured[0] = TaskLocal.captured()));
    assertEquals(
        "ada",
        elsewhere(() -> {
          try (Scheduler another = Scheduler.create()) {
            Task<String> task =
                another.spawn(() ->
                    TaskLocal.where(USER, "eve")
                        .where(SIZE, 1)
                        .run(() -> captured[0].run(() -> USER.get())));
            another.start();
            return task.join();
          }
        }));
    assertFalse(USER.isBound());
  }

  @Test
  void captured_outsideOfATask_bindsNothing() {
    TaskLocal.Carrier nothing = TaskLocal.captured();
    runTask(() -> nothing.run(() -> trace(USER.isBound())));
    assertTrace("false");
  }

  @Test
  void where_nested_innerHidesOuterUntilItsEnd() {
    runTask(() ->
        TaskLocal.where(USER, "outer")
            .run(() -> {
              TaskLocal.where(USER, "inner")
                  .where(SIZE, 3)
                  .run(() -> trace(USER.get() + SIZE.get()));
              trace(USER.get() + SIZE.isBound());
            }));
    assertTrace("inner3 outerfalse");
  }

  @Test
  void where_codeThrows_bindingIsOver() {
    runTask(() -> {
      assertThrows(
          ArithmeticException.class,
          () ->
              TaskLocal.where(USER, "x")
                  .run(() -> {
                    throw new ArithmeticException();
                  }));
      assertFalse(USER.isBound());
    });
  }

  @Test
  void where_twiceForOneLocal_laterCounts() {
    runTask(() -> assertEquals("b", TaskLocal.where(USER, "a").where(USER, "b").run(USER::get)));
  }

  @Test
  void where_carrierUsedAgain_bindsTheSame() {
    TaskLocal.Carrier carrier = TaskLocal.where(USER, "ada");
    runTask(() -> {
      carrier.run(() -> TaskLocal.where(USER, "bob").run(() -> trace(USER.get())));
      carrier.run(() -> trace(USER.get()));
    });
    assertTrace("bob ada");
  }

  @Test
  void where_null_isAValue() {
    runTask(() ->
        TaskLocal.where(SIZE, null)
            .run(() -> {
              assertTrue(SIZE.isBound());
              assertNull(SIZE.get());
              assertNull(SIZE.getOrDefault(7));
            }));
  }

  @Test
  void spawn_insideABinding_childKeepsItBeyondTheBlock() {
    runTask(() -> {
      TaskLocal.where(USER, "ada")
          .run(() ->
              scheduler.spawn(() -> {
                trace(USER.get());
                scheduler.spawn(() -> trace("grandchild:" + USER.get()));
              }));
      trace("block-over:" + USER.isBound());
    });
    assertTrace("block-over:false ada grandchild:ada");
  }

  @Test
  void spawn_childBinds_parentDoesNotSeeIt() {
    runTask(() ->
        TaskLocal.where(USER, "parent")
            .run(() -> {
              var child = scheduler.spawn(() -> TaskLocal.where(USER, "child").run(USER::get));
              trace(child.join());
              trace(USER.get());
            }));
    assertTrace("child parent");
  }

  @Test
  void stepTask_inheritsAndMayBindWithinItsTurn() {
    runTask(() ->
        TaskLocal.where(USER, "ada")
            .run(() -> {
              var steps =
                  scheduler
                      .host()
                      .spawnSteps(
                          "steps",
                          self -> {
                            trace(USER.get());
                            TaskLocal.where(USER, "bob")
                                .run(() -> {
                                  trace(USER.get());
                                  scheduler.spawn("child", () -> trace("child:" + USER.get()));
                                });
                            return StepResult.DONE;
                          });
              var _ = steps.join();
            }));
    assertTrace("ada bob child:bob");
  }

  @Test
  void execute_fromAnotherThread_inheritsNothing() {
    boolean[] ran = {false};
    runTask(() ->
        TaskLocal.where(USER, "ada")
            .run(() -> {
              elsewhere(() -> {
                scheduler.execute(() -> {
                  trace("posted:" + USER.isBound());
                  ran[0] = true;
                });
                return null;
              });
              while (!ran[0]) {
                scheduler.yield();
              }
            }));
    assertTrace("posted:false");
  }

  @Test
  void install_insideABinding_addOnInheritsNothing() {
    runTask(() ->
        TaskLocal.where(USER, "ada")
            .run(() -> {
              var addOn =
                  scheduler
                      .host()
                      .install(self -> {
                        trace("add-on:" + USER.isBound());
                        return StepResult.SUSPEND;
                      });
              addOn.wake();
              scheduler.yield();
            }));
    assertTrace("add-on:false");
  }

  @Test
  void get_unbound_saysWhereToBindIt() {
    runTask(() -> {
      var told = assertThrows(NoSuchElementException.class, USER::get);
      assertEquals(
          "task local 'user' is not bound in task 'main': bind it with TaskLocal.where(..) around"
              + " this, or around what makes the task",
          told.getMessage());
      assertEquals("nobody", USER.getOrDefault("nobody"));
    });
  }

  @Test
  void outsideOfTasks_nothingIsBoundAndNothingCanBe() throws Exception {
    var told = assertThrows(NoSuchElementException.class, USER::get);
    assertTrue(told.getMessage().contains("outside of a task"), told.getMessage());
    assertEquals("nobody", USER.getOrDefault("nobody"));
    var refused =
        assertThrows(
            IllegalStateException.class, () -> TaskLocal.where(USER, "x").run(() -> trace("ran")));
    assertTrue(refused.getMessage().contains("outside of any: spawn a task"));
    runTask(() ->
        TaskLocal.where(USER, "ada")
            .run(() -> assertEquals("nobody", elsewhere(() -> USER.getOrDefault("nobody")))));
  }

  @Test
  void where_inATaskThatDrivesAnotherScheduler_innerTasksAreNotItsChildren() {
    runTask(() ->
        TaskLocal.where(USER, "outer")
            .run(() -> {
              try (Scheduler inner = Scheduler.create()) {
                inner.spawn(() -> trace("inner:" + USER.isBound()));
                inner.start();
              }
              trace(USER.get());
            }));
    assertTrace("inner:false outer");
  }

  @Test
  void where_aChainOfTasksThatEachBind_doesNotGrow() throws Exception {
    Task<?>[] last = new Task<?>[1];
    TaskAction<?>[] next = new TaskAction<?>[1];
    int[] left = {100};
    next[0] =
        () ->
            TaskLocal.where(USER, "x")
                .where(SIZE, left[0])
                .run(() -> {
                  if (left[0]-- > 0) {
                    last[0] = scheduler.spawn(next[0]);
                    assertEquals(2, Inside.localsOf(last[0]).size());
                  }
                });
    runTask(next[0]);
    assertNull(Inside.localsOf(last[0]), "an ended task lets go of what it inherited");
  }
}
