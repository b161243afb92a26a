/// A cooperative scheduler: many tasks share one thread, and control changes hands only where the
/// code says so.
///
/// [Scheduler] has `scheduleTask`, `step`, `suspend`, `yield` and `start`. Tasks wait for
/// [Waitable]s, which add-ons provide. An add-on runs as an ordinary task.
///
/// **Packages.** Programs and add-ons have a package each. The engine is not exported.
///
/// ```
///   dev.rondo.scheduler            for programs: tasks, groups, scopes, waits
///     .addon                       for add-ons: their host, step tasks, queues of waiters; and
///                                  for observers: instruments, listeners
///     .coroutine                   the backends, which run stackful tasks
///        |  a face asks `Faces`          ^  the engine extends the faces
///        v                               |
///     .engine                      the loop, the task, the wait, the end
/// ```
///
/// Some types of the first two packages are *faces*, such as [Scheduler], [Task], [TaskGroup] and
/// [CancelScope]. A face declares the operations, and the class of the engine that extends it holds
/// the state. Programs do not extend faces. Some faces are sealed, and permit a type of `Faces` or
/// of `Engine`.
///
/// **Conventions** of all packages of Rondo. They hold unless a comment says otherwise:
///
/// - *Suspension points.* A method suspends its task only if its comment says so: *always*, or
///   *possibly*. Some comments begin with a link to another method, as in "`await(Waitable)` with a
///   limit". Such a method differs from the other one only in what its comment says.
/// - *Waits.* A method that waits throws [TaskCancelled] if its task is cancelled, and
///   [ScheduledDirectlyException] if its task is scheduled meanwhile. Nothing stays registered
///   then, and the event is not lost. Outside of a stackful task of its scheduler the method throws
///   [IllegalStateException].
/// - *Arguments.* An argument must not be null unless the comment says so: a null is refused with a
///   [NullPointerException]. A number or a time out of the range that the comment gives is refused
///   with an [IllegalArgumentException]. In both cases nothing has changed.
/// - *Threads.* A method that is for *any thread* says so. All other methods belong to the thread
///   of their scheduler. On another thread, a method that touches the scheduler fails with a
///   [WrongThreadException] and changes nothing.
/// - *Time.* A [java.time.Duration] is at least zero. A duration of centuries means for ever. A
///   `long` names its unit, as `deadlineNanos` does. It is an instant of the scheduler's ticker, or
///   a length of time if it says so. Instants are compared by their difference, like values of
///   [System#nanoTime()].
///
/// **Memory visibility.** All tasks of a scheduler run one after another. On every coroutine
/// backend, the actions of a task before it suspends are visible to the next task. The actions of a
/// thread before `execute`, `cancel`, or the completion of a future that a task awaits are visible
/// to the task concerned. The actions of a task before its end are visible to every thread that
/// observes its end.
@NullMarked
package dev.rondo.scheduler;

import org.jspecify.annotations.NullMarked;
