package dev.rondo.observe.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.observe.Observers;
import dev.rondo.observe.SlowTurn;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.internal.rooms.LoopView;
import dev.rondo.scheduler.testing.BackendsDiffer;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The watchdog, with checks made by the test: which turns it reports.
@BackendsDiffer
class WatchdogTest extends SchedulerTest {

  private static final long THRESHOLD = 1_000;

  private final List<SlowTurn> slow = new ArrayList<>();
  private final List<Throwable> failed = new ArrayList<>();
  private final FakeThreads threads = new FakeThreads();
  private @Nullable Watchdog watchdog;
  private Scheduler watched;
  private Thread thread = Thread.currentThread();

  /// Threads that use CPU time, or block, as the test sets.
  private static final class FakeThreads implements ThreadProbe {
    private long cpu;
    private boolean blocked;
    private @Nullable Error firstFailure;
    private Runnable afterwards = () -> {};

    @Override
    public long cpuNanos(Thread thread) {
      Error failure = firstFailure;
      if (failure != null) {
        firstFailure = null;
        throw failure;
      }
      afterwards.run();
      return cpu;
    }

    @Override
    public boolean isBlocked(Thread thread, StackTraceElement[] stack) {
      return blocked;
    }
  }

  private Scheduler watched() {
    return watched(slow::add);
  }

  private Scheduler watched(Consumer<SlowTurn> handler) {
    watched =
        configured()
            .failureHandler((where, failure) -> failed.add(failure))
            .instrument(made -> {
              LoopView loop = LoopView.of(made);
              watchdog = new Watchdog(loop, THRESHOLD, handler, threads);
              loop.add(watchdog);
            })
            .build();
    return watched;
  }

  @Test
  void close_whileTheNextCheckIsFarAway_endsTheThread() throws InterruptedException {
    Scheduler own =
        configured().instrument(made -> LoopView.of(made).add(distant(LoopView.of(made)))).build();
    own.spawn(() -> {});
    own.start();
    own.close();
    assertTrue(thread.join(Duration.ofSeconds(60)), "the watchdog's thread goes on");
  }

  private Watchdog distant(LoopView loop) {
    var far = new Watchdog(loop, Duration.ofDays(1).toNanos(), slow::add, threads);
    thread = Thread.ofPlatform().daemon().start(far);
    return far;
  }

  @AfterEach
  void closeWatched() {
    if (watched != null) {
      watched.close();
    }
    assertEquals(List.of(), failed); // an assertion in a task is that task's failure
  }

  /// Checks after a time, for some of which the task computed. The watchdog does it from outside of
  /// the turn, the test inside: that makes no difference.
  private void check(long wall, long cpu) {
    threads.cpu += cpu;
    watchdog.check(wall);
  }

  private void check(int times, long wall, long cpu) {
    for (int i = 0; i < times; i++) {
      check(wall, cpu);
    }
  }

  private boolean knowsCpu() {
    return !backend.name().equals("HANDOFF");
  }

  private Task<Void> spawn(String name, TaskAction<?> code) {
    return watched.spawn(name, code);
  }

  private void hog() {
    check(1 + 4, THRESHOLD / 4, THRESHOLD / 4);
  }

  @Test
  void run_checkThatFailsAndCannotBeLogged_goesOn() {
    var again = new CompletableFuture<Object>();
    threads.firstFailure = new Unprintable();
    threads.afterwards = () -> again.complete("checked again");
    watched();
    watchdog.beforeActions();
    var end =
        CompletableFuture.runAsync(watchdog, run -> Thread.ofPlatform().start(run))
            .handle((_, failure) -> failure == null ? "ended" : "failed");
    assertEquals("checked again", CompletableFuture.anyOf(again, end).join());
    watched.close();
    assertEquals("ended", end.join());
  }

  @Test
  void check_turnComputesTooLong_isReportedOnceWhileItGoesOn() {
    watched();
    spawn(
        "hog",
        () -> {
          check(4, THRESHOLD / 4, THRESHOLD / 4);
          assertEquals(List.of(), slow);
          check(THRESHOLD / 4, THRESHOLD / 4);
          assertEquals(1, slow.size());
          check(20, THRESHOLD / 4, THRESHOLD / 4);
        });
    watched.start();
    SlowTurn reported = slow.getFirst();
    assertEquals(1, slow.size());
    assertEquals("hog", reported.taskName());
    assertEquals(SlowTurn.Cause.COMPUTING, reported.cause());
    assertEquals(Duration.ofNanos(THRESHOLD), reported.wall());
    if (knowsCpu()) {
      assertEquals(Duration.ofNanos(THRESHOLD), reported.cpu());
    } else {
      assertNull(reported.cpu());
    }
    assertTrue(reported.toString().startsWith("task 'hog' has kept the loop for 1 us, computing"));
    assertTrue(reported.toString().contains("WatchdogTest.check("), reported.toString());
    assertFalse(reported.toString().contains("Loop.turn"), reported.toString());
  }

  @Test
  void check_machineIsBusy_isNoAlarmUntilTheTaskHasComputedThatLong() {
    watched();
    spawn(
        "starved",
        () -> {
          check(100, THRESHOLD / 4, 0);
          if (knowsCpu()) {
            assertEquals(List.of(), slow);
            check(1, THRESHOLD / 4, THRESHOLD);
          }
          assertEquals(1, slow.size());
        });
    watched.start();
  }

  @Test
  void check_watchdogItselfWasHeldUp_countsNoMoreThanItsPeriod() {
    watched();
    spawn(
        "paused",
        () -> {
          check(THRESHOLD / 4, 0);
          check(3, 1_000 * THRESHOLD, THRESHOLD);
          assertEquals(List.of(), slow);
          check(THRESHOLD / 4, THRESHOLD);
          assertEquals(1, slow.size());
        });
    watched.start();
  }

  @Test
  void check_blocked_isReportedThoughItDoesNotCompute() {
    watched();
    spawn(
        "sleeper",
        () -> {
          threads.blocked = true;
          check(5, THRESHOLD / 4, 0);
        });
    watched.start();
    assertEquals(SlowTurn.Cause.BLOCKED, slow.getFirst().cause());
    assertTrue(slow.getFirst().toString().contains(", blocked"), slow.getFirst().toString());
  }

  @Test
  void check_manyTurnsOfOneTask_areNotOneLongTurn() {
    watched();
    spawn(
        "good",
        () -> {
          for (int i = 0; i < 20; i++) {
            check(3, THRESHOLD / 4, THRESHOLD / 4);
            watched.yield();
          }
        });
    watched.start();
    assertEquals(List.of(), slow);
  }

  @Test
  void check_betweenTurns_isNoAlarm() {
    watched();
    Task<Object> task = watched.spawn("s", () -> watched.suspend());
    watched.step();
    check(20, THRESHOLD, THRESHOLD);
    assertEquals(List.of(), slow);
    watched.scheduleTask(task);
    watched.start();
  }

  @Test
  void check_joining_theJoinedTaskIsToldOf() {
    watched();
    spawn("parent", () -> spawn("child", this::hog).join());
    watched.start();
    assertEquals(List.of("child"), slow.stream().map(SlowTurn::taskName).toList());
    assertFalse(slow.getFirst().stack().toString().contains("Residence"));
  }

  @Test
  void check_stepTask_hasCpuTimeOnEveryBackend() {
    watched();
    watched
        .host()
        .spawnSteps(
            "steps",
            self -> {
              hog();
              return StepResult.DONE;
            });
    watched.start();
    assertEquals(Duration.ofNanos(THRESHOLD), slow.getFirst().cpu());
    assertTrue(slow.getFirst().toString().contains("WatchdogTest.check("));
  }

  @Test
  void check_handlerThrows_isLoggedAndTheNextIsReported() {
    watched(turn -> {
      throw new IllegalStateException("handler");
    });
    try (var log = new CapturedLog()) {
      spawn("first", this::hog);
      spawn("second", this::hog);
      watched.start();
      List<String> lines = log.lines();
      assertEquals(4, lines.size(), lines.toString());
      assertEquals("ERROR the handler of slow turns failed", lines.get(0));
      assertTrue(lines.get(1).startsWith("WARN task 'first' has kept"), lines.get(1));
      assertTrue(lines.get(3).startsWith("WARN task 'second' has kept"), lines.get(3));
    }
  }

  @Test
  void isBlocked_realThreads_isSeenByStateAndTopFrame() throws Exception {
    ThreadProbe real = new CpuMeter();
    Thread waiting = Thread.ofPlatform().daemon().start(() -> waitForEver());
    while (waiting.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertTrue(real.isBlocked(waiting, waiting.getStackTrace()));
    waiting.interrupt();
    Thread self = Thread.currentThread();
    var java = new StackTraceElement("C", "m", "C.java", 1);
    var inNative = new StackTraceElement("C", "m", "C.java", -2);
    assertFalse(real.isBlocked(self, new StackTraceElement[] {java}));
    assertTrue(real.isBlocked(self, new StackTraceElement[] {inNative}));
    assertFalse(real.isBlocked(self, new StackTraceElement[0]));
  }

  private static void waitForEver() {
    try {
      new LinkedBlockingQueue<Object>().take();
    } catch (InterruptedException _) {
      // over
    }
  }

  @Test
  void debugger_agentAmongTheArguments_isFound() {
    assertTrue(Watchdog.Debugger.isIn(List.of("-ea", "-agentlib:jdwp=transport=dt_socket")));
    assertTrue(Watchdog.Debugger.isIn(List.of("-Xrunjdwp:transport=dt_socket")));
    assertFalse(Watchdog.Debugger.isIn(List.of("-agentlib:hprof", "-Dx=jdwp")));
  }

  @Test
  void builder_badThreshold_isRefused() {
    Observers observers = new Observers();
    assertThrows(IllegalArgumentException.class, () -> observers.watchdog(Duration.ZERO));
    assertThrows(
        IllegalArgumentException.class, () -> observers.watchdog(Duration.ofNanos(-1), slow::add));
    assertThrows(NullPointerException.class, () -> observers.watchdog(Duration.ofSeconds(1), null));
  }

  /// In real time, but without a time limit: the turn goes on until it is reported, and the test
  /// waits until the thread has ended.
  @Test
  void builder_watchdog_reportsARealHogAndEndsWithTheScheduler() throws Exception {
    var reported = new LinkedBlockingQueue<SlowTurn>();
    Thread[] dog = new Thread[1];
    watched =
        Scheduler.builder()
            .backend(backend)
            .instrument(
                new Observers()
                    .watchdog(
                        Duration.ofMillis(5),
                        turn -> {
                          dog[0] = Thread.currentThread();
                          reported.add(turn);
                        }))
            .build();
    spawn(
        "hog",
        () -> {
          while (reported.isEmpty()) {
            spinALittle();
          }
        });
    watched.start();
    SlowTurn turn = reported.take();
    assertEquals("hog", turn.taskName());
    assertTrue(dog[0].isDaemon());
    watched.close();
    dog[0].join();
  }

  private static void spinALittle() {
    for (int i = 0; i < 1_000; i++) {
      Thread.onSpinWait();
    }
  }

  /// Checks a step task often enough, with a CPU time that is not known at one end.
  private void checkStepTask(long cpuBefore, long cpuNow) {
    Scheduler own = watched();
    own.host()
        .spawnSteps(
            "step",
            self -> {
              threads.cpu = cpuBefore;
              watchdog.check(1);
              threads.cpu = cpuNow;
              for (int i = 0; i < 100; i++) {
                watchdog.check(THRESHOLD);
              }
              return StepResult.DONE;
            });
    own.start();
    assertEquals(1, slow.size());
    assertNull(slow.getFirst().cpu());
  }

  @Test
  void check_cpuTimeWasNotKnownBefore_theTimeCounts() {
    checkStepTask(-1, 10);
  }

  @Test
  void check_cpuTimeIsNotKnownAnyMore_theTimeCounts() {
    checkStepTask(10, -1);
  }

  @Test
  void check_postedActionComputesTooLong_isReportedByItsClass() {
    watched();
    class Hog implements Runnable {
      @Override
      public void run() {
        check(4, THRESHOLD / 4, THRESHOLD / 4);
        assertEquals(List.of(), slow);
        check(THRESHOLD / 4, THRESHOLD / 4);
      }
    }
    assertTrue(watched.post(new Hog()));
    watched.start();
    SlowTurn reported = slow.getFirst();
    assertEquals(1, slow.size());
    assertEquals(SlowTurn.NO_TASK, reported.taskId());
    assertEquals("posted " + Hog.class.getName(), reported.taskName());
    assertEquals(Duration.ofNanos(THRESHOLD), reported.cpu());
    assertTrue(
        reported
            .toString()
            .startsWith("'posted " + Hog.class.getName() + "' has kept the loop for 1 us"),
        reported.toString());
    assertTrue(reported.toString().contains("it should be short, or spawn a task"));
  }

  @Test
  void check_shortActionsInManyPasses_areNoAlarm() {
    watched();
    for (int i = 0; i < 3_000; i++) {
      assertTrue(
          watched.post(() -> {
            if (slow.isEmpty()) {
              check(THRESHOLD / 100, THRESHOLD / 100);
            }
          }));
    }
    watched.start();
    assertEquals(List.of(), slow);
  }
}
