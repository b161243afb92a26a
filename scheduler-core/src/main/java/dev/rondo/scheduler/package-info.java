/// A cooperative scheduler: many tasks, one thread, control handed over only where the code says
/// so.
///
/// [Scheduler] knows `scheduleTask`, `step`, `suspend`, `yield` and `start`. Everything tasks wait
/// for is a [Waitable], provided by an [AddOn] that runs as an ordinary task.
///
/// **Memory visibility.** All tasks of a scheduler run one after another; what one did before it
/// gave way is visible to whoever runs next, on every coroutine backend. What a thread did before
/// `execute`, `cancel`, or the completion of a future that a task awaits is visible to the task it
/// concerns; what a task did before it ended is visible to every thread that saw it end.
@NullMarked
package dev.rondo.scheduler;

import org.jspecify.annotations.NullMarked;
