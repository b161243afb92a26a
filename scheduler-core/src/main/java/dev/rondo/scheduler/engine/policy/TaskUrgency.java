package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.Rooms;
import dev.rondo.scheduler.engine.TaskCore;
import java.util.OptionalLong;

/// The urgency of a task: its settings, and its rank under a policy of priorities or deadlines.
/// Only tasks with such settings, or under such a policy, have this object.
public final class TaskUrgency implements Rooms.Urgency, Comparable<TaskUrgency> {

  /// Makes an urgency without settings.
  public TaskUrgency() {}

  /// The first criterion of a rank.
  public enum Band {
    FIRST,
    RANKED,
    LAST
  }

  private int priority = Task.NORMAL_PRIORITY;
  private OptionalLong deadlineNanos = OptionalLong.empty();

  /// The order among tasks of equal rank.
  public long order;

  private Band band = Band.LAST;
  private long rank;

  /// Sets the rank.
  public void rank(Band first, long second) {
    band = first;
    rank = second;
  }

  /// Compares ranks by subtraction, because a clock may wrap around.
  @Override
  public int compareTo(TaskUrgency other) {
    if (band != other.band) {
      return band.compareTo(other.band);
    }
    return Long.signum(rank != other.rank ? rank - other.rank : order - other.order);
  }

  /// {@return the urgency of a task; a new urgency has no settings}
  static TaskUrgency of(Task<?> task) {
    return (TaskUrgency) TaskCore.of(task).urgency();
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public void priority(TaskCore<?> task, int set) {
    if (set < Task.MIN_PRIORITY || set > Task.MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority=%d of task '%s', must be from %d to %d"
              .formatted(set, task.name(), Task.MIN_PRIORITY, Task.MAX_PRIORITY));
    }
    priority = set;
  }

  @Override
  public OptionalLong deadlineNanos() {
    return deadlineNanos;
  }

  @Override
  public void deadlineNanos(long instant) {
    deadlineNanos = OptionalLong.of(instant);
  }
}
