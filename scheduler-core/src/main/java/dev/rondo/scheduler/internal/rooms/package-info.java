/// The rooms of the engine as the other modules of Rondo use them. Exported only to these modules.
///
/// An observer adds an [EngineListener] to a loop, and sees the loop as a [LoopView]. A source of
/// events that another thread can wait for is a [LendableEventSource]. A future that one task
/// completes is a [HeldFuture].
///
/// It hangs on the rooms that implement these types: `engine.view`, `engine.outside` and
/// `engine.select`. The kernel does not see this package.
@NullMarked
package dev.rondo.scheduler.internal.rooms;

import org.jspecify.annotations.NullMarked;
