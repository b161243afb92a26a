package dev.rondo.scheduler.model;

import dev.rondo.scheduler.TaskGroup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// One step of a random script. The code that is running takes the next step: a task in its turn,
/// or the driver between turns. So any part of a script is a script.
///
/// @param kind what to do
/// @param first the number of a task, event or value; any number is valid, see [Model#resolve]
/// @param second another such number
record Operation(Kind kind, int first, int second) {

  /// What a step does, and how often, relative to the others.
  enum Kind {
    SPAWN(6),
    NEW(3),
    SCHEDULE(8),
    SCHEDULE_VALUE(6),
    NEXT(5),
    NEXT_VALUE(2),
    AFTER(5),
    ON(6),
    UNSCHEDULE(8),
    CANCEL(4),
    FIRE_FIRST(6),
    FIRE_ALL(4),
    FIRE_ALL_NEXT(4),
    FAIL_ALL(1),
    CROWD(1),
    STOP(2),
    LOOK(4),
    /// From now on, inspect the scheduler after each step. Tasks that are woken together then take
    /// places of their own at once; no other result may depend on that.
    WATCH(0),
    // From here on the operations suspend a task, and start a run of the driver.
    YIELD(16),
    HALT(3),
    SUSPEND(6),
    AWAIT(14),
    SELECT(8),
    GROUP(4),
    END(3),
    FAIL(2);

    private final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    boolean givesWay() {
      return compareTo(YIELD) >= 0;
    }
  }

  /// How operations name a group's policy.
  static final List<TaskGroup.Policy> POLICIES = List.of(TaskGroup.Policy.values());

  private static final int WEIGHTS = Arrays.stream(Kind.values()).mapToInt(k -> k.weight).sum();
  private static final int ANYBODY = 1 << 16;

  /// {@return the script of a seed}
  static List<Operation> script(long seed, int length) {
    var random = new SplittableRandom(seed);
    var script = new ArrayList<Operation>(length);
    if (random.nextBoolean()) {
      script.add(new Operation(Kind.WATCH, 0, 0));
    }
    while (script.size() < length) {
      script.add(new Operation(kind(random), random.nextInt(ANYBODY), random.nextInt(ANYBODY)));
    }
    return script;
  }

  private static Kind kind(SplittableRandom random) {
    int left = random.nextInt(WEIGHTS);
    for (Kind kind : Kind.values()) {
      left -= kind.weight;
      if (left < 0) {
        return kind;
      }
    }
    throw new AssertionError("the weights do not add up");
  }

  /// The step as source code, to repeat a failing script in a test.
  @Override
  public String toString() {
    return kind + "(" + first + ", " + second + ")";
  }
}
