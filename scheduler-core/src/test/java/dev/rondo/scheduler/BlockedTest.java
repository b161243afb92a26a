package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.addon.TaskListener;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Tasks in a blocking call of the JDK, while other tasks run: what BOUND is for.
@BackendsDiffer
class BlockedTest extends SchedulerTest {

  @BeforeEach
  void onBoundOnly() {
    assumeTrue(backend.name().equals("BOUND"));
  }

  private final SynchronousQueue<String> queue = new SynchronousQueue<>();

  private Task<String> blocked() {
    Task<String> task = scheduler.spawn("blocked", () -> queue.take());
    scheduler.step();
    assertEquals(TaskState.BLOCKED, task.taskState());
    return task;
  }

  private void give(String value) {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            queue.put(value);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void body_blocks_othersGoOnAndItComesBack() {
    Task<String> task = blocked();
    scheduler.spawn(() -> trace("other"));
    give("given");
    scheduler.start();
    assertTrace("other");
    assertEquals("given", task.join());
  }

  /// As after `scheduleTask`, not at the loop's next look at what other threads have done.
  @Test
  void call_thatAnotherTaskEnds_makesTheTaskReadyAtOnce() {
    Task<String> task = blocked();
    scheduler.spawn(() -> {
      queue.put("given");
      trace("" + task.taskState());
    });
    scheduler.start();
    assertTrace("READY");
    assertEquals("given", task.join());
  }

  @Test
  void yieldOfTheJdk_isOverAtOnce() {
    for (String name : List.of("a", "b")) {
      scheduler.spawn(() -> {
        Thread.yield();
        trace(name);
      });
    }
    scheduler.step();
    scheduler.step();
    scheduler.spawn(() -> trace("last"));
    scheduler.start();
    assertTrace("a b last");
  }

  @Test
  void schedule_blocked_isRefused() {
    Task<String> task = blocked();
    assertFalse(scheduler.scheduleTask(task));
    assertFalse(scheduler.queue().scheduleNext(task, "v"));
    assertFalse(scheduler.queue().unschedule(task));
    assertFalse(scheduler.queue().scheduleOn(task, Waitable.never()));
    assertFalse(scheduler.queue().scheduled(task));
    give("given");
    scheduler.start();
    assertEquals("given", task.join());
  }

  @Test
  void cancel_blocked_interruptsTheCall() {
    Task<Void> task =
        scheduler.spawn(() -> {
          assertThrows(InterruptedException.class, queue::take);
          trace("interrupted");
          scheduler.yield();
          trace("not reached");
        });
    scheduler.step();
    assertTrue(task.cancel("why"));
    scheduler.start();
    assertTrace("interrupted");
    assertTrue(task.isCancelled());
  }

  @Test
  void within_blocked_timesOut() {
    runTask(() -> {
      assertThrows(
          TimedOutException.class,
          () ->
              scheduler.within(
                  Duration.ofSeconds(1),
                  () -> {
                    assertThrows(InterruptedException.class, queue::take);
                    scheduler.yield();
                    return null;
                  }));
      trace("out");
    });
    assertTrace("out");
  }

  @Test
  void close_blocked_interruptsIt() {
    Task<String> task = blocked();
    scheduler.close();
    assertTrue(task.isDone());
    takeReported();
  }

  @Test
  void body_blocksWhileArming_isCancelledAllTheSame() {
    var entered = new CountDownLatch(1);
    var go = new LinkedBlockingQueue<String>();
    var slow =
        new Waitable<Object>() {
          private int armed;

          @Override
          public void arm(Waiter<? super Object> waiter) {
            armed++;
            entered.countDown();
            boolean interrupted = false;
            while (true) {
              try {
                go.take();
                break;
              } catch (InterruptedException e) {
                interrupted = true;
              }
            }
            if (interrupted) {
              Thread.currentThread().interrupt();
            }
          }

          @Override
          public void disarm(Waiter<? super Object> waiter) {
            armed--;
          }
        };
    Task<Object> task = scheduler.spawn(() -> scheduler.await(slow));
    scheduler.step();
    assertEquals(TaskState.BLOCKED, task.taskState());
    task.cancel("why");
    scheduler.step();
    go.add("on");
    scheduler.start();
    assertTrue(task.isCancelled());
    assertEquals(0, slow.armed);
  }

  @Test
  void body_waitsInSynchronized_suspendsFine() {
    var monitor = new Object();
    Task<Void> holder =
        scheduler.spawn(() -> {
          synchronized (monitor) {
            trace("holds");
            scheduler.suspend();
            trace("releases");
          }
        });
    scheduler.spawn(() -> {
      trace("contends");
      synchronized (monitor) {
        trace("enters");
      }
    });
    scheduler.spawn(() -> scheduler.scheduleTask(holder));
    scheduler.start();
    assertTrace("holds contends releases enters");
  }

  @Test
  void listener_blocks_othersMayGiveWayMeanwhile() {
    Scheduler own =
        configured()
            .listener(
                new TaskListener() {
                  @Override
                  public void created(Task<?> task) {
                    if (task.name().equals("slow")) {
                      try {
                        trace(queue.take());
                      } catch (InterruptedException e) {
                        throw new AssertionError(e);
                      }
                    }
                  }
                })
            .build();
    try (own) {
      own.spawn("maker", () -> own.spawn("slow", () -> {}));
      own.spawn(
          "other",
          () -> {
            own.yield();
            trace("other");
            give("told");
          });
      own.start();
    }
    assertTrace("other told");
  }

  @Test
  void listener_ofTheEnd_isNotToldOnTheTasksThread() {
    var ended = new AtomicReference<Thread>();
    Scheduler own =
        configured()
            .listener(
                new TaskListener() {
                  @Override
                  public void done(Task<?> task) { // a task that has ended cannot block
                    trace(task.taskState() + " " + (Thread.currentThread() == ended.get()));
                  }
                })
            .build();
    try (own) {
      own.spawn(() -> ended.set(Thread.currentThread()));
      own.start();
    }
    assertTrace("SUCCEEDED " + backend.sharesThread());
  }

  @Test
  void innerScheduler_sleeps_outerTasksMayGiveWayMeanwhile() {
    scheduler.spawn(
        "outer",
        () -> {
          try (Scheduler inner = Scheduler.builder().backend(CoroutineBackends.handoff()).build()) {
            inner.spawn(() -> trace(inner.blocking(() -> queue.take())));
            inner.start();
          }
          scheduler.yield();
        });
    scheduler.spawn(
        "other",
        () -> {
          scheduler.yield();
          trace("other");
          give("inner");
        });
    scheduler.start();
    assertTrace("other inner");
  }
}
