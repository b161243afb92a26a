/// The room of the loop's thread: how the loop sleeps in it, what becomes of its interrupts, and
/// the code on it that is no task.
///
/// It hangs on the methods of [Rooms][dev.rondo.scheduler.engine.Rooms] for it, and on two seams of
/// the kernel: [dev.rondo.scheduler.addon.IdleStrategy] and
/// [dev.rondo.scheduler.internal.TurnRunner]. Each scheduler needs it.
@NullMarked
package dev.rondo.scheduler.engine.thread;

import org.jspecify.annotations.NullMarked;
