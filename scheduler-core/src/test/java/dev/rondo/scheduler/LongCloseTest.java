package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.FakeTime;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// What a close says while it waits for another thread. The clock jumps when nothing else is left
/// to do.
class LongCloseTest extends SchedulerTest {

  private final CompletableFuture<Void> work = new CompletableFuture<>();
  private int ended;

  /// Does not end before another thread has done its work.
  private void spawnSlow(String name) {
    scheduler.spawn(
        name,
        () -> {
          try {
            scheduler.suspend();
          } finally {
            scheduler.shielded(() -> scheduler.await(scheduler.completion(work)));
            ended++;
          }
        });
  }

  private List<String> linesOfClose() {
    try (var log = new CapturedLog()) {
      Thread.ofVirtual()
          .start(() -> {
            try {
              log.awaitLine();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            } finally {
              work.complete(null);
            }
          });
      scheduler.close();
      return log.lines();
    }
  }

  @Test
  void tasksWaitForAnotherThread_theLogNamesThem() {
    for (int i = 1; i <= 12; i++) {
      spawnSlow("slow " + i);
    }
    drive();
    List<String> lines = linesOfClose();
    assertEquals(1, lines.size(), lines::toString);
    String line = lines.getFirst();
    assertTrue(line.startsWith("WARN close() has waited for 10 s, and continues to wait"), line);
    assertTrue(line.contains("slow 1'") && line.contains("slow 10'"), line);
    assertTrue(line.endsWith("and 2 more"), line);
    assertEquals(12, ended);
  }

  /// The work of another thread takes less than the patience each time, and there is always more.
  @Test
  void taskWaitsShortlyAgainAndAgain_theLogNamesItOnce() {
    scheduler.spawn(
        "busy",
        () -> {
          try {
            scheduler.suspend();
          } finally {
            scheduler.shielded(this::awaitFiveTimes);
          }
        });
    drive();
    try (var log = new CapturedLog()) {
      scheduler.close();
      List<String> lines = log.lines();
      assertEquals(1, lines.size(), lines::toString);
      assertTrue(lines.getFirst().contains(" 'busy' WAITING"), lines::toString);
    }
    assertEquals(Duration.ofSeconds(25), time.elapsed());
    assertEquals(5, ended);
  }

  private void awaitFiveTimes() {
    for (int i = 0; i < 5; i++) {
      var part = new CompletableFuture<Void>();
      time.at(time.read() + Duration.ofSeconds(5).toNanos(), () -> part.complete(null));
      scheduler.await(scheduler.completion(part));
      ended++;
    }
  }

  /// Tasks that nothing can wake are given up at once, as without a timer.
  @Test
  void taskWaitsForNothing_isGivenUpAtOnce() {
    var clock = new FakeTime();
    Scheduler own = Scheduler.builder().backend(backend).ticker(clock).build();
    clock.serve(own);
    own.spawn(() -> own.shielded(() -> own.suspend()));
    assertTrue(own.step());
    long before = clock.read();
    try (var log = new CapturedLog()) {
      own.close();
      List<String> lines = log.lines();
      assertEquals(1, lines.size(), lines::toString);
      assertTrue(lines.getFirst().startsWith("ERROR "), lines::toString); // that of the task
    }
    assertEquals(before, clock.read());
  }
}
