/// The interfaces of add-ons. An add-on provides events that tasks wait for, and runs as an
/// ordinary task.
///
/// ```
///   AddOn --installed in--> AddOnHost          one pass a turn, as a StepTask
///     |                        |
///     | its Waitables          | the time, loop(), tasks()
///     v                        v
///   WaitQueue of Waiters     the scheduler
/// ```
///
/// An [AddOn] keeps the waiters of its tasks, mostly in a [WaitQueue], and fires them. The
/// [AddOnHost] is what the scheduler offers to it. An add-on that is a part of the loop uses its
/// [LoopControl]; one that acts on the tasks of others, its [TaskControl]. An [IdleStrategy]
/// replaces how the loop waits, a [TimerService] provides timeouts, and a [SchedulingPolicy]
/// decides on the order of ready tasks.
///
/// An observer is an [Instrument]: it adds an [EngineListener] to the loop, and sees the loop as a
/// [LoopView], which describes tasks as [TaskInfo]. The module `dev.rondo.observe` has dumps, a
/// recorder, a watchdog and limits. A program may listen by a [TaskListener].
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.scheduler.addon;

import org.jspecify.annotations.NullMarked;
