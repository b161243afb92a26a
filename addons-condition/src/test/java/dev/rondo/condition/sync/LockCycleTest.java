package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.condition.Signal;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
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
    Mutex one = new Mutex(scheduler, "one");
    Mutex two = new Mutex(scheduler, "two");
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
    Mutex one = new Mutex(scheduler, "one");
    Mutex two = new Mutex(scheduler, "two");
    var _ = locking("a", one, two, Duration.ofDays(1));
    var _ = locking("b", two, one, ms(500));
    run(() -> time.sleep(Duration.ofHours(1)));
    assertEquals(List.of("b gave up@500", "a@500"), log);
  }

  @Test
  void lockChain_noCycle_isNotReported() {
    Mutex one = new Mutex(scheduler, "one");
    Mutex two = new Mutex(scheduler, "two");
    run(() -> {
      try (var _ = two.lock()) {
        var _ = locking("a", one, two, Duration.ofDays(1));
        scheduler.yield();
        time.sleep(Duration.ofHours(1));
      }
    });
    assertEquals(List.of("a@3600000"), log);
  }

  /// Reports are taken while another task sleeps.
  private DeadlockException soleReport() {
    var reported = takeReported();
    assertEquals(1, reported.size(), () -> "" + reported);
    return assertInstanceOf(DeadlockException.class, reported.getFirst().failure());
  }

  @Test
  void longCycle_isReportedOnce() {
    int length = 1_000;
    List<Mutex> locks =
        IntStream.range(0, length).mapToObj(i -> new Mutex(scheduler, "m" + i)).toList();
    List<Task<Void>> tasks =
        IntStream.range(0, length)
            .mapToObj(i ->
                locking("t" + i, locks.get(i), locks.get((i + 1) % length), Duration.ofDays(1)))
            .toList();
    run(() -> {
      time.sleep(ms(2_000));
      assertEquals(length, soleReport().cycle().size());
      time.sleep(Duration.ofHours(1));
      tasks.forEach(task -> task.cancel("test"));
    });
  }

  @Test
  void longChain_noCycle_isNotReported() {
    var first = new Task<?>[] {scheduler.spawn("first", () -> time.sleep(Duration.ofHours(1)))};
    for (int i = 0; i < 1_000; i++) {
      Task<?> before = first[0];
      first[0] = scheduler.spawn("t" + i, () -> before.join());
    }
    run(() -> time.sleep(Duration.ofHours(2)));
    assertEquals(List.of(), takeReported());
  }

  @Test
  void cycleThroughASelect_ofHeldThingsOnly_isReportedOnce() {
    Mutex one = new Mutex(scheduler, "one");
    Mutex two = new Mutex(scheduler, "two");
    Mutex three = new Mutex(scheduler, "three");
    Task<Void> selecting =
        scheduler.spawn(
            "selecting",
            () -> {
              try (var _ = one.lock()) {
                scheduler.yield();
                scheduler.select(two, three);
              }
            });
    Task<Void> b = locking("b", two, one, Duration.ofDays(1));
    Task<Void> c = locking("c", three, one, Duration.ofDays(1));
    run(() -> {
      time.sleep(ms(2_000));
      assertTrue(soleReport().cycle().contains("selecting"));
      time.sleep(Duration.ofHours(1));
      List.of(selecting, b, c).forEach(task -> task.cancel("test"));
    });
  }

  @Test
  void selectWithAWayOut_isNotReported() {
    Mutex one = new Mutex(scheduler, "one");
    Mutex two = new Mutex(scheduler, "two");
    Signal<String> wayOut = new Signal<>(scheduler, "way out");
    var _ =
        scheduler.spawn(() -> {
          try (var _ = one.lock()) {
            scheduler.yield();
            scheduler.select(two, wayOut);
          }
        });
    Task<Void> b = locking("b", two, one, Duration.ofDays(1));
    run(() -> {
      time.sleep(Duration.ofHours(1));
      assertEquals(List.of(), takeReported());
      wayOut.signalAll("go");
      b.join();
    });
  }

  @Test
  void selectOfALiveTask_isNotReported() {
    Mutex one = new Mutex(scheduler, "one");
    Mutex two = new Mutex(scheduler, "two");
    Task<Void> sleeper = scheduler.spawn(() -> time.sleep(Duration.ofHours(1)));
    var _ =
        scheduler.spawn(() -> {
          try (var _ = one.lock()) {
            scheduler.yield();
            scheduler.select(two.map(lock -> ""), sleeper.map(end -> ""));
          }
        });
    var _ = locking("b", two, one, Duration.ofDays(1));
    run(() -> time.sleep(Duration.ofHours(2)));
    assertEquals(List.of(), takeReported());
  }

  @Test
  void groupThatWaitsForATaskThatWantsItsLock_isReportedOnce() {
    Mutex mutex = new Mutex(scheduler, "m");
    Task<Void> owner =
        scheduler.spawn(
            "owner",
            () -> {
              try (var _ = mutex.lock()) {
                TaskGroup<Object> group = scheduler.newGroup("group");
                group.run(() -> {
                  group.spawn("sleeper", () -> time.sleep(Duration.ofDays(1)));
                  group.spawn("wants", () -> mutex.lock().close());
                });
              }
            });
    run(() -> {
      time.sleep(ms(2_000));
      assertEquals(Set.of("owner", "wants"), Set.copyOf(soleReport().cycle()));
      time.sleep(Duration.ofHours(1));
      owner.cancel("test");
    });
  }

  @Test
  void groupsAndSelects_thatGoOn_areNotReported() {
    run(() -> {
      for (int i = 0; i < 3_000; i++) {
        int nap = i % 7;
        TaskGroup<Object> group = scheduler.newGroup("group");
        group.run(() -> {
          Task<Void> one = group.spawn(() -> time.sleep(ms(nap)));
          Task<Void> two = group.spawn(() -> time.sleep(ms(1)));
          group.spawn(() -> {
            scheduler.select(one, two);
          });
        });
      }
    });
    assertEquals(List.of(), takeReported());
  }
}
