package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.observe.LoopMonitor;
import dev.rondo.scheduler.observe.LoopPage;
import dev.rondo.scheduler.observe.Loops;
import dev.rondo.scheduler.observe.TaskInfo;
import dev.rondo.scheduler.observe.TaskWait;
import dev.rondo.scheduler.testing.BackendTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A tool that looks at a loop again and again, a page at a time.
@Timeout(60)
final class LoopMonitorTest extends BackendTest {

  private static final Duration PATIENCE = Duration.ofSeconds(50);

  private static LoopMonitor monitorOf(Scheduler scheduler) {
    return Loops.all().stream()
        .filter(each -> each.scheduler() == scheduler)
        .findFirst()
        .orElseThrow();
  }

  private Scheduler observed() {
    return builder().outsideAccess().build();
  }

  @Test
  void tasks_pages_areBoundedAndHaveEachTaskOnce() {
    int many = 1_000;
    try (Scheduler scheduler = observed()) {
      IntStream.range(0, many).forEach(i -> scheduler.spawn("task " + i, () -> {}));
      LoopMonitor monitor = monitorOf(scheduler);
      assertEquals(many, monitor.tasksAlive());
      var names = new TreeSet<String>();
      int rows = 0;
      for (int next = 0; next != LoopPage.NO_MORE; ) {
        LoopPage<LoopPage.Row> page = monitor.tasks(next, task -> true, PATIENCE).orElseThrow();
        assertTrue(page.visited() <= 256, () -> "visited=" + page.visited());
        page.found().forEach(row -> names.add(row.task().name()));
        rows += page.found().size();
        next = page.next();
      }
      assertEquals(many, rows);
      assertEquals(many, names.size());
    }
  }

  @Test
  void task_ofARow_hasItsStack_andNoneWhenItHasEnded() {
    try (Scheduler scheduler = observed()) {
      Task<?> task = scheduler.spawn("waiting", () -> scheduler.await(Waitable.never()));
      LoopMonitor monitor = monitorOf(scheduler);
      runOn(
          scheduler,
          () -> {
            scheduler.yield();
            LoopPage.Row row =
                monitor
                    .tasks(0, each -> each.name().equals("waiting"), PATIENCE)
                    .orElseThrow()
                    .found()
                    .getFirst();
            assertEquals(task.id(), row.task().id());
            assertTrue(row.task().stack().isEmpty());
            TaskInfo info = monitor.task(row.slot(), task.id(), PATIENCE).orElseThrow();
            assertEquals("waiting", info.name());
            assertTrue(monitor.task(row.slot(), task.id() + 1_000, PATIENCE).isEmpty());
            task.cancel("the test is over");
            return null;
          });
    }
  }

  @Test
  void waits_haveTheirHolders_ofOtherTasksOnly() {
    try (Scheduler scheduler = observed()) {
      LoopMonitor monitor = monitorOf(scheduler);
      runOn(
          scheduler,
          () -> {
            Task<?> awaited = scheduler.spawn("awaited", () -> scheduler.await(Waitable.never()));
            var _ = scheduler.spawn("waiting", () -> scheduler.await(awaited));
            scheduler.yield();
            List<TaskWait> waits = new ArrayList<>();
            waits.addAll(monitor.waits(0, PATIENCE).orElseThrow().found());
            TaskWait wait = waits.getFirst();
            assertEquals(1, waits.size());
            assertEquals("waiting", wait.waiter().name());
            assertEquals(monitor.number(), wait.waiter().loop());
            assertEquals(
                List.of("awaited"), wait.holders().stream().map(TaskWait.Holder::name).toList());
            assertTrue(wait.isHeld());
            long stamp = wait.stamp();
            assertEquals(
                stamp, monitor.waits(0, PATIENCE).orElseThrow().found().getFirst().stamp());
            awaited.cancel("the test is over");
            return null;
          });
    }
  }

  @Test
  void ask_ofAnotherThread_isAnsweredByTheLoop() {
    try (Scheduler scheduler = observed()) {
      LoopMonitor monitor = monitorOf(scheduler);
      Thread loop = Thread.currentThread();
      runOn(
          scheduler,
          () -> {
            CompletableFuture<Integer> answer =
                CompletableFuture.supplyAsync(
                    () -> monitor.ask(monitor::tasksReady, PATIENCE).orElseThrow());
            assertEquals(0, scheduler.await(scheduler.completion(answer)));
            return null;
          });
      assertEquals(loop.getName(), monitor.name());
    }
  }

  @Test
  void ask_closedScheduler_isEmpty() {
    LoopMonitor monitor;
    try (Scheduler scheduler = observed()) {
      monitor = monitorOf(scheduler);
      assertFalse(monitor.isClosed());
    }
    assertTrue(monitor.isClosed());
    assertTrue(Loops.all().stream().noneMatch(each -> each.number() == monitor.number()));
    CompletableFuture<Boolean> empty =
        CompletableFuture.supplyAsync(() -> monitor.ask(() -> "answer", PATIENCE).isEmpty());
    assertTrue(empty.join());
  }

  @Test
  void arguments_negative_areRefused() {
    try (Scheduler scheduler = observed()) {
      LoopMonitor monitor = monitorOf(scheduler);
      assertThrows(IllegalArgumentException.class, () -> monitor.tasks(-1, task -> true, PATIENCE));
      assertThrows(IllegalArgumentException.class, () -> monitor.waits(-1, PATIENCE));
      assertThrows(IllegalArgumentException.class, () -> monitor.task(-1, 1, PATIENCE));
      assertThrows(
          IllegalArgumentException.class, () -> monitor.ask(() -> 1, Duration.ofNanos(-1)));
    }
  }
}
