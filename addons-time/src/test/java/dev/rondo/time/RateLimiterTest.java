package dev.rondo.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RateLimiterTest extends OnEveryBackend {

  private RateLimiter limiter(int permits, Duration period) {
    return new RateLimiter(scheduler(), permits, period);
  }

  @Test
  void acquire_moreThanThereAre_burstThenEvenly() {
    var limiter = limiter(2, ms(20));
    run(() -> {
      for (int i = 0; i < 5; i++) {
        limiter.acquire();
        log("permit");
      }
    });
    assertEquals(List.of("permit@0", "permit@0", "permit@10", "permit@20", "permit@30"), log);
  }

  @Test
  void acquire_severalTasks_firstComeFirstServed() {
    var limiter = limiter(1, ms(10));
    for (String name : List.of("a", "b", "c")) {
      scheduler()
          .spawn(() -> {
            limiter.acquire();
            log(name);
          });
    }
    scheduler().start();
    assertEquals(List.of("a@0", "b@10", "c@20"), log);
  }

  @Test
  void acquire_oddRatio_nothingLostToRounding() {
    var limiter = limiter(3, Duration.ofNanos(1_000));
    var instants = new ArrayList<Long>();
    run(() -> {
      for (int i = 0; i < 3 + 3_000; i++) {
        limiter.acquire();
        instants.add(clock.elapsed().toNanos());
      }
    });
    assertEquals(List.of(0L, 0L, 0L, 334L, 667L, 1_000L, 1_334L), instants.subList(0, 7));
    assertEquals(1_000_000L, instants.getLast());
  }

  @Test
  void acquire_afterALongRest_noMoreThanAFullBucket() {
    var limiter = limiter(3, ms(30));
    run(() -> {
      sleep(100_000);
      assertEquals(3, limiter.available());
      for (int i = 0; i < 4; i++) {
        limiter.acquire();
      }
    });
    assertEquals(ms(100_010), clock.elapsed());
  }

  @Test
  void tryAcquire_permitsOrNot_neverWaits() {
    var limiter = limiter(1, ms(10));
    assertTrue(limiter.tryAcquire());
    assertFalse(limiter.tryAcquire());
    assertEquals(0, limiter.available());
    clock.skip(ms(9));
    assertFalse(limiter.tryAcquire());
    clock.skip(ms(1));
    assertTrue(limiter.tryAcquire());
  }

  @Test
  void tryAcquire_othersWait_doesNotOvertake() {
    var limiter = limiter(1, ms(10));
    assertTrue(limiter.tryAcquire());
    scheduler().spawn(limiter::acquire);
    run(() -> {
      scheduler().yield();
      assertEquals(1, limiter.waiterCount());
      clock.skip(ms(10));
      assertFalse(limiter.tryAcquire());
    });
    assertEquals(0, limiter.waiterCount());
  }

  @Test
  void acquire_waiterCancelled_takesNoPermit() {
    var limiter = limiter(1, ms(10));
    assertTrue(limiter.tryAcquire());
    Task<Void> first = scheduler().spawn(limiter::acquire);
    scheduler()
        .spawn(() -> {
          limiter.acquire();
          log("second");
        });
    run(() -> {
      sleep(5);
      first.cancel("test");
    });
    assertEquals(List.of("second@10"), log);
  }

  @Test
  void select_limiterLoses_takesNoPermit() {
    var limiter = limiter(1, ms(10));
    assertTrue(limiter.tryAcquire());
    run(() -> {
      assertEquals(1, scheduler().select(limiter, time().after(ms(5))).index());
      assertEquals(0, time().waiterCount());
      sleep(5);
      assertTrue(limiter.tryAcquire());
    });
  }

  @Test
  void constructor_badArguments_refused() {
    assertThrows(IllegalArgumentException.class, () -> limiter(0, ms(1)));
    assertThrows(IllegalArgumentException.class, () -> limiter(1, Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> limiter(1, ms(-1)));
    var e =
        assertThrows(
            IllegalArgumentException.class, () -> limiter(Integer.MAX_VALUE, Duration.ofDays(365)));
    assertEquals(
        "period must be above zero, and period * permits at most 2^63 ns, but period is 365 d and"
            + " permits is 2147483647",
        e.getMessage());
  }

  @Test
  void anyMethod_wrongThread_saysSo() throws InterruptedException {
    var limiter = limiter(1, ms(1));
    Thread.ofPlatform()
        .start(() -> log.add(assertThrows(WrongThreadException.class, limiter::tryAcquire)))
        .join();
    assertEquals(1, log.size());
  }
}
