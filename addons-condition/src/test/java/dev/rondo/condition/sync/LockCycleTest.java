package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tasks that wait for each other's locks while another one sleeps, so that the scheduler as a
/// whole is not deadlocked.
final class LockCycleTest extends OnEveryBackend {

  private Task<Void> locking(String name, Mutex first, Mutex second, Duration limit) {
    return scheduler.spawn(
        name,
        () -> {
          try (var _ = first.lock()) {
            scheduler.yield();
            try (var _ = scheduler.await(second, limit)) {
              log(name);
            } catch (TimedOutException e) {
              log(name + " gave up");
            }
          }
        });
  }

  @Test
  void lockCycle_timersAreArmed_isReportedOnce() {
    Mutex one = Mutex.create(scheduler, "one");
    Mutex two = Mutex.create(scheduler, "two");
    Task<Void> a = locking("a", one, two, Duration.ofDays(1));
    Task<Void> b = locking("b", two, one, Duration.ofDays(1));
    run(() -> {
      time.sleep(ms(900));
      assertEquals(List.of(), takeReported());
      time.sleep(ms(200));
      var reported = takeReported();
      assertEquals(1, reported.size());
      var found = assertInstanceOf(DeadlockException.class, reported.getFirst().failure());
      assertEquals(Set.of("a", "b"), Set.copyOf(found.cycle()));
      assertTrue(
          found.getMessage().contains("'a' waits for mutex 'two', held by 'b'"),
          found.getMessage());
      time.sleep(Duration.ofHours(1));
      a.cancel("test");
      b.cancel("test");
    });
    assertEquals(List.of(), log);
  }

  @Test
  void lockCycle_oneGivesUpInTime_isNotReported() {
    Mutex one = Mutex.create(scheduler, "one");
    Mutex two = Mutex.create(scheduler, "two");
    var _ = locking("a", one, two, Duration.ofDays(1));
    var _ = locking("b", two, one, ms(500));
    run(() -> time.sleep(Duration.ofHours(1)));
    assertEquals(List.of("b gave up@500", "a@500"), log);
  }

  @Test
  void lockChain_noCycle_isNotReported() {
    Mutex one = Mutex.create(scheduler, "one");
    Mutex two = Mutex.create(scheduler, "two");
    run(() -> {
      try (var _ = two.lock()) {
        var _ = locking("a", one, two, Duration.ofDays(1));
        scheduler.yield();
        time.sleep(Duration.ofHours(1));
      }
    });
    assertEquals(List.of("a@3600000"), log);
  }
}
