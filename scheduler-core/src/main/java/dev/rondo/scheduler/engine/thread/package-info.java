/// The room of the loop's thread: the sleep of the loop, the interrupts of the thread, and code on
/// the thread that is not a task.
///
/// It hangs on its methods in [Rooms][dev.rondo.scheduler.engine.Rooms], and on two seams of the
/// kernel: [dev.rondo.scheduler.addon.IdleStrategy] and [dev.rondo.scheduler.internal.TurnRunner].
/// Each scheduler needs it.
@NullMarked
package dev.rondo.scheduler.engine.thread;

import org.jspecify.annotations.NullMarked;
