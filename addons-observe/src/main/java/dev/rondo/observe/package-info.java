/// Observing a scheduler. [Observers] selects the observers for
/// [dev.rondo.scheduler.SchedulerBuilder#instrument]: a [Recorder] keeps the last events, a
/// watchdog reports each [SlowTurn], and [TaskLimits] limit the resources of a task. [Loops] writes
/// dumps.
///
/// By default all of them are off, and cost nothing. Only the watch for loops that hang in a lock
/// of the JDK is always on.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.observe;

import org.jspecify.annotations.NullMarked;
