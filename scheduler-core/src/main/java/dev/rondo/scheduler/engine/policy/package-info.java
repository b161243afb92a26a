/// The room of scheduling policies, which
/// [SchedulingPolicies][dev.rondo.scheduler.addon.SchedulingPolicies] offers to programs.
///
/// It hangs on one seam of the kernel, [dev.rondo.scheduler.engine.ReadyQueue]: the queue of this
/// room overrides each method by which a task comes, goes or is next. Without this room tasks run
/// round robin.
@NullMarked
package dev.rondo.scheduler.engine.policy;

import org.jspecify.annotations.NullMarked;
