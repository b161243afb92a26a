package dev.rondo.observe;

import static dev.rondo.scheduler.TaskGroup.Policy.SUPERVISE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rondo.observe.internal.LoopMonitor;
import dev.rondo.observe.internal.LoopPage;
import dev.rondo.scheduler.Outcome;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.Waitable;
import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.engine.lazy.LazyTasks;
import dev.rondo.scheduler.internal.rooms.ChannelList;
import dev.rondo.scheduler.internal.rooms.LoopControl;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.internal.rooms.OpenChannel;
import dev.rondo.scheduler.internal.rooms.TaskWait;
import dev.rondo.scheduler.testing.BackendTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A tool that looks at a loop again and again, a page at a time.
final class LoopMonitorTest extends BackendTest {

  private static final Duration PATIENCE = Duration.ofSeconds(200);

  private static LoopMonitor monitorOf(Scheduler scheduler) {
    return LoopMonitor.all().stream()
        .filter(each -> each.scheduler() == scheduler)
        .findFirst()
        .orElseThrow();
  }

  private Scheduler observed() {
    return builder().instrument(new Observers().outsideAccess()).build();
  }

  /// As it is for a thread that has to wait for the answer.
  @Test
  void ask_onTheOwnThread_failureIsTheCause() {
    try (Scheduler scheduler = observed()) {
      var failure = new IllegalArgumentException("no");
      IllegalStateException told =
          assertThrows(
              IllegalStateException.class,
              () ->
                  monitorOf(scheduler)
                      .ask(
                          () -> {
                            throw failure;
                          },
                          PATIENCE));
      assertSame(failure, told.getCause());
    }
  }

  /// No patience is long enough for an answer that cannot come.
  @Test
  void ask_theThreadOfTheLoopHasEnded_isEmptyAtOnceAndSaysWhy() throws Exception {
    var made = new CompletableFuture<Scheduler>();
    Thread thread = Thread.ofPlatform().start(() -> made.complete(observed()));
    thread.join();
    LoopMonitor monitor = monitorOf(made.join());
    assertTrue(monitor.ask(() -> true, Duration.ofDays(1)).isEmpty());
    assertTrue(monitor.noAnswer().contains("its thread has ended"), monitor::noAnswer);
  }

  @Test
  void tasks_pages_areBoundedAndHaveEachTaskOnce() {
    int many = 1_000;
    try (Scheduler scheduler = observed()) {
      IntStream.range(0, many).forEach(i -> scheduler.spawn("task " + i, () -> {}));
      LoopMonitor monitor = monitorOf(scheduler);
      assertEquals(many, monitor.taskCount());
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

  /// A table keeps its size when its tasks have ended, and to look at empty places takes time.
  @Test
  void tasks_manyHaveEnded_aPageLooksAtSoManyPlaces() {
    int many = 50_000;
    int mostPlaces = 256 * 32;
    try (Scheduler scheduler = observed()) {
      List<Task<?>> ended = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        ended.add(scheduler.spawn("ended", () -> {}));
      }
      Task<?> kept = scheduler.spawn("kept", () -> {});
      ended.forEach(each -> each.cancel("the test needs its place only"));
      LoopMonitor monitor = monitorOf(scheduler);
      var names = new ArrayList<String>();
      int from = 0;
      while (from != LoopPage.NO_MORE) {
        LoopPage<LoopPage.Row> page = monitor.tasks(from, task -> true, PATIENCE).orElseThrow();
        LoopPage<TaskWait> waits = monitor.waits(from, PATIENCE).orElseThrow();
        page.found().forEach(row -> names.add(row.task().name()));
        if (page.next() != LoopPage.NO_MORE) {
          assertTrue(page.next() - from <= mostPlaces, page::toString);
          assertTrue(waits.next() == LoopPage.NO_MORE || waits.next() - from <= 4 * mostPlaces);
        }
        assertTrue(from > 0 || page.next() > 0, page::toString);
        from = page.next();
      }
      assertEquals(1, names.stream().filter(kept.name()::equals).count());
    }
  }

  /// Counts how many tasks were made since one of them has run.
  private static final class Counted implements LazyTasks.Body<Integer> {

    private int madeSince;
    private int mostMade;

    @Override
    public String name(Integer subject) {
      return "lazy " + subject;
    }

    @Override
    public void run(Integer subject) {
      mostMade = Math.max(mostMade, madeSince);
      madeSince = 0;
    }

    @Override
    public void made(Integer subject, Task<@Nullable Void> task) {
      madeSince++;
    }

    @Override
    public void ended(
        Integer subject, @Nullable Task<@Nullable Void> task, Outcome<@Nullable Void> outcome) {
      // nothing depends on it
    }
  }

  @Test
  void tasks_manyAreNotMadeYet_someAreMadeAtATime() {
    int many = 20_000;
    try (Scheduler scheduler = observed()) {
      assumeTrue(
          LoopControl.of(scheduler.host()).backend().sharesThread(), "tasks are made at once");
      LoopMonitor monitor = monitorOf(scheduler);
      var body = new Counted();
      LazyTasks<Integer> tasks = LazyTasks.on(scheduler, body);
      runOn(
          scheduler,
          () -> {
            var answer = new CompletableFuture<LoopPage<LoopPage.Row>>();
            Thread asking =
                Thread.ofPlatform()
                    .start(() ->
                        answer.complete(monitor.tasks(0, task -> true, PATIENCE).orElseThrow()));
            for (int i = 0; i < many; i++) {
              long _ = tasks.schedule(i);
            }
            while (asking.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait(); // until it waits for its answer
            }
            LoopPage<LoopPage.Row> page = scheduler.await(scheduler.completion(answer));
            assertTrue(page.visited() <= 256, page::toString);
            return null;
          });
      assertTrue(body.mostMade > 0, "the question came too late");
      assertTrue(body.mostMade <= 256, () -> "mostMade=" + body.mostMade);
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

  /// Most of a group may have ended: a child that is left is found, whether it was the first to be
  /// spawned or the last.
  @Test
  void waits_forAGroup_haveSomeOfTheChildrenThatAreLeft() {
    int many = 1_500;
    try (Scheduler scheduler = observed()) {
      LoopMonitor monitor = monitorOf(scheduler);
      runOn(
          scheduler,
          () -> {
            TaskGroup<Object> group = scheduler.newGroup("group", SUPERVISE);
            List<Task<?>> children = new ArrayList<>();
            Task<?> parent =
                scheduler.spawn(
                    "parent",
                    () ->
                        group.run(() -> {
                          for (int i = 0; i < many; i++) {
                            children.add(group.spawn("child " + i, scheduler::suspend));
                          }
                        }));
            scheduler.yield();
            assertEquals(64, holders(monitor).size());
            children.subList(1, many - 1).forEach(each -> each.cancel("it must end"));
            scheduler.yield();
            assertEquals("child 0", holders(monitor).getFirst());
            children.getFirst().cancel("it must end");
            scheduler.yield();
            assertEquals(List.of("child " + (many - 1)), holders(monitor));
            parent.cancel("the test is over");
            return null;
          });
    }
  }

  private static List<String> holders(LoopMonitor monitor) {
    var waits = new ArrayList<TaskWait>();
    for (int next = 0; next != LoopPage.NO_MORE; ) {
      LoopPage<TaskWait> page = monitor.waits(next, PATIENCE).orElseThrow();
      waits.addAll(page.found());
      next = page.next();
    }
    return waits.getFirst().holders().stream().map(TaskWait.Holder::name).toList();
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
                    () -> monitor.ask(monitor::readyCount, PATIENCE).orElseThrow());
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
    assertTrue(LoopMonitor.all().stream().noneMatch(each -> each.number() == monitor.number()));
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

  private static Supplier<OpenChannel> named(String name) {
    return () -> new OpenChannel(name, List.of());
  }

  @Test
  void channels_ofALoop_inPages() {
    try (Scheduler scheduler = observed()) {
      LoopMonitor monitor =
          LoopMonitor.all().stream()
              .filter(each -> each.scheduler() == scheduler)
              .findFirst()
              .orElseThrow();
      ChannelList open = LoopView.of(scheduler).openChannels();
      for (int i = 0; i < 1_000; i++) {
        int _ = open.add(named("channel " + i));
      }
      assertEquals(1_000, monitor.channelCount());
      var seen = new TreeSet<String>();
      for (int next = 0; next != LoopPage.NO_MORE; ) {
        LoopPage<OpenChannel> page = monitor.channels(next, 10_000, PATIENCE).orElseThrow();
        assertTrue(page.found().size() <= 256, page::toString);
        page.found().forEach(each -> assertTrue(seen.add(each.name()), each::name));
        next = page.next();
      }
      assertEquals(1_000, seen.size());
      assertEquals(3, monitor.channels(0, 3, PATIENCE).orElseThrow().found().size());
      assertThrows(IllegalArgumentException.class, () -> monitor.channels(0, 0, PATIENCE));
      assertThrows(IllegalArgumentException.class, () -> monitor.channels(-1, 1, PATIENCE));
    }
  }
}
