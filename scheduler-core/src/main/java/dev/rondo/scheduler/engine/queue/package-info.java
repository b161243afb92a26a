/// The room of the queue: what a program does to the order of its tasks, see
/// [dev.rondo.scheduler.TaskQueue].
///
/// It hangs on the method of [Rooms][dev.rondo.scheduler.engine.Rooms] for it, and on the moves of
/// [dev.rondo.scheduler.engine.TaskCore] from one state to another.
@NullMarked
package dev.rondo.scheduler.engine.queue;

import org.jspecify.annotations.NullMarked;
