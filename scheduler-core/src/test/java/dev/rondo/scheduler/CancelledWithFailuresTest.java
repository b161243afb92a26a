package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Failures while a cancelled task cleans up: they are suppressed in its [TaskCancelled].
@BackendsDiffer
class CancelledWithFailuresTest extends SchedulerTest {

  private final IOException failure = new IOException("of close()");

  /// A resource that cannot be closed.
  private void fail() throws IOException {
    throw failure;
  }

  private Task<Void> cancelled(AutoCloseable resource) {
    Task<Void> task = suspended(resource);
    task.cancel("why");
    return task;
  }

  private Task<Void> suspended(AutoCloseable resource) {
    Task<Void> task =
        scheduler.spawn(
            "T",
            () -> {
              try (resource) {
                scheduler.suspend();
              }
            });
    drive();
    return task;
  }

  @Test
  void cleanUpFails_nobodyJoins_theHandlerIsTold() {
    Task<Void> task = cancelled(this::fail);
    drive();
    assertTrue(task.isCancelled());
    assertEquals(List.of(new Reported("task 'T'", failure)), takeReported());
  }

  @Test
  void cleanUpFails_somebodyJoins_isTheOnlyOneToBeTold() {
    Task<Void> task = suspended(this::fail);
    scheduler.spawn(() -> {
      var told = assertThrows(CancellationException.class, task::join);
      assertEquals(List.of(failure), List.of(told.getCause().getSuppressed()));
      trace("told");
    });
    drive();
    task.cancel("why");
    drive();
    assertTrace("told");
  }

  @Test
  void cleanUpIsToldOnceMore_nobodyJoins_isNoFailure() {
    Task<Void> task = cancelled(() -> scheduler.yield());
    drive();
    assertTrue(task.isCancelled());
  }

  @Test
  void cleanUpJoinsACancelledTask_nobodyJoins_isNoFailure() {
    Task<Object> other = scheduler.spawn("other", () -> scheduler.suspend());
    Task<Void> task = cancelled(() -> scheduler.shielded(other::join));
    drive();
    other.cancel("too");
    drive();
    assertTrue(task.isCancelled());
  }

  private Task<Void> cancelledGroup(TaskAction<?> child) {
    Task<Void> owner =
        scheduler.spawn(
            "owner",
            () -> {
              TaskGroup<@Nullable Void> group = scheduler.newGroup("g");
              group.run(() -> {
                group.spawn("child", child);
                scheduler.suspend();
              });
            });
    drive();
    owner.cancel("why");
    drive();
    assertTrue(owner.isCancelled());
    return owner;
  }

  @Test
  void childFailsInsteadOfEnding_nobodyJoinsTheOwner_theHandlerIsTold() {
    cancelledGroup(() -> {
      try {
        scheduler.suspend();
      } finally {
        fail();
      }
    });
    List<Reported> told = takeReported();
    assertEquals(1, told.size());
    assertEquals("task 'owner'", told.getFirst().where());
    assertEquals(failure, told.getFirst().failure().getCause());
  }

  @Test
  void childFailsWhileItEnds_nobodyJoinsIt_theHandlerIsTold() {
    AutoCloseable broken = this::fail;
    cancelledGroup(() -> {
      try (broken) {
        scheduler.suspend();
      }
    });
    assertEquals(List.of(new Reported("task 'child'", failure)), takeReported());
  }

  @Test
  void cleanUpFailsInABlockingCall_nobodyJoins_theHandlerIsTold() {
    assumeTrue(backend.mountsOnLoopThread() && !backend.sharesThread(), "only BOUND interrupts");
    AutoCloseable broken = this::fail;
    Task<Void> task =
        scheduler.spawn(
            "T",
            () -> {
              try (broken) {
                new CountDownLatch(1).await();
              }
            });
    scheduler.step();
    task.cancel("why");
    scheduler.start();
    assertTrue(task.isCancelled());
    assertEquals(List.of(new Reported("task 'T'", failure)), takeReported());
  }
}
