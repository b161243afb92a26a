package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.rondo.scheduler.internal.rooms.EngineListener;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.internal.rooms.TaskControl;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tasks of which each has its first turn behind another one's: they may share a coroutine, and no
/// task notices.
class SuccessionTest extends SchedulerTest {

  private static final int MANY = 20_000;

  private int ran;

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  @Test
  void tasksThatNeverWait_haveNoCoroutineOfTheirOwn() {
    assumeTrue(backend.sharesThread(), "elsewhere a task has a thread");
    long bytes = 0;
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < MANY; i++) {
        scheduler.spawn(() -> {
          ran++;
        });
      }
      long before = allocated();
      scheduler.start();
      bytes = (allocated() - before) / MANY;
    }
    assertEquals(3 * MANY, ran);
    long each = bytes;
    assertTrue(each < 8, () -> each + " bytes for the turn of a task");
  }

  /// A child takes 176 bytes here, and a coroutine 48 more.
  @Test
  void taskThatIsJoinedAtOnce_hasNoCoroutineOfItsOwn() {
    assumeTrue(backend.sharesThread(), "elsewhere a task has a thread");
    long[] bytes = new long[1];
    for (int round = 0; round < 3; round++) {
      scheduler.spawn(() -> {
        long before = allocated();
        for (int i = 0; i < MANY; i++) {
          scheduler.spawn(() -> ran++).join();
        }
        bytes[0] = (allocated() - before) / MANY;
      });
      scheduler.start();
    }
    assertEquals(3 * MANY, ran);
    assertTrue(bytes[0] < 200, () -> bytes[0] + " bytes for a child");
  }

  @Test
  void eachThatWaits_hasItsOwnStack() {
    for (int i = 0; i < 6; i++) {
      int number = i;
      scheduler.spawn(() -> {
        int turns = 0;
        while (turns < number % 3) {
          trace(number + ":" + turns++);
          scheduler.yield();
        }
        trace(number + ":" + turns);
      });
    }
    scheduler.start();
    assertTrace("0:0 1:0 2:0 3:0 4:0 5:0 1:1 2:1 4:1 5:1 2:2 5:2");
  }

  /// The loop looks at other things after some turns only, so these are several.
  @Test
  void taskBehindOneThatEndsLater_hasItsOwnTurn() {
    for (int yields = 1_000; yields < 1_004; yields++) {
      int many = yields;
      scheduler.spawn(
          "a",
          () -> {
            for (int i = 0; i < many; i++) {
              scheduler.yield();
            }
            scheduler.spawn(
                "b",
                () -> {
                  trace(TaskControl.of(scheduler.host()).offStack(() -> "outside"));
                  scheduler.yield();
                  trace("b");
                });
            trace("a");
          });
      scheduler.start();
      assertTrace("a outside b");
    }
  }

  @Test
  void step_isOneTurn() {
    scheduler.spawn(() -> trace("a"));
    scheduler.spawn(() -> trace("b"));
    assertTrue(scheduler.step());
    assertTrace("a");
    assertTrue(scheduler.step());
    assertTrace("b");
    assertFalse(scheduler.step());
  }

  @Test
  void stop_endsTheRunBehindTheTask() {
    scheduler.spawn(() -> trace("a"));
    scheduler.spawn(() -> scheduler.stop());
    scheduler.spawn(() -> trace("b"));
    scheduler.start();
    assertTrace("a");
    scheduler.start();
    assertTrace("b");
  }

  @Test
  void halt_isItsTasks() {
    scheduler.spawn(() -> trace("a"));
    scheduler.spawn(() -> {
      trace("b");
      scheduler.halt(null);
      trace("b");
    });
    scheduler.spawn(() -> trace("c"));
    scheduler.start();
    assertTrace("a b");
    scheduler.start();
    assertTrace("b c");
  }

  @Test
  void postedAction_runsWithinFewTurns() {
    List<Integer> turns = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      scheduler.spawn(() -> {
        if (ran++ == 0) {
          scheduler.post(() -> turns.add(ran));
        }
      });
    }
    scheduler.start();
    assertTrue(turns.getFirst() <= 257, () -> "the action ran after so many turns: " + turns);
  }

  @Test
  void current_isEachTaskInItsTurn() {
    List<Task<?>> tasks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int number = i;
      tasks.add(
          scheduler.spawn(() -> {
            assertSame(tasks.get(number), scheduler.currentTask());
            assertEquals(TaskState.RUNNING, tasks.get(number).taskState());
            assertNotSame(tasks.get((number + 1) % 3), scheduler.currentTask());
            trace(number);
          }));
    }
    scheduler.start();
    assertTrace("0 1 2");
  }

  @Test
  void failures_areEachTasksOwn() {
    scheduler.spawn("a", () -> trace("a"));
    Task<Void> failing =
        scheduler.spawn(
            "b",
            () -> {
              throw new IllegalStateException("b");
            });
    Task<Void> deep = scheduler.spawn("c", this::overflow);
    Task<String> last = scheduler.spawn("d", () -> "d");
    scheduler.start();
    assertEquals(TaskState.FAILED, failing.taskState());
    assertEquals(TaskState.FAILED, deep.taskState());
    assertEquals("d", last.join());
    assertEquals(2, takeFailures().size());
    assertTrace("a");
  }

  @SuppressWarnings("InfiniteRecursion")
  private void overflow() {
    overflow();
  }

  @Test
  void cancelled_byTheTaskBeforeIt_neverRuns() {
    List<Task<?>> tasks = new ArrayList<>();
    scheduler.spawn(() -> tasks.getFirst().cancel("not needed"));
    tasks.add(scheduler.spawn(() -> trace("never")));
    scheduler.spawn(() -> trace("b"));
    scheduler.start();
    assertTrue(tasks.getFirst().isCancelled());
    assertTrace("b");
  }

  @Test
  void interrupt_isThatOfTheTaskThatSetIt() {
    scheduler.spawn(() -> trace("a"));
    scheduler.spawn(() -> {
      Thread.currentThread().interrupt();
      scheduler.yield();
      trace("b:" + Thread.interrupted());
    });
    scheduler.spawn(() -> trace("c:" + Thread.currentThread().isInterrupted()));
    scheduler.start();
    assertFalse(Thread.interrupted());
    assertTrace("a c:false b:true");
  }

  @Test
  void codeOutsideOfTasks_comesBackToItsTask() {
    scheduler.spawn("a", () -> trace("a"));
    scheduler.spawn(
        "b",
        () -> {
          trace("b");
          trace(TaskControl.of(scheduler.host()).offStack(() -> "outside"));
          scheduler.yield();
          trace("b");
        });
    scheduler.spawn(
        "c",
        () -> {
          trace(TaskControl.of(scheduler.host()).offStack(() -> "outside"));
          trace("c");
        });
    scheduler.spawn("d", () -> trace("d"));
    scheduler.start();
    assertTrace("a b outside outside c d b");
  }

  private WeakReference<Object> resultBefore(Task<?>[] waiting) {
    var results = new ArrayList<WeakReference<Object>>();
    scheduler.spawn(() -> {
      var result = new Object();
      results.add(new WeakReference<>(result));
      return result;
    });
    waiting[0] = scheduler.spawn(() -> scheduler.suspend());
    drive();
    return results.getFirst();
  }

  @Test
  void taskThatWaits_doesNotHoldTheOneBeforeIt() {
    Task<?>[] waiting = new Task<?>[1];
    WeakReference<Object> result = resultBefore(waiting);
    for (int i = 0; i < 20 && result.get() != null; i++) {
      System.gc();
    }
    assertNull(result.get());
    assertEquals(TaskState.SUSPENDED, waiting[0].taskState());
    assertTrue(waiting[0].cancel("over"));
    scheduler.start();
  }

  @Test
  void listener_seesEachTurn() {
    var listener =
        new EngineListener() {
          @Override
          public boolean allowsLazyTurns() {
            return true;
          }
        };
    try (Scheduler watched =
        configured().instrument(made -> LoopView.of(made).add(listener)).build()) {
      for (int i = 0; i < 10; i++) {
        watched.spawn(() -> trace("t"));
      }
      watched.spawn(() -> {
        watched.yield();
        trace("w");
      });
      watched.start();
      assertEquals(12, LoopView.of(watched).turnCount());
    }
    assertTrace("t t t t t t t t t t w");
  }

  @Test
  void stackOfATaskThatFollowed_isFound() {
    scheduler.spawn(() -> trace("a"));
    Task<Void> task = scheduler.spawn("waits", this::waitHere);
    drive();
    String info = LoopView.of(task).describe(task).toString();
    assertTrue(info.contains("waitHere"), () -> "no frame of the task in " + info);
    assertTrue(task.cancel("over"));
    scheduler.start();
    assertTrace("a");
  }

  private void waitHere() {
    scheduler.suspend();
  }
}
