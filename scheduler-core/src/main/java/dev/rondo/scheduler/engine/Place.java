package dev.rondo.scheduler.engine;

import dev.rondo.scheduler.addon.SchedulingPolicy;

/// Where a task joins the ready queue. If the scheduler has a [SchedulingPolicy], the policy
/// decides when a task at the [#BACK] has its turn.
public enum Place {

  /// Directly behind the running task; before all others if none is running.
  FRONT,

  /// Behind all others.
  BACK
}
