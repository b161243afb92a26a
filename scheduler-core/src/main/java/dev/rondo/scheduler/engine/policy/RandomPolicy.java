package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/// See [SchedulingPolicies#random(long)].
public final class RandomPolicy implements SchedulingPolicy {

  private final long seed;
  private final SplittableRandom random;
  private final Deque<Task<?>> first = new ArrayDeque<>();
  private final List<Task<?>> others = new ArrayList<>();

  /// Makes a policy without tasks.
  ///
  /// @param seed any
  public RandomPolicy(long seed) {
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

  /// Removes a task. The last task takes its place, because the order of the list has no meaning.
  private Task<?> takeOut(int index) {
    Task<?> last = others.removeLast();
    return index == others.size() ? last : others.set(index, last);
  }

  @Override
  public String toString() {
    return "random, seed " + seed;
  }
}
