package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.engine.util.Durations;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The urgency of a task: its settings, and its rank under a policy of priorities or deadlines.
/// Only tasks with such settings, or under such a policy, have this object.
public final class Urgency implements Comparable<Urgency> {

  /// The first order of rank.
  public enum Band {
    FIRST,
    RANKED,
    LAST
  }

  int priority = Task.NORMAL_PRIORITY;
  OptionalLong deadlineNanos = OptionalLong.empty();

  /// The order among tasks of equal rank.
  public long order;

  private Band band = Band.LAST;
  private long rank;

  /// Sets the rank.
  public void rank(Band first, long second) {
    band = first;
    rank = second;
  }

  /// Ranks are compared by subtraction: a clock may wrap around.
  @Override
  public int compareTo(Urgency other) {
    if (band != other.band) {
      return band.compareTo(other.band);
    }
    return Long.signum(rank != other.rank ? rank - other.rank : order - other.order);
  }

  // Of a task.

  static void set(TaskCore<?> task, int priority) {
    Loop loop = task.loop;
    loop.checkCaller();
    if (priority < Task.MIN_PRIORITY || priority > Task.MAX_PRIORITY) {
      throw new IllegalArgumentException(
          "priority=%d of task '%s', must be from %d to %d"
              .formatted(priority, task.name(), Task.MIN_PRIORITY, Task.MAX_PRIORITY));
    }
    task.urgency().priority = priority;
  }

  static void set(TaskCore<?> task, Duration fromNow) {
    Loop loop = task.loop;
    loop.checkCaller();
    long nanos = Durations.nanos(fromNow, "fromNow");
    task.urgency().deadlineNanos = OptionalLong.of(loop.deadlineAfter(nanos));
  }

  static int priorityOf(TaskCore<?> task) {
    Urgency set = ifAny(task);
    return set == null ? Task.NORMAL_PRIORITY : set.priority;
  }

  static OptionalLong deadlineOf(TaskCore<?> task) {
    Urgency set = ifAny(task);
    return set == null ? OptionalLong.empty() : set.deadlineNanos;
  }

  private static @Nullable Urgency ifAny(TaskCore<?> task) {
    TaskExtras has = task.extras;
    return has == null ? null : has.urgency;
  }
}
