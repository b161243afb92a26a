package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// The timer slack of the loop's thread, as Linux shows it.
final class TimerSlackTest extends OnEveryBackend {

  /// The loop's thread, which is the test's thread on all backends but one.
  private static String slackOfThisThread() throws IOException {
    Path folder = Path.of("/proc/thread-self");
    assumeTrue(Files.exists(folder), "needs Linux");
    assumeTrue(!Thread.currentThread().isVirtual(), "needs a loop on a platform thread");
    Path setting = Path.of("/proc", folder.toRealPath().getFileName().toString(), "timerslack_ns");
    assumeTrue(Files.isWritable(setting), "needs a system that lets threads set it");
    return Files.readString(setting).strip();
  }

  @Test
  void timerSlack_isTheLoopsUntilTheSchedulerCloses() throws Exception {
    String before = slackOfThisThread();
    run(() -> time().timerSlack(Duration.ofNanos(3_000))); // on a thread of its own, with HANDOFF
    scheduler().step();
    assertEquals("3000", slackOfThisThread());
    time().timerSlack(Duration.ZERO);
    scheduler().step();
    assertEquals("1", slackOfThisThread());
    scheduler().close();
    closedByTheTest = true;
    assertEquals(before, slackOfThisThread());
  }

  @Test
  void timerSlack_longerThanASecond_isRefused() {
    WaitForTime time = time();
    time.timerSlack(Duration.ofSeconds(1));
    for (Duration longer :
        new Duration[] {
          Duration.ofSeconds(1).plusNanos(1),
          Duration.ofDays(365_000),
          ChronoUnit.FOREVER.getDuration()
        }) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> time.timerSlack(longer)).getMessage();
      assertTrue(
          message.startsWith(
              "slack must be at most 1 s, because every timer may be late by it, but is "),
          message);
    }
  }

  @Test
  void timerSlack_negativeClosedOrOnAnotherThread_saysSo() {
    WaitForTime time = time();
    Duration negative = Duration.ofNanos(-1);
    assertEquals(
        "slack must not be negative, but is -1 ns",
        assertThrows(IllegalArgumentException.class, () -> time.timerSlack(negative)).getMessage());
    assertThrows(
        WrongThreadException.class,
        () -> {
          try {
            CompletableFuture.runAsync(() -> time.timerSlack(Duration.ZERO)).join();
          } catch (java.util.concurrent.CompletionException e) {
            throw e.getCause();
          }
        });
    scheduler().close();
    closedByTheTest = true;
    assertThrows(IllegalStateException.class, () -> time.timerSlack(Duration.ZERO));
  }
}
