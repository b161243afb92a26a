package dev.rondo.scheduler.addon;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.RankedPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/// The scheduling policies that come with Rondo. Each call makes a policy for one scheduler. Any
/// thread.
public final class SchedulingPolicies {

  /// How many turns of waiting count as one step of priority, see [#priority()].
  private static final int TURNS_PER_STEP = 100;

  private SchedulingPolicies() {}

  /// {@return round robin, the order without a policy: first come, first served} For programs that
  /// choose a policy by name, and as the shortest example of a policy.
  public static SchedulingPolicy roundRobin() {
    return new RoundRobin();
  }

  /// {@return [#priority(int)] with 100 turns for each step}
  public static SchedulingPolicy priority() {
    return priority(TURNS_PER_STEP);
  }

  /// Strict priority with ageing: the task with the highest [Task#priority()] has the next turn,
  /// tasks of equal priority in the order they became ready. Waiting for a number of turns counts
  /// as one step of priority, so no task starves. If `n` tasks are ready, a task of priority `p`
  /// has its turn after at most `(10 - p) * turnsPerStep + n` turns of others. Turns of tasks that
  /// are put to the front do not count.
  ///
  /// Ageing as in L. Kleinrock, *A delay dependent queue discipline* (1964): the time that a task
  /// has waited adds to its priority. Adding, choosing and removing take O(log n).
  ///
  /// @param turnsPerStep at least 1; the more, the stricter
  /// @return a policy for one scheduler
  /// @throws IllegalArgumentException if it is less than 1
  public static SchedulingPolicy priority(int turnsPerStep) {
    if (turnsPerStep < 1) {
      throw new IllegalArgumentException("turnsPerStep=" + turnsPerStep + ", must be at least 1");
    }
    return RankedPolicy.priority(turnsPerStep);
  }

  /// Earliest deadline first: the task with the earliest [Task#deadlineNanos()] has the next turn,
  /// tasks with equal deadlines in the order they became ready, tasks without a deadline last.
  /// Optimal on one thread: if any order meets all deadlines, this one does (C. L. Liu and J. W.
  /// Layland, *Scheduling algorithms for multiprogramming in a hard-real-time environment*, 1973).
  /// Tasks without a deadline starve while those with one keep the loop busy. Adding, choosing and
  /// removing take O(log n).
  ///
  /// @return a policy for one scheduler
  public static SchedulingPolicy earliestDeadlineFirst() {
    return RankedPolicy.earliestDeadlineFirst();
  }

  /// Random: each task that is ready is as likely as any other. For tests of orders that round
  /// robin never produces; the same seed gives the same order. Tasks that are put to the front
  /// still run first.
  ///
  /// @param seed any
  /// @return a policy for one scheduler
  public static SchedulingPolicy random(long seed) {
    return new RandomPolicy(seed);
  }

  private static final class RoundRobin implements SchedulingPolicy {

    private final Deque<Task<?>> ready = new ArrayDeque<>();

    @Override
    public void add(Task<?> task) {
      ready.addLast(task);
    }

    @Override
    public void addFirst(Task<?> task) {
      ready.addFirst(task);
    }

    /// Takes linear time, which is acceptable because it is rare.
    @Override
    public void addAfter(Task<?> anchor, Task<?> task) {
      var order = new ArrayList<Task<?>>(ready);
      order.add(order.indexOf(anchor) + 1, task);
      ready.clear();
      ready.addAll(order);
    }

    @Override
    public void remove(Task<?> task) {
      ready.remove(task);
    }

    @Override
    public Task<?> next() {
      return ready.removeFirst();
    }

    @Override
    public String toString() {
      return "round robin";
    }
  }

  private static final class RandomPolicy implements SchedulingPolicy {

    private final long seed;
    private final SplittableRandom random;
    private final Deque<Task<?>> first = new ArrayDeque<>();
    private final List<Task<?>> others = new ArrayList<>();

    RandomPolicy(long seed) {
      this.seed = seed;
      this.random = new SplittableRandom(seed);
    }

    @Override
    public void add(Task<?> task) {
      others.add(task);
    }

    @Override
    public void addFirst(Task<?> task) {
      first.addFirst(task);
    }

    @Override
    public void remove(Task<?> task) {
      if (!first.remove(task)) {
        takeOut(others.indexOf(task));
      }
    }

    @Override
    public Task<?> next() {
      return first.isEmpty() ? takeOut(random.nextInt(others.size())) : first.removeFirst();
    }

    /// The last one takes its place: their order means nothing.
    private Task<?> takeOut(int index) {
      Task<?> last = others.removeLast();
      return index == others.size() ? last : others.set(index, last);
    }

    @Override
    public String toString() {
      return "random, seed " + seed;
    }
  }
}
