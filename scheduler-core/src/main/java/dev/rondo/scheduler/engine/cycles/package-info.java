/// The room that finds tasks which wait for each other, and reports them.
///
/// It hangs on the methods of [Rooms][dev.rondo.scheduler.engine.Rooms] for it. Each wait says who
/// holds it, by [Waitable#holder()][dev.rondo.scheduler.Waitable#holder()] or, if several tasks do,
/// by the seam [WaitStep][dev.rondo.scheduler.engine.WaitStep]. A task calls this room when it
/// begins a wait that another task holds, unless that task does not wait. `CycleCheck` looks for a
/// cycle then, `CycleWatch` decides when to look again, and `StuckTasks` which tasks can never go
/// on. `CycleSearch` continues through other loops. `Deadlocks` writes the reports, and `HeldWaits`
/// describes the waits to observers. The kernel does not see this package.
@NullMarked
package dev.rondo.scheduler.engine.cycles;

import org.jspecify.annotations.NullMarked;
