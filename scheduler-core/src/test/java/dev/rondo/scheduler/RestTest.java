package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.base.Ticker;
import dev.rondo.scheduler.addon.AddOnHost;
import dev.rondo.scheduler.addon.EventSource;
import dev.rondo.scheduler.addon.IdleStrategy;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.addon.StepTask;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.testing.BackendTest;
import dev.rondo.scheduler.testing.EveryBackend;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// [dev.rondo.scheduler.internal.rooms.LoopControl#rest()]: a scheduler that is stepped beside
/// others.
@EveryBackend
final class RestTest extends BackendTest {

  /// Its nanoseconds wrap before the deadline.
  private static final long START = Long.MAX_VALUE - 5;

  private static final long DEADLINE = Long.MIN_VALUE + 4;

  private final Ticker ticker =
      new Ticker() {
        @Override
        public long read() {
          return now.get();
        }
      };

  private final AtomicLong now = new AtomicLong(START);
  private final AtomicInteger wakeups = new AtomicInteger();
  private Scheduler scheduler;
  private AddOnHost host;

  @BeforeEach
  void open() {
    scheduler = builder().ticker(ticker).build();
    host = scheduler.host();
    host.idleStrategy(
        new IdleStrategy() {
          @Override
          public void idleUntil(long deadlineNanos) {}

          @Override
          public void idle() {}

          @Override
          public void wakeup() {
            wakeups.incrementAndGet();
          }
        });
  }

  @AfterEach
  void close() {
    scheduler.close();
  }

  private void settle() {
    while (scheduler.step()) {
      // Until no task is ready.
    }
  }

  @Test
  void rest_nothingToDo_isForEver() {
    assertEquals(EventSource.FOREVER, LoopControl.of(host).rest());
    assertEquals(0, wakeups.get());
  }

  @Test
  void rest_taskReady_isRefused() {
    scheduler.spawn("ready", () -> {});
    assertEquals(0, LoopControl.of(host).rest());
  }

  @Test
  void rest_posted_isRefused() {
    scheduler.execute(() -> {});
    assertEquals(0, LoopControl.of(host).rest());
    settle();
    assertEquals(EventSource.FOREVER, LoopControl.of(host).rest());
  }

  @Test
  void rest_idlingTask_isUntilItsDeadline() {
    host.spawnSteps(
        "idles", self -> now.get() == START ? self.idleUntil(DEADLINE) : StepResult.DONE);
    settle();
    assertEquals(10, LoopControl.of(host).rest());
    now.addAndGet(4);
    assertEquals(6, LoopControl.of(host).rest());
    now.addAndGet(8);
    assertEquals(0, LoopControl.of(host).rest());
    assertTrue(scheduler.step());
    assertEquals(0, scheduler.tasks().size());
  }

  @Test
  void taskMadeReady_whileResting_wakesOnce() {
    Task<Void> task = scheduler.newTask("task", () -> {});
    assertEquals(EventSource.FOREVER, LoopControl.of(host).rest());
    scheduler.scheduleTask(task);
    scheduler.spawn("another", () -> {});
    assertEquals(1, wakeups.get());
    assertTrue(scheduler.step());
    scheduler.spawn("while not resting", () -> {});
    assertEquals(1, wakeups.get());
  }

  @Test
  void post_whileResting_wakes() throws InterruptedException {
    assertEquals(EventSource.FOREVER, LoopControl.of(host).rest());
    Thread.ofPlatform().start(() -> scheduler.post(() -> {})).join();
    assertEquals(1, wakeups.get());
    assertFalse(scheduler.step());
  }

  @Test
  void deadlineThatMoves_whileResting_wakes() {
    StepTask<Void> task =
        host.spawnSteps(
            "idles", self -> now.get() == START ? self.idleUntil(DEADLINE) : StepResult.DONE);
    settle();
    assertEquals(10, LoopControl.of(host).rest());
    assertTrue(task.wake());
    assertEquals(1, wakeups.get());
  }

  @Test
  void rest_inATask_isRefused() {
    scheduler.spawn("main", LoopControl.of(host)::rest);
    scheduler.step();
    assertEquals("rest inside of a running scheduler", takeFailures().getFirst().getMessage());
  }

  @Test
  void rest_ofAClosedScheduler_isRefused() {
    scheduler.close();
    assertThrows(IllegalStateException.class, LoopControl.of(host)::rest);
  }

  @Test
  void rest_afterAStopFromOutside_goesOn() throws InterruptedException {
    Thread.ofPlatform().start(scheduler::stop).join();
    assertEquals(EventSource.FOREVER, LoopControl.of(host).rest());
  }
}
