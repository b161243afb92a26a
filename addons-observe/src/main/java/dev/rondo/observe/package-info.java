/// Observing a scheduler. [Observers] are the ways to do so, set with
/// [dev.rondo.scheduler.SchedulerBuilder#instrument]: a [Recorder] keeps the last events, a
/// watchdog reports each [SlowTurn], and [TaskLimits] limit what a task may use. [Loops] writes
/// dumps.
///
/// By default all of them are off, and cost nothing. Without being asked for, the module only
/// watches for loops that hang in a lock of the JDK.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.observe;

import org.jspecify.annotations.NullMarked;
