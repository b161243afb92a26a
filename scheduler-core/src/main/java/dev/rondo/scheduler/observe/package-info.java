/// What an observer of a scheduler sees: a [TaskListener] that receives what tasks do, [TaskInfo]
/// and the dumps, [TaskMetrics] with [TaskLimits], the watchdog's [SlowTurn], and the MBean.
/// [ContextPropagation] keeps the contexts of libraries with the tasks.
///
/// All of it is switched on in [dev.rondo.scheduler.SchedulerBuilder]. What is off costs nothing.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.scheduler.observe;

import org.jspecify.annotations.NullMarked;
