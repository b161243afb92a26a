package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicies;

/// See [SchedulingPolicies#priority(int)]. The rank of a task is the turn at which it is as urgent
/// as a task of the highest priority that has just become ready.
public final class PriorityPolicy extends RankedPolicy {

  private final int turnsPerStep;
  private long turns;

  /// Makes a policy without tasks.
  ///
  /// @param turnsPerStep the number of turns that count as one step of priority
  public PriorityPolicy(int turnsPerStep) {
    this.turnsPerStep = turnsPerStep;
  }

  @Override
  void rank(Task<?> task, TaskUrgency urgency) {
    int steps = Task.MAX_PRIORITY - task.priority();
    urgency.rank(TaskUrgency.Band.RANKED, turns + (long) steps * turnsPerStep);
  }

  @Override
  public Task<?> next() {
    turns++;
    return super.next();
  }

  @Override
  public String toString() {
    return "priority, " + turnsPerStep + " turns per step";
  }
}
