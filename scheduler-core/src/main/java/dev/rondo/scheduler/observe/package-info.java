/// What an observer of a scheduler sees: a [TaskListener] that receives what tasks do, [TaskInfo]
/// and the dumps, [TaskMetrics] with [TaskLimits], the watchdog's [SlowTurn], the MBean, and what a
/// library ties to a thread, kept with the task instead ([ContextPropagation]).
///
/// All of it is switched on in [dev.rondo.scheduler.SchedulerBuilder]. What is off costs nothing.
@NullMarked
package dev.rondo.scheduler.observe;

import org.jspecify.annotations.NullMarked;
