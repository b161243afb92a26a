package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Actions that are posted to a scheduler.
class PostTest extends SchedulerTest {

  private static final int POSTERS = 3;

  private static final int MANY = 5_000;

  /// The most that one pass delivers.
  private static final int BATCH = 1_024;

  private void post(Runnable action) {
    assertTrue(scheduler.post(action));
  }

  private static List<Thread> start(int count, Runnable... each) {
    return IntStream.range(0, count).mapToObj(i -> Thread.ofPlatform().start(each[i])).toList();
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void post_byOneThread_keepsTheOrderWithExecuteBesideIt() throws Exception {
    elsewhere(() -> {
      post(() -> trace("first"));
      scheduler.execute(() -> trace("task"));
      post(() -> trace("ready " + scheduler.tasksPending()));
      return null;
    });
    scheduler.start();
    assertTrace("first ready 1 task");
  }

  @Test
  void post_manyMoreThanAChunkHolds_keepsTheOrder() {
    var seen = new ArrayList<Integer>();
    List<Integer> numbers = IntStream.range(0, 5_000).boxed().toList();
    numbers.forEach(number -> post(() -> seen.add(number)));
    scheduler.start();
    assertEquals(numbers, seen);
  }

  /// Of a scheduler whose tables have grown. No more than three small objects each: no text is made
  /// of an action unless something has to be reported of it.
  @Test
  void post_anActionThatReturns_makesNoText() {
    var counted = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var ran = new AtomicInteger();
    long bytes = 0;
    for (int round = 0; round < 2; round++) {
      IntStream.range(0, MANY).forEach(i -> post(ran::incrementAndGet));
      long before = counted.getCurrentThreadAllocatedBytes();
      scheduler.start();
      bytes = (counted.getCurrentThreadAllocatedBytes() - before) / MANY;
    }
    assertEquals(2 * MANY, ran.get());
    long each = bytes;
    assertTrue(each <= 64, () -> each + " bytes for a posted action");
  }

  @Test
  void post_inTheTurnOfATask_runsAfterIt() {
    runTask(() -> {
      post(() -> trace("action in " + scheduler.currentTask()));
      trace("task");
    });
    assertTrace("task action in null");
  }

  @Test
  void post_byEachAction_leavesTasksTheirTurns() {
    var turns = new AtomicInteger();
    var turnsBefore = new ArrayList<Integer>();
    post(() -> {
      turnsBefore.add(turns.get());
      post(() -> turnsBefore.add(turns.get()));
    });
    runTask(() -> {
      while (turnsBefore.size() < 2) {
        turns.incrementAndGet();
        scheduler.yield();
      }
    });
    assertEquals(0, turnsBefore.get(0));
    assertNotEquals(0, turnsBefore.get(1));
  }

  @Test
  void post_byAnAction_runsAfterAllThatWereThere() {
    post(() -> {
      post(() -> trace("third"));
      trace("first");
    });
    post(() -> trace("second"));
    scheduler.start();
    assertTrace("first second third");
  }

  /// Each burst finds the loop asleep, or on its way there, or awake.
  @Test
  void post_byManyThreadsInBursts_losesNothingAndKeepsEachOnesOrder() throws Exception {
    int bursts = 200;
    int burst = 50;
    var seen = new ArrayList<List<Integer>>();
    var left = new AtomicInteger(POSTERS * bursts);
    try (var _ = scheduler.keepAlive()) {
      Task<Object> keeper = scheduler.spawn("keeper", () -> scheduler.suspend());
      var posters = new ArrayList<Thread>();
      for (int i = 0; i < POSTERS; i++) {
        var own = new ArrayList<Integer>();
        seen.add(own);
        posters.add(
            Thread.ofPlatform()
                .start(() -> {
                  for (int b = 0; b < bursts; b++) {
                    var done = new CountDownLatch(1);
                    for (int k = 0; k < burst; k++) {
                      int number = b * burst + k;
                      post(() -> own.add(number));
                    }
                    post(() -> {
                      done.countDown();
                      if (left.decrementAndGet() == 0) {
                        scheduler.scheduleTask(keeper); // nothing is posted after it
                      }
                    });
                    await(done);
                  }
                }));
      }
      scheduler.start();
      join(posters);
    }
    for (List<Integer> own : seen) {
      assertEquals(IntStream.range(0, bursts * burst).boxed().toList(), own);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void post_suspends_isRefusedAndSaysWhatToDo() {
    for (Runnable call :
        List.<Runnable>of(
            () -> scheduler.yield(), () -> scheduler.suspend(), () -> scheduler.checkpoint())) {
      post(call);
      scheduler.start();
      Throwable failure = takeReported().getFirst().failure();
      assertEquals(IllegalStateException.class, failure.getClass());
      assertTrue(failure.getMessage().contains("in a posted action"), failure.getMessage());
      assertTrue(failure.getMessage().contains("spawn one"), failure.getMessage());
    }
  }

  @Test
  void post_whileATaskWaits_cannotSuspendInItsStead() throws Exception {
    try (var _ = scheduler.keepAlive()) {
      Task<Object> waiting = scheduler.spawn("waiting", () -> scheduler.suspend());
      var waits = new CountDownLatch(1);
      Thread poster =
          Thread.ofPlatform()
              .start(() -> {
                await(waits);
                post(() -> scheduler.yield());
                post(() -> scheduler.scheduleTask(waiting, "woken"));
              });
      scheduler.spawn("behind it", waits::countDown);
      scheduler.start();
      poster.join();
      assertEquals("woken", waiting.join());
    }
    assertEquals(IllegalStateException.class, takeReported().getFirst().failure().getClass());
  }

  @Test
  void post_spawns_theTaskMaySuspend() {
    post(() ->
        scheduler.spawn(() -> {
          scheduler.yield();
          trace("spawned");
        }));
    scheduler.start();
    assertTrace("spawned");
  }

  @Test
  void post_fails_isReportedAndTheNextRuns() {
    post(() -> {
      throw new IllegalStateException("broken");
    });
    post(() -> {
      throw new StackOverflowError("deep");
    });
    post(() -> trace("next"));
    scheduler.start();
    assertTrace("next");
    List<Reported> reported = takeReported();
    assertEquals("broken", reported.get(0).failure().getMessage());
    assertEquals("deep", reported.get(1).failure().getMessage());
    assertTrue(
        reported.getFirst().where().startsWith("posted " + PostTest.class.getName()),
        reported.getFirst().where());
  }

  @Test
  void post_failsFatally_endsTheRunAndNothingIsLost() {
    post(() -> {
      throw new InternalError("the JVM is broken");
    });
    post(() -> trace("next"));
    Task<Void> task = scheduler.spawn(() -> trace("task"));
    assertEquals(
        "the JVM is broken", assertThrows(InternalError.class, scheduler::start).getMessage());
    scheduler.start();
    assertTrue(task.isDone());
    assertTrace("next task");
  }

  @Test
  void post_null_isRefusedAtOnce() throws Exception {
    assertThrows(NullPointerException.class, () -> scheduler.post(null));
    elsewhere(() -> assertThrows(NullPointerException.class, () -> scheduler.post(null)));
  }

  @Test
  void post_moreThanABatch_leavesTasksTheirShare() {
    var ran = new AtomicInteger();
    for (int i = 0; i < 4 * BATCH; i++) {
      post(ran::incrementAndGet);
    }
    runTask(() -> trace("after " + ran.get()));
    assertTrace("after " + BATCH);
    drive();
    assertEquals(4 * BATCH, ran.get());
  }

  @Test
  void post_actionsThatPostThemselves_starveNoTaskAndNoAddOn() {
    boolean[] over = new boolean[1];
    Runnable flood =
        new Runnable() {
          @Override
          public void run() {
            if (!over[0]) {
              post(this);
            }
          }
        };
    post(flood);
    Task<?> idler =
        scheduler
            .host()
            .spawnSteps(
                "idler",
                self -> {
                  time.advance(Duration.ofNanos(100_000)); // and is due again
                  return over[0] ? StepResult.DONE : self.idleUntil(time.read());
                });
    runTask(() -> {
      for (int i = 0; i < 100; i++) {
        scheduler.yield();
      }
      over[0] = true;
    });
    assertTrue(idler.isDone());
  }

  @Test
  void post_schedulerCloses_whatWasTakenBegins() {
    Scheduler closed = newScheduler();
    var ran = new AtomicInteger();
    for (int i = 0; i < 2 * BATCH; i++) {
      assertTrue(closed.post(ran::incrementAndGet));
    }
    closed.close();
    assertFalse(closed.post(ran::incrementAndGet));
    assertEquals(2 * BATCH, ran.get());
  }

  @Test
  void post_racingClose_eachThatWasAcceptedRunsOnceAndNoOther() throws Exception {
    for (int round = 0; round < 50; round++) {
      Scheduler closing = newScheduler();
      var ran = new AtomicInteger();
      var accepted = new AtomicInteger();
      var begin = new CyclicBarrier(POSTERS + 1);
      Runnable poster =
          () -> {
            try {
              begin.await();
            } catch (Exception e) {
              throw new AssertionError(e);
            }
            for (int i = 0; i < 300 && closing.post(ran::incrementAndGet); i++) {
              accepted.incrementAndGet();
            }
          };
      List<Thread> posters = start(POSTERS, poster, poster, poster);
      begin.await();
      closing.close();
      join(posters);
      assertEquals(accepted.get(), ran.get());
    }
  }
}
