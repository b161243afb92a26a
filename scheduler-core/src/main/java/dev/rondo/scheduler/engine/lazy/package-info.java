/// The room of lazy tasks: tasks that have a place in the ready queue but no object yet.
///
/// It hangs on one seam of the kernel, the entry of the ready queue that runs itself:
/// [dev.rondo.scheduler.engine.ReadyQueue.Entry]. The commands of `execute` come through a method
/// of [Rooms][dev.rondo.scheduler.engine.Rooms]. Without this room each command of `execute` and
/// each tick of a timer is a task from the beginning.
@NullMarked
package dev.rondo.scheduler.engine.lazy;

import org.jspecify.annotations.NullMarked;
