package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.policy.DeadlinePolicy;
import dev.rondo.scheduler.engine.policy.PriorityPolicy;
import dev.rondo.scheduler.engine.policy.RandomPolicy;
import dev.rondo.scheduler.engine.policy.RoundRobinPolicy;

/// The scheduling policies of Rondo. Each call makes a policy for one scheduler. Any thread.
public final class SchedulingPolicies {

  /// The number of turns of waiting that count as one step of priority, see [#priority()].
  private static final int TURNS_PER_STEP = 100;

  private SchedulingPolicies() {}

  /// {@return round robin, the order without a policy: first come, first served} For programs that
  /// choose a policy by name, and as the shortest example of a policy.
  public static SchedulingPolicy roundRobin() {
    return new RoundRobinPolicy();
  }

  /// {@return [#priority(int)] with 100 turns for each step}
  public static SchedulingPolicy priority() {
    return priority(TURNS_PER_STEP);
  }

  /// Strict priority with ageing: the task with the highest [Task#priority()] has the next turn.
  /// Tasks of equal priority run in the order they became ready. Waiting for a number of turns
  /// counts as one step of priority, so no task starves. If `n` tasks are ready, a task of priority
  /// `p` has its turn after at most `(10 - p) * turnsPerStep + n` turns of others. Turns of tasks
  /// that are put to the front do not count.
  ///
  /// Ageing as in L. Kleinrock, *A delay dependent queue discipline* (1964): the time that a task
  /// has waited adds to its priority. Adding, choosing and removing take O(log n).
  ///
  /// @param turnsPerStep at least 1; a larger number makes the priorities stricter
  /// @return a policy for one scheduler
  /// @throws IllegalArgumentException if it is less than 1
  public static SchedulingPolicy priority(int turnsPerStep) {
    if (turnsPerStep < 1) {
      throw new IllegalArgumentException("turnsPerStep=" + turnsPerStep + ", must be at least 1");
    }
    return new PriorityPolicy(turnsPerStep);
  }

  /// Earliest deadline first: the task with the earliest [Task#deadlineNanos()] has the next turn.
  /// Tasks with equal deadlines run in the order they became ready, and tasks without a deadline
  /// run last. This policy is optimal on one thread: if any order meets all deadlines, this order
  /// does (C. L. Liu and J. W. Layland, *Scheduling algorithms for multiprogramming in a
  /// hard-real-time environment*, 1973). Tasks without a deadline starve while tasks with a
  /// deadline keep the loop busy. Adding, choosing and removing take O(log n).
  ///
  /// @return a policy for one scheduler
  public static SchedulingPolicy earliestDeadlineFirst() {
    return new DeadlinePolicy();
  }

  /// Random: each ready task is equally likely to have the next turn. For tests of orders that
  /// round robin never produces; the same seed gives the same order. Tasks that are put to the
  /// front still run first.
  ///
  /// @param seed any
  /// @return a policy for one scheduler
  public static SchedulingPolicy random(long seed) {
    return new RandomPolicy(seed);
  }
}
