package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Reports of failures, from any thread.
class ReportTest extends SchedulerTest {

  private final IOException failure = new IOException("on purpose");

  @Test
  void report_ownThread_tellsAtOnce() {
    scheduler.host().report("here", failure);
    assertEquals(List.of(new Reported("here", failure)), takeReported());
  }

  @Test
  void report_otherThread_tellsOnTheSchedulersThread() throws Exception {
    var told = new AtomicReference<Scheduler>();
    try (Scheduler own =
        Scheduler.builder()
            .backend(backend)
            .failureHandler((where, cause) -> {
              assertSame(failure, cause);
              told.set(Scheduler.current());
            })
            .build()) {
      elsewhere(() -> {
        own.host().report("there", failure);
        return null;
      });
      assertEquals(null, told.get());
      own.host().spawnSteps("any", self -> StepResult.DONE);
      own.start();
      assertSame(own, told.get());
    }
  }

  @Test
  void report_otherThreadAfterClose_isLogged() throws Exception {
    Scheduler closed = newScheduler();
    closed.close();
    try (var log = new CapturedLog()) {
      elsewhere(() -> {
        closed.host().report("there", failure);
        return null;
      });
      assertEquals(List.of("ERROR there failed, and the scheduler is closed"), log.lines());
    }
  }

  @Test
  void report_null_isRefused() {
    assertThrows(NullPointerException.class, () -> scheduler.host().report(null, failure));
    assertThrows(NullPointerException.class, () -> scheduler.host().report("here", null));
  }

  @Test
  void clock_otherThread_isReadable() throws Exception {
    long there =
        elsewhere(() ->
            scheduler.host().deadlineAfter(Duration.ofSeconds(1)) - scheduler.host().nowNanos());
    assertTrue(there == Duration.ofSeconds(1).toNanos(), there + " ns");
  }
}
