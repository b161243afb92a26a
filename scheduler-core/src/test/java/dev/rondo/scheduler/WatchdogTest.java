package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.SchedulerTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The watchdog, looked for by hand: what it tells of, and what not.
class WatchdogTest extends SchedulerTest {

  private static final long THRESHOLD = 1_000;

  private final List<SlowTurn> slow = new ArrayList<>();
  private final List<Throwable> failed = new ArrayList<>();
  private final FakeThreads threads = new FakeThreads();
  private @Nullable Watchdog watchdog;
  private Scheduler watched;

  /// Threads that use CPU time, or block, when the test says so.
  private static final class FakeThreads implements Watchdog.Threads {
    private long cpu;
    private boolean blocked;

    @Override
    public long cpuNanos(Thread thread) {
      return cpu;
    }

    @Override
    public boolean isBlocked(Thread thread, StackTraceElement[] stack) {
      return blocked;
    }
  }

  private Scheduler watched() {
    Settings settings =
        new Settings(
            backend,
            time,
            (where, failure) -> failed.add(failure),
            null,
            List.of(),
            false,
            residentTask,
            false,
            List.of(loop -> watchdog = new Watchdog(loop, THRESHOLD, slow::add, threads)));
    watched = new Scheduler(settings);
    return watched;
  }

  @AfterEach
  void closeWatched() {
    if (watched != null) {
      watched.close();
    }
    assertEquals(List.of(), failed); // an assertion in a task is that task's failure
  }

  /// Looks after a time in which the task computed for some of it. From inside of the turn, where
  /// the watchdog does it from outside: it makes no difference.
  private void look(long wall, long cpu) {
    threads.cpu += cpu;
    watchdog.look(wall);
  }

  private void look(int times, long wall, long cpu) {
    for (int i = 0; i < times; i++) {
      look(wall, cpu);
    }
  }

  private boolean knowsCpu() {
    return !backend.name().equals("HANDOFF");
  }

  private Task<Void> spawn(String name, TaskAction code) {
    return watched.spawn(name, code);
  }

  private void hog() {
    look(1 + 4, THRESHOLD / 4, THRESHOLD / 4);
  }

  @Test
  void look_turnComputesTooLong_isToldOnceWhileItGoesOn() {
    watched();
    spawn(
        "hog",
        () -> {
          look(4, THRESHOLD / 4, THRESHOLD / 4);
          assertEquals(List.of(), slow);
          look(THRESHOLD / 4, THRESHOLD / 4);
          assertEquals(1, slow.size());
          look(20, THRESHOLD / 4, THRESHOLD / 4);
        });
    watched.start();
    SlowTurn told = slow.getFirst();
    assertEquals(1, slow.size());
    assertEquals("hog", told.taskName());
    assertEquals(SlowTurn.Cause.COMPUTING, told.cause());
    assertEquals(Duration.ofNanos(THRESHOLD), told.wall());
    if (knowsCpu()) {
      assertEquals(Duration.ofNanos(THRESHOLD), told.cpu());
    } else {
      assertNull(told.cpu());
    }
    assertTrue(told.describe().startsWith("task 'hog' has kept the loop for 1 us, computing"));
    assertTrue(told.describe().contains("WatchdogTest.look("), told.describe());
    assertFalse(told.describe().contains("Loop.turn"), told.describe());
  }

  @Test
  void look_machineIsBusy_isNoAlarmUntilTheTaskHasComputedThatLong() {
    watched();
    spawn(
        "starved",
        () -> {
          look(100, THRESHOLD / 4, 0);
          if (knowsCpu()) {
            assertEquals(List.of(), slow);
            look(1, THRESHOLD / 4, THRESHOLD);
          }
          assertEquals(1, slow.size());
        });
    watched.start();
  }

  @Test
  void look_watchdogItselfWasHeldUp_countsNoMoreThanItsPeriod() {
    watched();
    spawn(
        "paused",
        () -> {
          look(THRESHOLD / 4, 0);
          look(3, 1_000 * THRESHOLD, THRESHOLD);
          assertEquals(List.of(), slow);
          look(THRESHOLD / 4, THRESHOLD);
          assertEquals(1, slow.size());
        });
    watched.start();
  }

  @Test
  void look_blocked_isToldThoughItDoesNotCompute() {
    watched();
    spawn(
        "sleeper",
        () -> {
          threads.blocked = true;
          look(5, THRESHOLD / 4, 0);
        });
    watched.start();
    assertEquals(SlowTurn.Cause.BLOCKED, slow.getFirst().cause());
    assertTrue(slow.getFirst().describe().contains(", blocked"), slow.getFirst().describe());
  }

  @Test
  void look_manyTurnsOfOneTask_areNotOneLongTurn() {
    watched();
    spawn(
        "good",
        () -> {
          for (int i = 0; i < 20; i++) {
            look(3, THRESHOLD / 4, THRESHOLD / 4);
            watched.yield();
          }
        });
    watched.start();
    assertEquals(List.of(), slow);
  }

  @Test
  void look_betweenTurns_isNoAlarm() {
    watched();
    Task<Object> task = watched.spawn("s", () -> watched.suspend());
    watched.step();
    look(20, THRESHOLD, THRESHOLD);
    assertEquals(List.of(), slow);
    watched.scheduleTask(task);
    watched.start();
  }

  @Test
  void look_joining_theJoinedTaskIsToldOf() {
    watched();
    spawn("parent", () -> spawn("child", this::hog).join());
    watched.start();
    assertEquals(List.of("child"), slow.stream().map(SlowTurn::taskName).toList());
    assertFalse(slow.getFirst().stack().toString().contains("Residence"));
  }

  @Test
  void look_stepTask_hasCpuTimeOnEveryBackend() {
    watched();
    watched.spawnSteps(
        "steps",
        self -> {
          hog();
          return StepResult.DONE;
        });
    watched.start();
    assertEquals(Duration.ofNanos(THRESHOLD), slow.getFirst().cpu());
    assertTrue(slow.getFirst().describe().contains("WatchdogTest.look("));
  }

  @Test
  void look_handlerThrows_isLoggedAndTheNextIsTold() {
    watched();
    var failing = new Watchdog[1];
    watched.close();
    Settings settings =
        new Settings(
            backend,
            time,
            (where, failure) -> failed.add(failure),
            null,
            List.of(),
            false,
            residentTask,
            false,
            List.of(loop ->
                failing[0] =
                    new Watchdog(
                        loop,
                        THRESHOLD,
                        turn -> {
                          throw new IllegalStateException("handler");
                        },
                        threads)));
    watched = new Scheduler(settings);
    watchdog = failing[0];
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
  void isBlocked_realThreads_isToldByStateAndTopFrame() throws Exception {
    Watchdog.Threads real = new CpuMeter();
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
    SchedulerBuilder builder = Scheduler.builder();
    assertThrows(IllegalArgumentException.class, () -> builder.watchdog(Duration.ZERO));
    assertThrows(
        IllegalArgumentException.class, () -> builder.watchdog(Duration.ofNanos(-1), slow::add));
    assertThrows(NullPointerException.class, () -> builder.watchdog(Duration.ofSeconds(1), null));
  }

  /// In real time, but for as long as it takes: the turn goes on until it was told of, and the
  /// thread is waited for until it has ended.
  @Test
  void builder_watchdog_tellsOfARealHogAndEndsWithTheScheduler() throws Exception {
    var told = new LinkedBlockingQueue<SlowTurn>();
    Thread[] dog = new Thread[1];
    watched =
        Scheduler.builder()
            .backend(backend)
            .watchdog(
                Duration.ofMillis(5),
                turn -> {
                  dog[0] = Thread.currentThread();
                  told.add(turn);
                })
            .build();
    spawn(
        "hog",
        () -> {
          while (told.isEmpty()) {
            spinALittle();
          }
        });
    watched.start();
    SlowTurn turn = told.take();
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

  /// Looks often enough, with a CPU time that is not known at one end.
  private void lookAtAStep(long cpuBefore, long cpuNow) {
    Scheduler own = watched();
    own.spawnSteps(
        "step",
        self -> {
          threads.cpu = cpuBefore;
          watchdog.look(1);
          threads.cpu = cpuNow;
          for (int i = 0; i < 100; i++) {
            watchdog.look(THRESHOLD);
          }
          return StepResult.DONE;
        });
    own.start();
    assertEquals(1, slow.size());
    assertNull(slow.getFirst().cpu());
  }

  @Test
  void look_cpuTimeWasNotKnownBefore_theTimeCounts() {
    lookAtAStep(-1, 10);
  }

  @Test
  void look_cpuTimeIsNotKnownAnyMore_theTimeCounts() {
    lookAtAStep(10, -1);
  }
}
