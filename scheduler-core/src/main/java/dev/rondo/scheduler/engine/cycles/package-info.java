/// The room that finds tasks which wait for each other, and reports them.
///
/// It hangs on its methods in [Rooms][dev.rondo.scheduler.engine.Rooms]. Each wait names its holder
/// with [Waitable#holder()][dev.rondo.scheduler.Waitable#holder()] or, if several tasks hold it, as
/// a [HeldWait][dev.rondo.scheduler.engine.rooms.HeldWait]. A task calls this room when it begins a
/// wait that another task holds, unless the other task does not wait, or a
/// [WaitStep][dev.rondo.scheduler.engine.WaitStep]. `CycleCheck` then looks for a cycle.
/// `CycleWatch` decides when to look again, and `StuckTasks` decides which tasks can never go on.
/// `CycleSearch` continues through other loops. `Deadlocks` writes the reports. The kernel does not
/// see this package.
@NullMarked
package dev.rondo.scheduler.engine.cycles;

import org.jspecify.annotations.NullMarked;
