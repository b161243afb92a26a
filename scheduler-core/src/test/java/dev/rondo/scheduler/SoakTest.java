package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.addon.StepResult;
import dev.rondo.scheduler.testing.Nightly;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An hour of virtual time in which tasks of all kinds begin and end. At its end nothing of them is
/// left.
///
/// The system property `rondo.test.soak` multiplies 10,000 tasks with 1,000,000 turns; on HANDOFF,
/// where a turn takes a hundred times as long, it is a tenth of that. The whole soak, 1,000,000
/// tasks with 100,000,000 turns: `mvn -q test -pl scheduler-core -Pnightly -Dtest=SoakTest
/// -Drondo.test.backends=continuation -Drondo.test.soak=100 -Drondo.test.patience=3600`.
@Timeout(value = 1, unit = TimeUnit.HOURS) // SchedulerTest has less patience, unless told otherwise
@Nightly("a million turns")
class SoakTest extends SchedulerTest {

  private static final int TIMES = Integer.getInteger("rondo.test.soak", 1);
  private static final int BATCHES = 100;
  private static final int BATCH = 100;
  private static final int TURNS_OF_A_TASK = 120;
  private static final int SAMPLES = 10;
  private static final int LEAST_TURNS_OF_A_TASK = 100;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  /// Far more than a garbage collection may leave: 100 bytes for each task of the small soak, one
  /// byte for each of the whole soak.
  private static final long MOST_GROWTH_BYTES = 8 << 20;

  private final WaitQueueEvent signal = new WaitQueueEvent();
  private final WaitQueueEvent other = new WaitQueueEvent();
  private final List<WeakReference<Task<?>>> samples = new ArrayList<>();
  private long turns;
  private long ended;

  private int batches() {
    int all = BATCHES * TIMES;
    return backend.name().equals("HANDOFF") ? all / 10 : all;
  }

  private void turn() {
    turns++;
    scheduler.yield();
  }

  private void turns(int count) {
    for (int i = 0; i < count; i++) {
      turn();
    }
  }

  private Task<?> spawn(TaskGroup<@Nullable Object> group, int kind) {
    return switch (kind) {
      case 0 -> group.spawn(() -> turns(TURNS_OF_A_TASK));
      case 1 -> steps(group);
      case 2 -> group.spawn(() -> waits(Waitable.anyOf(List.of(signal))));
      case 3 -> group.spawn(() -> waits(Waitable.anyOf(List.of(other, signal))));
      case 4 -> group.spawn(this::fires);
      case 5 -> group.spawn(this::isCancelled);
      case 6 -> group.spawn(this::isLimited);
      case 7 -> group.spawn(this::pulls);
      case 8 -> group.spawn(this::makesAndJoins);
      case 9 -> group.spawn(this::awaitsCompletions);
      default -> throw new IllegalArgumentException("kind=" + kind);
    };
  }

  private Task<?> steps(TaskGroup<@Nullable Object> group) {
    int[] left = {TURNS_OF_A_TASK};
    return group.<@Nullable Object>spawnSteps(
        "steps",
        self -> {
          turns++;
          return --left[0] > 0 ? StepResult.AGAIN : StepResult.DONE;
        });
  }

  private void waits(Waitable<@Nullable Object> event) {
    for (int i = 0; i < TURNS_OF_A_TASK; i++) {
      turns++;
      try {
        scheduler.await(event, SECOND);
      } catch (TimedOutException e) {
        turn(); // the task that fires has ended
      }
    }
  }

  private void fires() {
    for (int i = 0; i < TURNS_OF_A_TASK; i++) {
      signal.fireAll(i);
      turn();
    }
  }

  private void isCancelled() {
    scheduler.currentTask().cancel("soak", SECOND);
    assertThrows(TaskCancelled.class, scheduler::suspend);
    var _ = assertThrows(TaskCancelled.class, scheduler::yield);
  }

  private void isLimited() throws Exception {
    assertThrows(
        TimedOutException.class, () -> scheduler.within(SECOND, () -> scheduler.await(other)));
    scheduler.within(
        SECOND,
        () -> {
          turns(TURNS_OF_A_TASK);
          return null;
        });
  }

  private void pulls() {
    try (Generator<Integer> numbers =
        scheduler.newGenerator(
            "numbers",
            sink -> {
              for (int i = 0; ; i++) {
                turns++;
                sink.yield(i);
              }
            })) {
      while (numbers.next() < TURNS_OF_A_TASK) {
        turns++;
      }
    }
  }

  private void makesAndJoins() {
    for (int i = 0; i < TURNS_OF_A_TASK / 2; i++) {
      ended++;
      turns += 2;
      scheduler.spawn(() -> {}).join();
    }
  }

  private void awaitsCompletions() {
    for (int i = 0; i < TURNS_OF_A_TASK; i++) {
      var stage = new CompletableFuture<Integer>();
      turns++;
      if (i % 2 == 0) {
        stage.complete(i);
        assertEquals(i, scheduler.await(scheduler.completion(stage)));
      } else {
        scheduler.yield();
      }
    }
  }

  private void batch(int number, Duration pause) throws Exception {
    TaskGroup<@Nullable Object> group = scheduler.newGroup("batch", TaskGroup.Policy.SUPERVISE);
    group.run(() -> {
      for (int i = 0; i < BATCH; i++) {
        Task<?> task = spawn(group, i % SAMPLES);
        if (i / SAMPLES == number % SAMPLES) {
          samples.add(new WeakReference<>(task)); // one of each kind
        }
      }
    });
    ended += BATCH;
    assertThrows(TimedOutException.class, () -> scheduler.await(Waitable.never(), pause));
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private long stillHeld() {
    samples.removeIf(sample -> sample.get() == null);
    return samples.size();
  }

  /// Releases the samples, which grow.
  private void lookAtSamples() {
    long held = stillHeld();
    for (int i = 0; i < 20 && held > 0; i++) {
      System.gc();
      held = stillHeld();
    }
    assertEquals(0, held, "tasks that have ended and are still held");
  }

  private void soak(int batches) {
    Duration pause = HOUR.dividedBy(batches);
    runTask(() -> {
      int alive = scheduler.tasks().size();
      long before = 0;
      for (int number = 0; number < batches; number++) {
        batch(number, pause);
        if (number == batches / 10) {
          before = usedBytes();
        }
        if (number % BATCHES == BATCHES - 1 || number == batches - 1) {
          batch(number, pause); // replaces the tasks that had the last turns
          samples.subList(samples.size() - SAMPLES, samples.size()).clear();
          lookAtSamples();
        }
        assertEquals(alive, scheduler.tasks().size());
        assertEquals(0, signal.waiters() + other.waiters());
        assertEquals(0, time.alarms());
      }
      long growth = usedBytes() - before;
      assertTrue(growth < MOST_GROWTH_BYTES, "the heap has grown by " + growth + " bytes");
    });
  }

  @Test
  void soak_tasksOfAllKinds_nothingIsLeftOfThem() {
    soak(batches());
    long tasks = (long) batches() * BATCH;
    assertTrue(ended >= tasks, ended + " tasks");
    assertTrue(turns >= tasks * LEAST_TURNS_OF_A_TASK, turns + " turns");
    assertTrue(time.elapsed().compareTo(HOUR) >= 0, time.elapsed().toString());
    System.out.printf(
        "SoakTest on %s: %d tasks, %d turns, %s of virtual time%n",
        backend.name(), ended, turns, time.elapsed());
  }
}
