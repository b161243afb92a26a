package dev.rondo.condition.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.condition.OnEveryBackend;
import dev.rondo.scheduler.DeadlockException;
import dev.rondo.scheduler.Task;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tasks that wait for each other through locks and joins: the report shows the cycle.
final class DeadlockCycleTest extends OnEveryBackend {

  private final List<Task<?>> tasks = new ArrayList<>();

  private void holdOneWantAnother(String name, Lock first, Lock second) {
    tasks.add(
        scheduler.spawn(
            name,
            () -> {
              try (var _ = first.lock()) {
                scheduler.yield();
                try (var _ = second.lock()) {
                  log(name);
                }
              }
            }));
  }

  /// Asserts that the cycle has exactly these tasks; cancelling one lets the others go on.
  private DeadlockException assertCycle(String... names) {
    var thrown = assertThrows(DeadlockException.class, () -> scheduler.start());
    assertEquals(Set.of(names), new HashSet<>(thrown.cycle()), thrown::getMessage);
    assertEquals(names.length, thrown.cycle().size(), thrown::getMessage);
    String drawn =
        "'" + String.join("' -> '", thrown.cycle()) + "' -> '" + thrown.cycle().getFirst();
    assertTrue(thrown.getMessage().contains("cycle: " + drawn), thrown::getMessage);
    tasks.getFirst().cancel("to resolve it");
    scheduler.start();
    assertTrue(tasks.stream().allMatch(Task::isDone));
    return thrown;
  }

  @Test
  void mutexes_twoTasksInOppositeOrder() {
    var a = new Mutex(scheduler, "a");
    var b = new Mutex(scheduler, "b");
    holdOneWantAnother("ab", a, b);
    holdOneWantAnother("ba", b, a);
    String text = assertCycle("ab", "ba").getMessage();
    assertTrue(text.contains("'ab' WAITING for mutex 'b', held by 'ba'"), text);
    assertTrue(text.contains("'ba' WAITING for mutex 'a', held by 'ab'"), text);
    assertEquals(List.of("ba@0"), log);
  }

  @Test
  void mutexAndJoin_ownerJoinsTheWaiter() {
    var mutex = new Mutex(scheduler, "m");
    Task<?>[] child = new Task<?>[1];
    tasks.add(
        scheduler.spawn(
            "parent",
            () -> {
              try (var _ = mutex.lock()) {
                child[0] = scheduler.spawn("child", () -> mutex.lock().close());
                child[0].join();
              }
            }));
    assertCycle("parent", "child");
    assertTrue(child[0].isDone());
  }

  @Test
  void readWriteLock_writersAndASoleReader() {
    var a = new ReadWriteLock(scheduler, "a");
    var b = new ReadWriteLock(scheduler, "b");
    holdOneWantAnother("reader", a.readLock(), b.readLock());
    holdOneWantAnother("writer", b.writeLock(), a.writeLock());
    assertCycle("reader", "writer");
  }

  @Test
  void mutexes_threeInACycleAndOneOutside_namesTheThree() {
    var locks = new ArrayList<Mutex>();
    for (int i = 0; i < 3; i++) {
      locks.add(new Mutex(scheduler, "m" + i));
    }
    for (int i = 0; i < 3; i++) {
      holdOneWantAnother("t" + i, locks.get(i), locks.get((i + 1) % 3));
    }
    scheduler.spawn("outsider", () -> locks.getFirst().lock().close());
    assertCycle("t0", "t1", "t2");
  }
}
