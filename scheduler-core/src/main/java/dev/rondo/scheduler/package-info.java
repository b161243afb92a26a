/// A cooperative scheduler: many tasks share one thread, and control changes hands only where the
/// code says so.
///
/// [Scheduler] has `scheduleTask`, `step`, `suspend`, `yield` and `start`. Everything that tasks
/// wait for is a [Waitable], provided by an add-on that runs as an ordinary task.
///
/// **Packages.** Programs, add-ons and observers have a package each. The engine is not exported.
///
/// ```
///   dev.rondo.scheduler            for programs: tasks, groups, scopes, waits
///     .addon                       for add-ons: their host, step tasks, queues of waiters
///     .observe                     for observers: listeners, dumps, metrics, recordings
///     .coroutine                   the backends, which run stackful tasks
///        |  a face permits its core      ^  a core extends its face
///        v                               |
///     .engine                      the loop, the task, the wait, the end
///     .engine.observe              the observers; see the engine through one interface
/// ```
///
/// Some types of the first package are *faces*: [Scheduler], [Task], [TaskGroup], [CancelScope],
/// [Generator]. A face declares the operations, and is sealed to one class of the engine, which
/// holds the state.
///
/// **What a comment leaves out**, in all packages of Rondo:
///
/// - *Suspension points.* A method suspends its task only if its comment says so: *always*, or
///   *possibly*. A method whose comment begins with a link to another one, as "`await(Waitable)`
///   with a limit", is like that one in all else.
/// - *Waits.* A method that waits throws [TaskCancelled] if its task is cancelled, and
///   [ScheduledDirectlyException] if its task is scheduled meanwhile. Nothing stays registered
///   then, and the event is not lost. Outside of a stackful task of its scheduler the method throws
///   [IllegalStateException].
/// - *Arguments.* None may be null unless the comment says so: a null is refused with a
///   [NullPointerException]. A number or a time out of the range that the comment gives is refused
///   with an [IllegalArgumentException]. In both cases nothing has changed.
/// - *Threads.* A method that is for *any thread* says so. All others belong to the thread of their
///   scheduler. On another thread, those that touch the scheduler fail with a
///   [WrongThreadException], and nothing has changed.
/// - *Time.* A [java.time.Duration] is at least zero, and one of centuries means for ever. A `long`
///   names its unit, as `deadlineNanos` does. It is an instant of the scheduler's ticker, or a
///   length of time if it says so. Instants are compared by their difference, as those of
///   [System#nanoTime()].
///
/// **Memory visibility.** All tasks of a scheduler run one after another. What a task did before it
/// suspended is visible to the next task, on every coroutine backend. What a thread did before
/// `execute`, `cancel`, or the completion of a future that a task awaits is visible to the task
/// concerned. What a task did before it ended is visible to every thread that sees that it has
/// ended.
@NullMarked
package dev.rondo.scheduler;

import org.jspecify.annotations.NullMarked;
