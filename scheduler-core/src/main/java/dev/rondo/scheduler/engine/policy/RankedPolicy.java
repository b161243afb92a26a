package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicy;
import java.util.Objects;
import java.util.TreeSet;

/// A policy that gives each task a rank when the task is added, and chooses the task of the lowest
/// rank.
abstract sealed class RankedPolicy implements SchedulingPolicy
    permits PriorityPolicy, DeadlinePolicy {

  private final TreeSet<Task<?>> ready =
      new TreeSet<>((one, other) -> urgencyOf(one).compareTo(urgencyOf(other)));

  /// Counts the tasks that were added, for the order among equal ranks.
  private long added;

  /// Counts the tasks that were added by [#addFirst], downwards, so that the last such task comes
  /// first.
  private long addedFirst;

  @Override
  public final void add(Task<?> task) {
    TaskUrgency urgency = urgencyOf(task);
    rank(task, urgency);
    urgency.order = ++added;
    ready.add(task);
  }

  @Override
  public final void addFirst(Task<?> task) {
    TaskUrgency urgency = urgencyOf(task);
    urgency.rank(TaskUrgency.Band.FIRST, 0);
    urgency.order = --addedFirst;
    ready.add(task);
  }

  private static TaskUrgency urgencyOf(Task<?> task) {
    return TaskUrgency.of(task);
  }

  /// Gives a task its rank.
  abstract void rank(Task<?> task, TaskUrgency urgency);

  @Override
  public final void remove(Task<?> task) {
    ready.remove(task);
  }

  @Override
  public Task<?> next() {
    return Objects.requireNonNull(ready.pollFirst(), "no task is ready");
  }
}
