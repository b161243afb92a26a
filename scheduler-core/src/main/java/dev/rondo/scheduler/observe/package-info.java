/// Observing a scheduler: a [TaskListener] receives what tasks do, a [Recorder] keeps the last
/// events, and a [LoopMonitor] shows the tasks to other threads. [TaskInfo] is one task in a dump,
/// [TaskMetrics] with [TaskLimits] is what it uses, and [SlowTurn] is a report of the watchdog.
/// [ContextPropagation] keeps the contexts of libraries with the tasks.
///
/// All of it is switched on in [dev.rondo.scheduler.SchedulerBuilder]. What is off costs nothing.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.scheduler.observe;

import org.jspecify.annotations.NullMarked;
