/// What the other modules of Rondo ask of the kernel, beyond what programs and add-ons do. Exported
/// to them only.
///
/// A [LoopControl] is the loop of a scheduler for its drivers and clocks, a [TaskControl] acts on
/// the tasks of others. An observer adds an [EngineListener] to the loop, and sees the loop as a
/// [LoopView]. Sources that several loops share settle their waits by a [WaitClaim]. A backend that
/// runs user code itself has a [TurnRunner].
@NullMarked
package dev.rondo.scheduler.internal;

import org.jspecify.annotations.NullMarked;
