package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.Task;
import java.util.OptionalLong;

/// The urgency of a task: its settings, and its rank under a policy of priorities or deadlines.
/// Only tasks with such settings, or under such a policy, have this object.
public final class Urgency {

  /// The first order of rank.
  public enum Band {
    FIRST,
    RANKED,
    LAST
  }

  int priority = Task.NORMAL_PRIORITY;
  OptionalLong deadlineNanos = OptionalLong.empty();

  /// Where the task is in the policy's heap.
  public int place;

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
  public boolean isBefore(Urgency other) {
    if (band != other.band) {
      return band.compareTo(other.band) < 0;
    }
    return rank != other.rank ? rank - other.rank < 0 : order - other.order < 0;
  }
}
