/// The room of scheduling policies, which
/// [SchedulingPolicies][dev.rondo.scheduler.addon.SchedulingPolicies] offers to programs.
///
/// It hangs on one seam of the kernel: `Order`, beside the plain queue, which asks a
/// [SchedulingPolicy][dev.rondo.scheduler.addon.SchedulingPolicy] for the next task. Without this
/// room tasks run round robin.
@NullMarked
package dev.rondo.scheduler.engine.policy;

import org.jspecify.annotations.NullMarked;
