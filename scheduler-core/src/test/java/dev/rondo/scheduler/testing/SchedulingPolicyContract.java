package dev.rondo.scheduler.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.addon.StepResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tests what every [SchedulingPolicy] must do. A subclass makes the policy.
@BackendsDiffer
public abstract class SchedulingPolicyContract extends SchedulerTest {

  private static final int OPERATIONS = 20_000;

  /// For subclasses.
  protected SchedulingPolicyContract() {}

  /// {@return a policy for one scheduler}
  protected abstract SchedulingPolicy newPolicy();

  @Override
  protected final void configure(SchedulerBuilder builder) {
    builder.policy(this::newPolicy);
  }

  /// A task that was never scheduled, to be added to a policy.
  private List<Task<Void>> tasks(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> scheduler.newTask("task " + i, () -> {}))
        .toList();
  }

  @Test
  void next_randomOperations_takesOutWhatWasAddedAndOnlyOnce() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    SchedulingPolicy policy = newPolicy();
    List<Task<Void>> tasks = tasks(40);
    Set<Task<?>> inside = new LinkedHashSet<>();
    List<Task<?>> first = new ArrayList<>();
    for (int i = 0; i < OPERATIONS; i++) {
      Task<?> task = tasks.get(random.nextInt(tasks.size()));
      if (inside.contains(task)) {
        if (random.nextBoolean()) {
          policy.remove(task);
          inside.remove(task);
          first.remove(task);
        } else {
          Task<?> next = policy.next();
          assertTrue(inside.remove(next), () -> "seed " + seed + ": " + next + " was not added");
          if (!first.isEmpty()) {
            assertEquals(first.removeLast(), next, "seed " + seed + ": what was added first");
          }
        }
      } else if (random.nextInt(4) == 0) {
        policy.addFirst(task);
        inside.add(task);
        first.add(task);
      } else {
        policy.add(task);
        inside.add(task);
      }
    }
    while (!inside.isEmpty()) {
      assertTrue(inside.remove(policy.next()), "seed " + seed);
    }
  }

  @Test
  void start_tasksThatYield_allEnd() {
    Map<String, Integer> turns = new HashMap<>();
    for (String name : List.of("A", "B", "C", "D")) {
      scheduler.spawn(
          name,
          () -> {
            for (int i = 0; i < 50; i++) {
              turns.merge(name, 1, Integer::sum);
              scheduler.yield();
            }
          });
    }
    scheduler
        .host()
        .spawnSteps(
            "E",
            self -> turns.merge("E", 1, Integer::sum) < 50 ? StepResult.AGAIN : StepResult.DONE);
    scheduler.start();
    assertEquals(Map.of("A", 50, "B", 50, "C", 50, "D", 50, "E", 50), turns);
  }

  @Test
  void scheduleNext_othersAreReady_runsFirst() {
    var next = scheduler.newTask("next", () -> trace("next"));
    var later = scheduler.newTask("later", () -> trace("later"));
    scheduler.spawn(() -> {
      IntStream.range(0, 5).forEach(i -> scheduler.spawn(() -> {}));
      scheduler.queue().scheduleNext(later);
      scheduler.queue().scheduleNext(next);
      scheduler.yield();
    });
    scheduler.start();
    assertTrace("next later");
  }

  @Test
  void unschedule_readyTask_neverRuns() {
    var task = scheduler.spawn("gone", () -> trace("ran"));
    scheduler.spawn(() -> scheduler.yield());
    assertTrue(scheduler.queue().unschedule(task));
    assertFalse(scheduler.queue().scheduled(task));
    drive();
    scheduler.scheduleTask(task);
    scheduler.start();
    assertTrace("ran");
  }

  @Test
  void cancel_readyTaskThatNeverRan_neverRuns() {
    var task = scheduler.spawn("gone", () -> trace("ran"));
    task.cancel("test");
    scheduler.start();
    assertTrue(task.isCancelled());
  }

  @Test
  void halt_othersAreReady_theHaltedGoesOnFirst() {
    scheduler.spawn(() -> {
      scheduler.halt("halted");
      trace("on");
    });
    assertEquals("halted", scheduler.run("go"));
    scheduler.spawn(() -> trace("other"));
    scheduler.step();
    assertTrace("on");
    scheduler.start();
    assertTrace("other");
  }

  @Test
  void scheduleNext_anotherHasHalted_runsBeforeItAndEachOnce() {
    scheduler.spawn(() -> {
      scheduler.halt(null);
      trace("halted");
    });
    scheduler.run(null);
    scheduler.queue().scheduleNext(scheduler.newTask("first", () -> trace("first")));
    while (scheduler.step()) {
      // each task has its turn
    }
    assertTrace("first halted");
  }

  @Test
  void stop_inTheMiddle_goesOnWithEverybody() {
    for (String name : List.of("A", "B", "C")) {
      scheduler.spawn(
          name,
          () -> {
            scheduler.yield();
            scheduler.stop();
            scheduler.yield();
            trace("end");
          });
    }
    for (int i = 0; i < 4; i++) {
      scheduler.start();
    }
    assertEquals(List.of(), scheduler.queue().readyTasks());
    assertTrace("end end end");
  }

  @Test
  void close_tasksAreLeft_everyFinallyHasRun() {
    Scheduler other = newScheduler();
    var begun = new ArrayList<Integer>();
    for (int i = 0; i < 3; i++) {
      int number = i;
      other.spawn(() -> {
        begun.add(number);
        try {
          other.yield();
          other.suspend();
        } finally {
          trace("finally");
        }
      });
    }
    while (begun.size() < 3) {
      other.step();
    }
    other.close();
    assertTrace("finally finally finally");
  }
}
