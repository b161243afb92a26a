package dev.rondo.scheduler.engine.policy;

import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.addon.SchedulingPolicies;
import java.util.OptionalLong;

/// See [SchedulingPolicies#earliestDeadlineFirst()].
public final class DeadlinePolicy extends RankedPolicy {

  /// Makes a policy without tasks.
  public DeadlinePolicy() {}

  @Override
  void rank(Task<?> task, TaskUrgency urgency) {
    OptionalLong deadline = task.deadlineNanos();
    if (deadline.isPresent()) {
      urgency.rank(TaskUrgency.Band.RANKED, deadline.getAsLong());
    } else {
      urgency.rank(TaskUrgency.Band.LAST, 0);
    }
  }

  @Override
  public String toString() {
    return "earliest deadline first";
  }
}
