package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import dev.rondo.scheduler.engine.TaskCore;
import dev.rondo.scheduler.engine.Urgency;
import java.util.Objects;
import java.util.TreeSet;

/// A policy that gives each task a rank when it is added, and chooses the lowest.
abstract sealed class RankedPolicy implements SchedulingPolicy
    permits PriorityPolicy, DeadlinePolicy {

  private final TreeSet<Task<?>> ready =
      new TreeSet<>((one, other) -> urgencyOf(one).compareTo(urgencyOf(other)));

  /// Counts the tasks added, for the order among equals.
  private long added;

  /// Counts the tasks added by [#addFirst], downwards, so that the last one comes first.
  private long addedFirst;

  @Override
  public final void add(Task<?> task) {
    Urgency urgency = urgencyOf(task);
    rank(task, urgency);
    urgency.order = ++added;
    ready.add(task);
  }

  @Override
  public final void addFirst(Task<?> task) {
    Urgency urgency = urgencyOf(task);
    urgency.rank(Urgency.Band.FIRST, 0);
    urgency.order = --addedFirst;
    ready.add(task);
  }

  private static Urgency urgencyOf(Task<?> task) {
    TaskCore<?> core = TaskCore.of(task);
    return core.urgency();
  }

  /// Gives a task its rank.
  abstract void rank(Task<?> task, Urgency urgency);

  @Override
  public final void remove(Task<?> task) {
    ready.remove(task);
  }

  @Override
  public Task<?> next() {
    return Objects.requireNonNull(ready.pollFirst(), "no task is ready");
  }
}
