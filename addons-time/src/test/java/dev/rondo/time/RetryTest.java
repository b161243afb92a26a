package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// [Retry] and [Backoff].
final class RetryTest extends OnEveryBackend {

  private static final Backoff EXACT = new Backoff(4, ms(10), 2, ms(30), 0);

  private Retry retry(Backoff backoff) {
    return new Retry(scheduler(), backoff, new Random(1));
  }

  private int attempts;

  private String failing(int times) throws IOException {
    log("attempt");
    if (++attempts <= times) {
      throw new IOException("failure " + attempts);
    }
    return "value";
  }

  @Test
  void call_failsTwice_waitsLongerEachTimeAndSucceeds() {
    run(() -> assertEquals("value", retry(EXACT).run(() -> failing(2))));
    assertEquals(List.of("attempt@0", "attempt@10", "attempt@30"), log);
  }

  @Test
  void call_failsAlways_lastFailureWithTheOthersSuppressed() {
    run(() -> {
      var e = assertThrows(IOException.class, () -> retry(EXACT).run(() -> failing(100)));
      assertEquals("failure 4", e.getMessage());
      assertEquals(List.of("failure 1", "failure 2", "failure 3"), suppressed(e));
    });
    assertEquals(List.of("attempt@0", "attempt@10", "attempt@30", "attempt@60"), log);
  }

  @Test
  void call_sameFailureEachTime_doesNotSuppressItself() {
    var failure = new IOException("the same");
    run(() -> {
      var e =
          assertThrows(
              IOException.class,
              () ->
                  retry(EXACT)
                      .run(() -> {
                        throw failure;
                      }));
      assertSame(failure, e);
      assertArrayEquals(new Throwable[0], e.getSuppressed());
    });
  }

  @Test
  void call_manyFailures_latestEightRemembered() {
    run(() -> {
      var backoff = new Backoff(100, Duration.ZERO, 1, Duration.ZERO, 0);
      var e = assertThrows(IOException.class, () -> retry(backoff).run(() -> failing(200)));
      assertEquals(8, e.getSuppressed().length);
      assertEquals("failure 92", e.getSuppressed()[0].getMessage());
    });
  }

  @Test
  void onlyAfter_otherFailure_comesOutAtOnce() {
    run(() -> {
      Retry retry = retry(EXACT).onlyAfter(failure -> failure instanceof TimedOutException);
      assertThrows(IOException.class, () -> retry.run(() -> failing(1)));
    });
    assertEquals(List.of("attempt@0"), log);
  }

  @Test
  void call_error_comesOutAtOnce() {
    run(() ->
        assertThrows(
            AssertionError.class,
            () ->
                retry(EXACT)
                    .run(() -> {
                      log("attempt");
                      throw new AssertionError("on purpose");
                    })));
    assertEquals(List.of("attempt@0"), log);
  }

  @Test
  void call_cancelledWhileItWaits_endsThere() {
    Task<String> task = scheduler().spawn(() -> retry(EXACT).run(() -> failing(100)));
    run(() -> {
      sleep(15);
      task.cancel("test");
    });
    assertTrue(task.isCancelled());
    assertEquals(List.of("attempt@0", "attempt@10"), log);
  }

  @Test
  void call_deadlineWhileItWaits_tellsTheFailuresSoFar() {
    run(() -> {
      var e =
          assertThrows(
              TimedOutException.class,
              () -> scheduler().within(ms(15), () -> retry(EXACT).run(() -> failing(100))));
      assertEquals(List.of("failure 1", "failure 2"), suppressed(e.getCause()));
    });
  }

  @Test
  void call_outsideOfATask_tellsTheFailureThatItCouldNotWaitAfter() {
    var e = assertThrows(IllegalStateException.class, () -> retry(EXACT).run(() -> failing(100)));
    assertEquals(List.of("failure 1"), suppressed(e));
  }

  @Test
  void onlyAfter_predicateFails_tellsTheFailureThatItWasAskedAbout() {
    Retry retry =
        retry(EXACT)
            .onlyAfter(failure -> {
              throw new IllegalStateException("on purpose");
            });
    var e = assertThrows(IllegalStateException.class, () -> retry.run(() -> failing(100)));
    assertEquals(List.of("failure 1"), suppressed(e));
  }

  private static List<String> suppressed(Throwable e) {
    return List.of(e.getSuppressed()).stream().map(Throwable::getMessage).toList();
  }

  @Test
  void after_withJitter_inRangeAndSameForTheSameSeed() {
    var backoff = new Backoff(20, ms(100), 2, Duration.ofSeconds(5), 0.5);
    var one = new Random(7);
    var other = new Random(7);
    for (int attempt = 1; attempt <= 20; attempt++) {
      Duration wait = backoff.after(attempt, one);
      assertEquals(wait, backoff.after(attempt, other));
      long most = Math.min(5_000, 100L << Math.min(20, attempt - 1));
      assertTrue(wait.toMillis() <= most && wait.toMillis() >= most / 2 - 1, wait.toString());
    }
    assertTrue(IntStream.range(0, 20).mapToObj(i -> backoff.after(1, one)).distinct().count() > 10);
    scheduler();
  }

  @Test
  void after_hugeNumbers_longest() {
    var backoff = new Backoff(Integer.MAX_VALUE, Duration.ofDays(1), 1e300, Duration.ofDays(2), 0);
    assertEquals(Duration.ofDays(1), backoff.after(1, new Random()));
    assertEquals(Duration.ofDays(2), backoff.after(2, new Random()));
    assertEquals(Duration.ofDays(2), backoff.after(Integer.MAX_VALUE, new Random()));
    var zero = new Backoff(9, Duration.ZERO, 1e300, Duration.ZERO, 0);
    assertEquals(Duration.ZERO, zero.after(9, new Random()));
    assertEquals(Duration.ofHours(1), Backoff.exponential(1, Duration.ofHours(1)).longest());
  }

  @Test
  void constructor_outOfRange_refusedWithTheValue() {
    String[] messages = {
      refused(0, ms(1), 2, ms(1), 0),
      refused(1, ms(-1), 2, ms(1), 0),
      refused(1, ms(1), 0.5, ms(1), 0),
      refused(1, ms(1), Double.NaN, ms(1), 0),
      refused(1, ms(2), 2, ms(1), 0),
      refused(1, ms(1), 2, ms(1), 1.5),
      refused(1, ms(1), 2, ms(1), Double.NaN)
    };
    assertArrayEquals(
        new String[] {
          "attempts must be at least 1, but is 0",
          "first must not be negative, but is -1 ms",
          "factor must be at least 1 and finite, but is 0.5",
          "factor must be at least 1 and finite, but is NaN",
          "longest must be at least first, which is 2 ms, but is 1 ms",
          "jitter must be from 0 to 1, but is 1.5",
          "jitter must be from 0 to 1, but is NaN"
        },
        messages);
    scheduler();
  }

  private static String refused(
      int attempts, Duration first, double factor, Duration longest, double jitter) {
    return assertThrows(
            IllegalArgumentException.class,
            () -> new Backoff(attempts, first, factor, longest, jitter))
        .getMessage();
  }

  @Test
  void runningTime_virtualTime_measured() {
    run(() -> sleep(25));
    assertEquals(ms(25), time().runningTime());
  }
}
