package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a deadlock report says about tasks that wait for each other.
class DeadlockReportTest extends SchedulerTest {

  /// A lock that is never released.
  private static class Lock implements Waitable<Void> {

    private final String name;
    private @Nullable Task<?> owner;

    Lock(String name) {
      this.name = name;
    }

    @Override
    public boolean poll(Waiter<? super Void> waiter) {
      if (owner == null) {
        owner = waiter.task();
        return waiter.fire(null);
      }
      return false;
    }

    @Override
    public void arm(Waiter<? super Void> waiter) {}

    @Override
    public void disarm(Waiter<? super Void> waiter) {}

    @Override
    public @Nullable Task<?> holder() {
      return owner;
    }

    @Override
    public String toString() {
      return "lock '" + name + "'";
    }
  }

  private final List<Task<?>> tasks = new ArrayList<>();

  private <T> Task<T> task(String name, TaskCall<T, ?> code) {
    Task<T> task = scheduler.spawn(name, code);
    tasks.add(task);
    return task;
  }

  private DeadlockException deadlock() {
    return assertThrows(DeadlockException.class, scheduler::start);
  }

  @AfterEach
  void endAll() {
    tasks.forEach(task -> task.cancel("test"));
    scheduler.start();
  }

  @Test
  void report_cycleThroughLocksAndJoin_isDrawnAfterTheSummary() {
    var m = new Lock("m");
    var n = new Lock("n");
    task(
        "c",
        () -> {
          scheduler.await(n);
          scheduler.yield();
          return scheduler.await(m);
        });
    task(
        "a",
        () -> {
          scheduler.await(m);
          scheduler.yield();
          return tasks.get(2).join();
        });
    task("b", () -> scheduler.await(n));
    task("outsider", () -> scheduler.await(m));
    var told = deadlock();
    assertEquals(List.of("c", "a", "b"), told.cycle());
    List<String> lines = told.getMessage().lines().toList();
    assertEquals(
        "deadlock: 4 tasks are left and nothing can wake any of them; cycle: 'c' -> 'a' -> 'b' ->"
            + " 'c'",
        lines.get(0));
    assertEquals("  'c' waits for lock 'm', held by 'a'", lines.get(1));
    assertEquals("  'a' joins 'b'", lines.get(2));
    assertEquals("  'b' waits for lock 'n', held by 'c'", lines.get(3));
    assertTrue(lines.get(4).startsWith("  #"), lines.get(4));
  }

  @Test
  void report_cycleThroughASelect_namesThePartThatClosesIt() {
    var m = new Lock("m");
    task(
        "a",
        () -> {
          scheduler.await(m);
          scheduler.yield();
          Waitable<?> join = tasks.get(1);
          return scheduler.await(
              Waitable.anyOf(List.of(Waitable.never(), join.map(value -> "mapped"))));
        });
    task("b", () -> scheduler.await(m));
    var told = deadlock();
    assertEquals(List.of("a", "b"), told.cycle());
    assertTrue(told.getMessage().contains("\n  'a' joins 'b'\n"), told.getMessage());
  }

  @Test
  void report_selectWithADeadEndFirst_stillFindsTheCycle() {
    Task<?> deadEnd = task("end", () -> scheduler.suspend());
    var m = new Lock("m");
    task(
        "a",
        () -> {
          scheduler.await(m);
          scheduler.yield();
          return scheduler.select(deadEnd, tasks.get(2));
        });
    task("b", () -> scheduler.await(m));
    assertEquals(List.of("a", "b"), deadlock().cycle());
  }

  @Test
  void report_groupOfSeveralWaitsForItsOwnersLock_findsTheCycle() {
    var m = new Lock("m");
    task(
        "owner",
        () -> {
          scheduler.await(m);
          TaskGroup<Object> group = scheduler.newGroup("g");
          group.run(() -> {
            tasks.add(group.spawn("stuck", () -> scheduler.suspend()));
            tasks.add(group.spawn("locked", () -> scheduler.await(m)));
          });
          return null;
        });
    assertEquals(List.of("owner", "locked"), deadlock().cycle());
  }

  @Test
  void report_chainThatEndsNowhere_hasNoCycle() {
    task("0", () -> scheduler.suspend());
    task("1", () -> tasks.get(0).join());
    task("2", () -> tasks.get(1).join());
    task("3", () -> tasks.get(1).join());
    assertEquals(List.of(), deadlock().cycle());
  }

  @Test
  void report_twoWaysToTheSameTask_areNoCycle() {
    task("a", () -> scheduler.select(tasks.get(1), tasks.get(2)));
    task("b", () -> tasks.get(3).join());
    task("c", () -> tasks.get(3).join());
    task("d", () -> scheduler.suspend());
    assertEquals(List.of(), deadlock().cycle());
  }

  @Test
  void report_manyTasksInOneChain_isCountedWholeAndDescribedInPart() {
    int count = 3_000;
    for (int i = 0; i < count; i++) {
      int next = (i + 1) % count;
      task("t" + i, () -> tasks.get(next).join());
    }
    var told = deadlock();
    assertEquals(
        Set.copyOf(IntStream.range(0, count).mapToObj(i -> "t" + i).toList()),
        new HashSet<>(told.cycle()));
    assertTrue(told.getMessage().startsWith("deadlock: 3000 tasks are left"));
    assertTrue(told.getMessage().endsWith("\n  and 2000 more"));
    assertEquals(1_000, told.tasks().size());
  }

  @Test
  void report_brokenToStringAndHolder_doNotReplaceIt() {
    var broken =
        new Lock("broken") {
          @Override
          public Task<?> holder() {
            throw new IllegalStateException("holder");
          }

          @Override
          public String toString() {
            throw new IllegalStateException("toString");
          }
        };
    var unnamed =
        new Lock("unnamed") {
          @Override
          public String toString() {
            throw new IllegalStateException("toString");
          }
        };
    task(
        "a",
        () -> {
          scheduler.await(unnamed);
          scheduler.yield();
          return scheduler.await(unnamed);
        });
    task(
        "b",
        () -> {
          scheduler.await(broken);
          return scheduler.await(broken);
        });
    var told = deadlock();
    assertEquals(List.of("a"), told.cycle());
    assertTrue(
        told.getMessage().contains("(its toString() threw java.lang.IllegalStateException)"),
        told.getMessage());
    assertTrue(
        told.getMessage().contains("(its holder() threw java.lang.IllegalStateException)"),
        told.getMessage());
    assertEquals(2, told.tasks().size());
  }
}
