/// The room of the queue: the changes that a program makes to the order of its tasks, see
/// [dev.rondo.scheduler.TaskQueue].
///
/// It hangs on its method in [Rooms][dev.rondo.scheduler.engine.Rooms], and on the state changes of
/// [dev.rondo.scheduler.engine.TaskCore].
@NullMarked
package dev.rondo.scheduler.engine.queue;

import org.jspecify.annotations.NullMarked;
