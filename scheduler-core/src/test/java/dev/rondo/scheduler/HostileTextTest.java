package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// User objects whose `toString()` throws: messages name them all the same.
class HostileTextTest extends SchedulerTest {

  private static String fail() {
    throw new UnsupportedOperationException("no text");
  }

  /// A failure whose message and text cannot be read.
  private static final class Unspeakable extends IOException {

    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      return fail();
    }
  }

  /// An event that never comes, and whose `disarm` throws.
  private static final class Nameless implements Waitable<String> {

    @Override
    public void arm(Waiter<? super String> waiter) {}

    @Override
    public void disarm(Waiter<? super String> waiter) {
      throw new IllegalStateException("disarm");
    }

    @Override
    public String toString() {
      return fail();
    }
  }

  private final class Command implements Runnable {

    @Override
    public void run() {
      trace("ran");
    }

    @Override
    public String toString() {
      return fail();
    }
  }

  @Test
  void execute_commandWithoutText_runsAndLosesNoOther() throws Exception {
    elsewhere(() -> {
      scheduler.execute(new Command());
      scheduler.execute(() -> trace("other"));
      return null;
    });
    scheduler.execute(new Command());
    scheduler.start();
    assertTrace("ran ran other");
  }

  @Test
  void group_blockFailsWithoutText_leavesNoChildBehind() {
    TaskGroup<Void> group = scheduler.newGroup("group");
    var failure = new Unspeakable();
    runTask(() -> {
      Throwable thrown =
          assertThrows(
              Throwable.class,
              () ->
                  group.run(() -> {
                    group.spawn("child", () -> scheduler.suspend());
                    scheduler.yield();
                    throw failure;
                  }));
      assertSame(failure, thrown);
      assertTrue(group.outcomes().getFirst() instanceof Outcome.Cancelled<?>);
    });
  }

  @Test
  void join_taskFailedWithoutText_tellsTheFailure() {
    var failure = new Unspeakable();
    runTask(() -> {
      Task<Void> task =
          scheduler.spawn(
              "task",
              () -> {
                throw failure;
              });
      var told = assertThrows(TaskFailedException.class, task::join);
      assertSame(failure, told.getCause());
      assertEquals(
          "task 'task' failed: %s (its toString() threw java.lang.UnsupportedOperationException)"
              .formatted(Unspeakable.class.getName()),
          told.getMessage());
    });
  }

  @Test
  void await_limitOnAWaitWithoutText_timesOut() {
    runTask(() -> {
      var told =
          assertThrows(
              TimedOutException.class,
              () -> scheduler.await(new Nameless(), Duration.ofSeconds(1)));
      assertEquals(
          "gave up after 1 s: %s (its toString() threw java.lang.UnsupportedOperationException)"
              .formatted(Nameless.class.getName()),
          told.getMessage());
    });
    Reported disarm = takeReported().getFirst();
    assertEquals("disarm", disarm.failure().getMessage());
  }

  @Test
  void cancel_outOfPatienceWithAWaitWithoutText_isReported() {
    Task<Void> task =
        scheduler.spawn(
            "task",
            () -> {
              try {
                scheduler.suspend();
              } finally {
                scheduler.shielded(() -> {
                  scheduler.yield();
                  return scheduler.await(new Nameless(), Duration.ofSeconds(2));
                });
              }
            });
    scheduler.spawn(() -> task.cancel("why", Duration.ofSeconds(1)));
    scheduler.start();
    assertTrue(
        takeFailures().stream().anyMatch(CancelIgnoredException.class::isInstance), "not told");
  }
}
