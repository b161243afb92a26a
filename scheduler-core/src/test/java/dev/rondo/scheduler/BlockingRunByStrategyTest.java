package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.internal.rooms.BlockingStrategy;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Calls of `blocking(..)` that an idle strategy takes over.
class BlockingRunByStrategyTest extends SchedulerTest {

  private final List<Runnable> calls = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  @BeforeEach
  void takeCalls() {
    scheduler
        .host()
        .idleStrategy(
            new BlockingStrategy() {
              @Override
              public boolean runsBlocking(String name, Runnable call) {
                names.add(name);
                return calls.add(call);
              }

              @Override
              public void idleUntil(long deadlineNanos) {
                time.idleUntil(deadlineNanos);
              }

              @Override
              public void idle() {
                time.idle();
              }

              @Override
              public void wakeup() {
                time.wakeup();
              }
            });
  }

  /// Runs the oldest call on a thread of its own.
  private void runOne() throws InterruptedException {
    Thread.ofVirtual().start(calls.removeFirst()).join();
  }

  private void steps() {
    while (scheduler.step()) {
      // until no task is ready
    }
  }

  @Test
  void call_doesNotBeginBeforeTheStrategyRunsIt() throws InterruptedException {
    var seen = new ArrayList<Thread>();
    Task<String> task =
        scheduler.spawn(
            "caller",
            () ->
                scheduler.blocking(() -> {
                  seen.add(Thread.currentThread());
                  return "outcome";
                }));
    steps();
    assertEquals(List.of("blocking call of task 'caller'"), names);
    assertEquals(List.of(), seen);
    runOne();
    steps();
    assertEquals("outcome", task.resultNow());
    assertNotSame(Thread.currentThread(), seen.getFirst());
  }

  @Test
  void severalCalls_endInTheOrderInWhichTheyRan() throws InterruptedException {
    var ends = new ArrayList<String>();
    for (String each : List.of("first", "second")) {
      var _ = scheduler.spawn(() -> ends.add(scheduler.blocking(() -> each)));
    }
    steps();
    calls.add(calls.removeFirst());
    runOne();
    runOne();
    steps();
    assertEquals(List.of("second", "first"), ends);
  }

  @Test
  void call_ofACancelledTask_doesNothing() throws InterruptedException {
    var seen = new ArrayList<String>();
    Task<Boolean> task = scheduler.spawn(() -> scheduler.blocking(() -> seen.add("called")));
    steps();
    assertTrue(task.cancel(true));
    steps();
    assertTrue(task.isCancelled());
    runOne();
    steps();
    assertEquals(List.of(), seen);
  }

  /// What completes the future may be a task, which must have its turn.
  @Test
  void plainFuture_isNotTakenOver() {
    var future = new FutureTask<>(() -> "completed");
    var seen = new ArrayList<String>();
    var _ = scheduler.spawn(() -> seen.add(scheduler.await(scheduler.completion(future))));
    var _ = scheduler.spawn(future::run);
    scheduler.start();
    assertEquals(List.of("completed"), seen);
    assertEquals(List.of(), names);
  }
}
