/// The rooms of the engine as the other modules of Rondo use them. Exported only to these modules.
///
/// A [LoopControl] is the loop of a scheduler for its drivers and clocks, a [TaskControl] acts on
/// tasks, and a [StepControl] on the task of an add-on. A source keeps an [Attachment] with each of
/// its waiters. A source that several loops share settles their waits with a [WaitClaim]. A
/// resource of a task, such as a lock, is an [OwnedResource]. An observer adds an [EngineListener]
/// to a loop, and sees the loop as a [LoopView]. A source of events that another thread can wait
/// for is a [LendableEventSource]. A future that one task completes is a [HeldFuture].
///
/// It hangs on its methods in [Rooms][dev.rondo.scheduler.engine.Rooms], on
/// [WaiterCore][dev.rondo.scheduler.engine.WaiterCore], and on the rooms that implement these
/// types: `engine.host`, `engine.view`, `engine.outside` and `engine.select`. The kernel does not
/// see this package.
@NullMarked
package dev.rondo.scheduler.internal.rooms;

import org.jspecify.annotations.NullMarked;
