/// The interfaces of add-ons. An add-on provides events that tasks wait for, and runs as an
/// ordinary task.
///
/// ```
///   AddOn --installed in--> AddOnHost          one pass a turn, as a StepTask
///     |                        |
///     | its Waitables          | the time, the loop's sleep
///     v                        v
///   WaitQueue of Waiters     the scheduler
/// ```
///
/// An [AddOn] keeps the waiters of its tasks, mostly in a [WaitQueue], and fires them. The
/// scheduler offers it an [AddOnHost]. An [IdleStrategy] replaces how the loop waits, an
/// [EventSource] joins it, a [TimerService] provides timeouts, and a [SchedulingPolicy] decides on
/// the order of ready tasks.
///
/// An observer is an [Instrument]. The module `dev.rondo.observe` has dumps, a recorder, a watchdog
/// and limits. A program may listen with a [TaskListener].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.scheduler.addon;

import org.jspecify.annotations.NullMarked;
