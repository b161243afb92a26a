/// The kernel as the other modules of Rondo use it, beyond the interfaces of programs and add-ons.
/// Exported only to these modules.
///
/// A [LoopControl] is the loop of a scheduler for its drivers and clocks, a [TaskControl] acts on
/// tasks. Sources that several loops share settle their waits with a [WaitClaim]. A backend that
/// runs user code itself has a [TurnRunner]. A resource of a task, such as a lock, is an
/// [OwnedResource].
@NullMarked
package dev.rondo.scheduler.internal;

import org.jspecify.annotations.NullMarked;
