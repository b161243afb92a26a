package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicies;

/// See [SchedulingPolicies#priority(int)]. A task's rank is the turn at which it is as urgent as
/// one of the highest priority that has just become ready.
public final class PriorityPolicy extends RankedPolicy {

  private final int turnsPerStep;
  private long turns;

  /// Makes a policy without tasks.
  ///
  /// @param turnsPerStep how many turns one step of priority is worth
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
