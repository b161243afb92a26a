package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.ScheduledDirectlyException;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TaskAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Random programs, stepped turn by turn, with tasks cancelled and scheduled directly in between.
/// The same seed gives the same trace on every backend.
public abstract class RandomRuns extends OnEveryBackend {

  protected static final int RUNS = 60;

  /// Random by default, and printed.
  private static final long SEED = Long.getLong("rondo.test.seed", new Random().nextLong());

  /// The traces of the first backend, by test and seed.
  private static final Map<String, List<String>> TRACES = new ConcurrentHashMap<>();

  /// More turns than any of these programs has.
  private static final int PATIENCE = 20_000;

  static {
    System.out.println("RandomRuns seed " + SEED + " (-Drondo.test.seed)");
  }

  protected final List<String> trace = new ArrayList<>();
  protected final List<Task<Void>> tasks = new ArrayList<>();
  private Random chance = new Random(0);
  private String where = "";

  /// A disturbance of a task between two turns.
  protected enum Disturbance {
    CANCEL,
    SCHEDULE
  }

  /// One run.
  protected interface Scenario {
    /// Makes the tasks.
    ///
    /// @return a check to run after each turn
    Runnable begin(Random random);
  }

  /// Runs a scenario often, with random disturbances.
  protected final void often(String name, Scenario scenario) {
    for (int run = 0; run < RUNS; run++) {
      long seed = SEED + run;
      var random = new Random(seed);
      double often = random.nextInt(4) * 0.03;
      run(
          name,
          seed,
          scenario,
          (step, count) -> {
            if (random.nextDouble() >= often) {
              return;
            }
            disturb(
                tasks.get(random.nextInt(count)),
                random.nextBoolean() ? Disturbance.CANCEL : Disturbance.SCHEDULE);
          });
    }
  }

  /// Runs a scenario once undisturbed, and then once for each of its turns, each task and each
  /// disturbance.
  protected final void everyPoint(String name, long seed, Scenario scenario) {
    int turns = run(name + " undisturbed", seed, scenario, (step, count) -> {});
    assertTrue(turns > 10, "nothing to disturb");
    int count = tasks.size();
    for (int turn = 0; turn < turns; turn++) {
      for (int victim = 0; victim < count; victim++) {
        for (Disturbance disturbance : Disturbance.values()) {
          int at = turn;
          int who = victim;
          run(
              "%s, %s of %d at %d".formatted(name, disturbance, victim, turn),
              seed,
              scenario,
              (step, all) -> {
                if (step == at) {
                  disturb(tasks.get(who), disturbance);
                }
              });
        }
      }
    }
  }

  private interface Between {
    void turns(int step, int count);
  }

  private void disturb(Task<Void> victim, Disturbance disturbance) {
    boolean done =
        switch (disturbance) {
          case CANCEL -> victim.cancel("chance");
          case SCHEDULE -> scheduler.scheduleTask(victim);
        };
    trace(victim, disturbance + " " + done);
  }

  private int run(String name, long seed, Scenario scenario, Between between) {
    trace.clear();
    tasks.clear();
    chance = new Random(seed);
    where = name + ", seed " + seed;
    Runnable check = scenario.begin(chance);
    int step = 0;
    while (tasks.stream().anyMatch(task -> !task.isDone())) {
      between.turns(step, tasks.size());
      if (!scheduler.step()) {
        clock.skip(ms(1));
      }
      check.run();
      assertTrue(++step < PATIENCE, () -> where + " does not end: " + scheduler.tasks());
    }
    settle();
    check.run();
    takeFailures()
        .forEach(failure -> {
          throw new AssertionError(where + "\n" + String.join("\n", trace), failure);
        });
    List<String> first = TRACES.putIfAbsent(getClass().getName() + where, List.copyOf(trace));
    if (first != null) {
      assertEquals(first, trace, where);
    }
    return step;
  }

  protected final Task<Void> spawn(String name, TaskAction<?> code) {
    Task<Void> task = scheduler.spawn(name, code);
    tasks.add(task);
    return task;
  }

  protected final void trace(@Nullable Task<?> task, String event) {
    trace.add((task == null ? "" : task.name() + " ") + event);
  }

  protected final String where() {
    return where;
  }

  /// Sleeps, until it is disturbed.
  protected final void rest(Duration duration) {
    try {
      time.sleep(duration);
    } catch (ScheduledDirectlyException e) {
      trace(null, "disturbed");
    }
  }

  /// Waits for a while, at random: not at all, for a round, or for some time.
  protected final void pause(Random random) {
    switch (random.nextInt(3)) {
      case 0 -> scheduler.yield();
      case 1 -> rest(ms(random.nextInt(3)));
      default -> {}
    }
  }
}
