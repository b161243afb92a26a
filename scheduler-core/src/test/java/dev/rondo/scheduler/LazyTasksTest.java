package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.lazy.LazyTasks;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Lazy tasks are tasks: that most of them are never made shows nowhere.
@BackendsDiffer
class LazyTasksTest extends SchedulerTest {

  /// What a lazy task does.
  private interface Code {
    void run() throws Exception;
  }

  /// Runs what the names say.
  private final class Named implements LazyTasks.Body<String> {

    private final Map<String, Code> code = new HashMap<>();
    private final Map<String, Task<?>> made = new HashMap<>();
    private final Map<String, Code> atEnd = new HashMap<>();
    private final Set<String> dropped = new HashSet<>();

    @Override
    public String name(String subject) {
      return subject;
    }

    @Override
    public void run(String subject) throws Exception {
      Code own = code.get(subject);
      if (own == null) {
        trace(subject);
      } else {
        own.run();
      }
    }

    @Override
    public void made(String subject, Task<@Nullable Void> task) {
      made.put(subject, task);
    }

    @Override
    public void ended(
        String subject, @Nullable Task<@Nullable Void> task, Outcome<@Nullable Void> outcome) {
      if (dropped.remove(subject)) {
        return;
      }
      assertEquals(made.get(subject), task);
      trace(subject + "=" + outcome.state());
      Code own = atEnd.get(subject);
      if (own != null) {
        try {
          own.run();
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  private final Named body = new Named();
  private @Nullable LazyTasks<String> tasks;

  private LazyTasks<String> tasks() {
    if (tasks == null) {
      tasks = LazyTasks.on(scheduler, body);
    }
    return tasks;
  }

  private long schedule(String name, Code code) {
    body.code.put(name, code);
    return tasks().schedule(name);
  }

  private boolean isLazy() {
    return backend.sharesThread();
  }

  private static String describe(TaskInfo task) {
    return task.id() + ":" + task.name() + ":" + task.state();
  }

  @Test
  void schedule_bodiesThatDoNotSuspend_runInOrderAndAreNeverMade() {
    runTask(() -> {
      var _ = tasks().schedule("a");
      scheduler.spawn("b", () -> trace("b"));
      var _ = tasks().schedule("c");
      var _ = tasks().schedule("d");
      trace("main");
    });
    assertTrace("main a a=SUCCEEDED b c c=SUCCEEDED d d=SUCCEEDED");
    assertEquals(isLazy(), body.made.isEmpty(), body.made::toString);
  }

  @Test
  void schedule_anyTask_hasItsNumberAtOnce() {
    runTask(() -> {
      long first = scheduler.currentTask().id();
      var _ = tasks().schedule("a");
      var _ = tasks().schedule("b");
      Task<Void> later = scheduler.spawn("later", () -> {});
      assertEquals(first + 3, later.id());
      schedule("c", () -> trace(scheduler.currentTask().id() - first));
      schedule("d", () -> trace(scheduler.spawn("child", () -> {}).parentId().getAsLong() - first));
      schedule("e", () -> trace(scheduler.currentTask().parentId().getAsLong() - first));
    });
    assertTrace("a a=SUCCEEDED b b=SUCCEEDED 4 c=SUCCEEDED 5 d=SUCCEEDED 0 e=SUCCEEDED");
  }

  @Test
  void schedule_bodyThatYields_goesOnAsATask() {
    runTask(() -> {
      schedule(
          "a",
          () -> {
            trace("a1");
            scheduler.yield();
            trace("a2");
            scheduler.suspend();
            trace("a3");
          });
      var _ = tasks().schedule("b");
      scheduler.yield();
      scheduler.yield();
      Task<?> made = body.made.get("a");
      assertNotNull(made);
      assertEquals("a", made.name());
      assertEquals(TaskState.SUSPENDED, made.taskState());
      assertTrue(scheduler.scheduleTask(made));
      made.join();
    });
    assertTrace("a1 b b=SUCCEEDED a2 a3 a=SUCCEEDED");
  }

  @Test
  void schedule_bodyThatFails_isReportedByItsName() {
    runTask(() -> {
      schedule(
          "bad",
          () -> {
            throw new IllegalStateException("on purpose");
          });
      var _ = tasks().schedule("good");
    });
    assertTrace("bad=FAILED good good=SUCCEEDED");
    List<Reported> reported = takeReported();
    assertEquals(List.of("task 'bad'"), reported.stream().map(Reported::where).toList());
    assertEquals("on purpose", reported.getFirst().failure().getMessage());
  }

  @Test
  void ended_thatThrows_failsTheTask() {
    body.atEnd.put(
        "a",
        () -> {
          throw new IllegalStateException("at the end");
        });
    runTask(() -> {
      var _ = tasks().schedule("a");
      var _ = tasks().schedule("b");
    });
    assertTrace("a a=SUCCEEDED b b=SUCCEEDED");
    assertEquals(List.of("task 'a'"), takeReported().stream().map(Reported::where).toList());
  }

  @Test
  void ended_thatAsksForTheTask_findsIt() {
    body.atEnd.put("a", () -> trace(scheduler.currentTask().name()));
    runTask(() -> {
      var _ = tasks().schedule("a");
      var _ = tasks().schedule("b");
    });
    assertTrace("a a=SUCCEEDED a b b=SUCCEEDED");
  }

  @Test
  void tasks_whileSomeAreDue_listsThemAsReady() {
    runTask(() -> {
      long main = scheduler.currentTask().id();
      var _ = tasks().schedule("a");
      var _ = tasks().schedule("b");
      assertEquals(2, scheduler.tasksPending());
      assertEquals(
          List.of((main + 1) + ":a:READY", (main + 2) + ":b:READY"),
          scheduler.tasks().stream()
              .filter(each -> each.id() > main)
              .map(LazyTasksTest::describe)
              .toList());
      assertEquals(2, scheduler.tasksPending());
      assertEquals(
          List.of("a", "b"), scheduler.queue().readyTasks().stream().map(Task::name).toList());
      var _ = tasks().schedule("c");
    });
    assertTrace("a a=SUCCEEDED b b=SUCCEEDED c c=SUCCEEDED");
  }

  @Test
  void tasks_inTheTurnOfOne_listsItAsRunning() {
    runTask(() -> {
      schedule(
          "a",
          () ->
              scheduler.tasks().stream()
                  .filter(each -> each.name().length() == 1)
                  .forEach(each -> trace(each.name() + ":" + each.state())));
      var _ = tasks().schedule("b");
    });
    assertTrace("a:RUNNING b:READY a=SUCCEEDED b b=SUCCEEDED");
  }

  /// Whether the task is made or not.
  private boolean drop(String name, long ticket) {
    Task<?> made = body.made.get(name);
    if (made == null) {
      return tasks().unschedule(name, ticket);
    }
    body.dropped.add(name);
    return made.cancel("dropped");
  }

  @Test
  void unschedule_anyPlace_neverRunsAndCountsNoMore() {
    runTask(() -> {
      List<String> names = IntStream.range(0, 30).mapToObj(i -> "t" + i).toList();
      List<Long> tickets = names.stream().map(tasks()::schedule).toList();
      for (int i = 0; i < 30; i++) {
        if (i != 7 && i != 20) {
          assertTrue(drop(names.get(i), tickets.get(i)), names.get(i));
          if (isLazy()) {
            assertFalse(drop(names.get(i), tickets.get(i)), names.get(i) + " again");
          }
        }
      }
      assertEquals(2, scheduler.tasksPending());
      if (!isLazy()) {
        return;
      }
      long again = tasks().schedule("t7");
      assertFalse(tasks().unschedule("t20", again), "another's ticket");
      assertTrue(tasks().unschedule("t7", again));
    });
    assertTrace("t7 t7=SUCCEEDED t20 t20=SUCCEEDED");
  }

  @Test
  void unschedule_inItsOwnTurn_isRefused() {
    runTask(() -> {
      var ticket = new long[1];
      ticket[0] = schedule("a", () -> trace(isLazy() && tasks().unschedule("a", ticket[0])));
    });
    assertTrace("false a=SUCCEEDED");
  }

  @Test
  void close_whileSomeAreDue_cancelsThem() {
    Scheduler other = newScheduler();
    var _ = LazyTasks.on(other, body).schedule("a");
    var _ = LazyTasks.on(other, body).schedule("b");
    other.close();
    assertTrace("b=CANCELLED a=CANCELLED");
  }

  @Test
  void start_ownTasksOnly_runsThem() {
    var _ = tasks().schedule("a");
    var _ = tasks().schedule("b");
    scheduler.start();
    assertTrace("a a=SUCCEEDED b b=SUCCEEDED");
  }

  @Test
  void step_oneAfterTheOther_givesEachATurn() {
    var _ = tasks().schedule("a");
    var _ = tasks().schedule("b");
    assertTrue(scheduler.step());
    assertTrace("a a=SUCCEEDED");
    assertTrue(scheduler.step());
    assertTrace("b b=SUCCEEDED");
    assertFalse(scheduler.step());
  }

  @Test
  void run_withAValue_handsItOn() {
    schedule("a", () -> trace(scheduler.received()));
    assertNull(scheduler.run("value"));
    assertTrace("value a=SUCCEEDED");
  }

  @Test
  void schedule_ofAClosedScheduler_isRefused() {
    Scheduler other = newScheduler();
    LazyTasks<String> own = LazyTasks.on(other, body);
    other.close();
    try {
      var _ = own.schedule("a");
    } catch (IllegalStateException e) {
      trace("refused");
    }
    assertTrace("refused");
  }

  @Test
  void schedule_inATaskWithLocals_inheritsThem() {
    TaskLocal<String> local = TaskLocal.named("local");
    runTask(() ->
        TaskLocal.where(local, "bound")
            .run(() -> {
              schedule("a", () -> trace(local.get()));
            }));
    assertTrace("bound a=SUCCEEDED");
  }

  @Test
  void schedule_bodyThatBindsLocals_leavesThemToNoOther() {
    TaskLocal<String> local = TaskLocal.named("local");
    runTask(() -> {
      schedule("a", () -> TaskLocal.where(local, "bound").run(() -> trace(local.get())));
      schedule("b", () -> trace(local.isBound()));
    });
    assertTrace("bound a=SUCCEEDED false b=SUCCEEDED");
  }

  @Test
  void schedule_bodyThatInterruptsItself_isToldAboutByItsName() {
    runTask(() -> {
      schedule("a", () -> Thread.currentThread().interrupt());
      var _ = tasks().schedule("b");
    });
    assertTrace("a=SUCCEEDED b b=SUCCEEDED");
  }

  @Test
  void halt_inALazyTask_isItsHalt() {
    schedule(
        "a",
        () -> {
          trace("a1");
          var _ = scheduler.halt(null);
          trace("a2");
        });
    scheduler.start();
    assertTrace("a1");
    scheduler.start();
    assertTrace("a2 a=SUCCEEDED");
  }

  @Test
  void execute_manyCommands_runInOrderWithTheirNames() {
    runTask(() -> {
      scheduler.execute(() -> trace("1"));
      scheduler.spawn("2", () -> trace("2"));
      scheduler.execute(
          new Runnable() {
            @Override
            public void run() {
              trace(scheduler.currentTask().name());
            }

            @Override
            public String toString() {
              return "three";
            }
          });
      scheduler.execute(() -> {
        throw new IllegalStateException("four");
      });
      scheduler.execute(() -> trace("5"));
      assertEquals(5, scheduler.tasksPending());
    });
    assertTrace("1 2 execute three 5");
    List<Reported> reported = takeReported();
    assertEquals("four", reported.getFirst().failure().getMessage());
    assertTrue(reported.getFirst().where().startsWith("task 'execute "), reported::toString);
  }

  /// The body of the task starts no thread and takes no lock: where it has a thread of its own, a
  /// call that blocks would let the next task have its turn first. So would the `get()` of a future
  /// that is about to be done: it yields.
  @Test
  void state_byAnotherThreadInALazyTurn_namesTheTask() throws InterruptedException {
    var inTurn = new AtomicBoolean();
    var holder = new AtomicReference<String>();
    Thread onlooker =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              while (!inTurn.get()) {
                Thread.onSpinWait();
              }
              try {
                holder.set(holderOfTheTurn(scheduler));
              } catch (RuntimeException e) {
                holder.set(e.toString());
              }
            });
    runTask(() -> {
      schedule(
          "a",
          () -> {
            inTurn.set(true);
            while (holder.get() == null) {
              Thread.onSpinWait();
            }
            trace(holder.get());
          });
      var _ = tasks().schedule("b");
    });
    onlooker.join();
    assertTrace("a a=SUCCEEDED b b=SUCCEEDED");
  }

  private static String holderOfTheTurn(Scheduler of) {
    Task<?> running = LoopView.of(of).state().running();
    return running == null ? "none" : running.name();
  }

  @Test
  void listenerThatAllowsLazyTurns_seesEachAndNamesTheTask() {
    var turns = new ArrayList<Supplier<? extends @Nullable Task<?>>>();
    var listener =
        new EngineListener() {
          @Override
          public boolean allowsLazyTurns() {
            return true;
          }

          @Override
          public void beforeLazyTurn(Supplier<? extends @Nullable Task<?>> task) {
            turns.add(task);
          }

          @Override
          public void beforeTurn(Task<?> task) {
            turns.add(() -> task);
          }
        };
    var names = new ArrayList<String>();
    try (Scheduler own = configured().instrument(made -> LoopView.of(made).add(listener)).build()) {
      body.code.put("a", () -> names.add(turns.getLast().get().name()));
      body.code.put("b", () -> names.add(turns.getLast().get().name()));
      long _ = LazyTasks.on(own, body).schedule("a");
      long _ = LazyTasks.on(own, body).schedule("b");
      own.start();
      assertEquals(2, LoopView.of(own).turnCount());
    }
    assertEquals(List.of("a", "b"), names);
    assertEquals(2, turns.size());
    assertTrace("a=SUCCEEDED b=SUCCEEDED");
  }
}
