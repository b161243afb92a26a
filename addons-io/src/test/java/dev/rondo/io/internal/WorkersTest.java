package dev.rondo.io.internal;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.IoRig;
import dev.rondo.io.OnEveryBackend;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// Blocking calls on bounded threads.
class WorkersTest {

  @OnEveryBackend
  void call_returnsFailsAndLetsOthersGoOn(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var workers = Workers.open(world.scheduler(), "w", 2)) {
        var gate = new CountDownLatch(1);
        Task<Boolean> waiting =
            world
                .scheduler()
                .spawn(() ->
                    workers.call(() -> {
                      gate.await();
                      return Thread.currentThread().isVirtual();
                    }));
        world.settle();
        assertFalse(waiting.isDone());
        gate.countDown();
        assertFalse(waiting.join());
        var failure = new IOException("broken");
        assertSame(
            failure,
            assertThrows(
                IOException.class,
                () ->
                    workers.call(() -> {
                      throw failure;
                    })));
        assertEquals(null, workers.<String>call(() -> null));
      }
    });
  }

  /// Writing the name takes as long as handing over the call.
  @OnEveryBackend
  void call_noReport_theNameIsNotWritten(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var workers = Workers.open(world.scheduler(), "w", 1)) {
        var written = new AtomicInteger();
        var name =
            new Object() {
              @Override
              public String toString() {
                return "name " + written.incrementAndGet();
              }
            };
        assertEquals(7, workers.<Integer>call(name, () -> 7));
        assertEquals(0, written.get());
      }
    });
  }

  @OnEveryBackend
  void call_moreThanThreads_waitInLine(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var workers = Workers.open(world.scheduler(), "w", 2)) {
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var tasks = new ArrayList<Task<Void>>();
        for (int i = 0; i < 50; i++) {
          tasks.add(
              world.spawn(
                  "t" + i,
                  () ->
                      workers.call(() -> {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        Thread.yield();
                        return inside.decrementAndGet();
                      })));
        }
        tasks.forEach(Task::join);
        assertTrue(most.get() <= 2, () -> "at a time: " + most);
        assertTrue(workers.threadCount() <= 2);
      }
    });
  }

  @OnEveryBackend
  void call_cancelledBeforeItBegan_neverRuns(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var workers = Workers.open(world.scheduler(), "w", 1)) {
        var gate = new CountDownLatch(1);
        var ran = new AtomicInteger();
        Task<Void> first = world.spawn("first", () -> workers.call(() -> await(gate)));
        Task<Void> second = world.spawn("second", () -> workers.call(ran::incrementAndGet));
        world.settle();
        second.cancel("not needed");
        assertThrows(CancellationException.class, second::join);
        gate.countDown();
        first.join();
        workers.call(() -> null);
        assertEquals(0, ran.get());
      }
    });
  }

  /// A worker may be faster than the task that finds itself cancelled, hence many rounds.
  @OnEveryBackend
  void call_inACancelledTask_neverBegins(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var workers = Workers.open(world.scheduler(), "w", 2)) {
        var ran = new AtomicInteger();
        for (int i = 0; i < 2_000; i++) {
          Task<Void> task =
              world.spawn(
                  "cancelled",
                  () -> {
                    requireNonNull(world.scheduler().currentTask()).cancel("enough");
                    workers.call(ran::incrementAndGet);
                  });
          assertThrows(CancellationException.class, task::join);
        }
        assertEquals(0, ran.get());
      }
    });
  }

  @OnEveryBackend
  void call_cancelledWhileItRuns_isWaitedForAndNotInterrupted(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var workers = Workers.open(world.scheduler(), "w", 1)) {
        var began = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        var interrupted = new ArrayList<Boolean>();
        Task<Void> task =
            world.spawn(
                "task",
                () -> {
                  String done =
                      workers.call(() -> {
                        began.countDown();
                        await(gate);
                        interrupted.add(Thread.currentThread().isInterrupted());
                        return "done";
                      });
                  assertEquals("done", done);
                  world.scheduler().yield();
                });
        world.settle();
        workersBegan(world, began);
        task.cancel("too late");
        world.settle();
        assertFalse(task.isDone());
        gate.countDown();
        assertThrows(CancellationException.class, task::join);
        assertEquals(java.util.List.of(false), interrupted);
      }
    });
  }

  @OnEveryBackend
  void abandonable_timedOut_isLeftToItself(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var workers = Workers.open(world.scheduler(), "w", 1)) {
        var began = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        Task<Throwable> task =
            world.failing(() ->
                world
                    .scheduler()
                    .within(
                        Duration.ofSeconds(1),
                        () ->
                            workers.abandonable(() -> {
                              began.countDown();
                              return await(gate);
                            })));
        world.settle();
        workersBegan(world, began);
        world.timer().fire();
        assertInstanceOf(TimedOutException.class, task.join());
        gate.countDown();
        assertEquals(1, workers.call(() -> 1));
      }
    });
  }

  @OnEveryBackend
  void call_directlyScheduledMeanwhile_waitsOn(IoRig rig) throws Exception {
    rig.run(world -> {
      try (var workers = Workers.open(world.scheduler(), "w", 1)) {
        var gate = new CountDownLatch(1);
        Task<Integer> task =
            world
                .scheduler()
                .spawn(() ->
                    workers.call(() -> {
                      await(gate);
                      return 7;
                    }));
        world.settle();
        world.scheduler().scheduleTask(task);
        world.settle();
        assertFalse(task.isDone());
        gate.countDown();
        assertEquals(7, task.join());
      }
    });
  }

  @OnEveryBackend
  void misuse_isRefused(IoRig rig) throws Exception {
    rig.run(world -> {
      var e =
          assertThrows(
              IllegalArgumentException.class, () -> Workers.open(world.scheduler(), "w", 0));
      assertTrue(e.getMessage().contains("max=0"), e::getMessage);
      var workers = Workers.open(world.scheduler(), "w", 1);
      workers.close();
      assertThrows(RejectedExecutionException.class, () -> workers.call(() -> 1));
    });
  }

  private static Void await(CountDownLatch latch) throws InterruptedException {
    latch.await();
    return null;
  }

  /// Waits for another thread without blocking the loop.
  private static void workersBegan(IoRig.World world, CountDownLatch began) throws Exception {
    world.scheduler().blocking(() -> await(began));
  }
}
