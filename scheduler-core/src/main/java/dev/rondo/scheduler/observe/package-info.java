/// Observing a scheduler: a [TaskListener] receives what tasks do, a [Recorder] keeps the last
/// events, and a [LoopMonitor] shows the tasks to other threads. [TaskInfo] is one task in a dump,
/// [TaskMetrics] with [TaskLimits] is what it uses, and [SlowTurn] is a report of the watchdog.
/// [ContextPropagation] keeps the contexts of libraries with the tasks.
///
/// All observers are switched on in [dev.rondo.scheduler.SchedulerBuilder]. By default they are
/// off, and cost nothing.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.scheduler.observe;

import org.jspecify.annotations.NullMarked;
