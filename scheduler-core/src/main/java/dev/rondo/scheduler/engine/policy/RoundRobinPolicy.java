package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;

/// See [SchedulingPolicies#roundRobin()].
public final class RoundRobinPolicy implements SchedulingPolicy {

  private final Deque<Task<?>> ready = new ArrayDeque<>();

  /// Makes a policy without tasks.
  public RoundRobinPolicy() {}

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
