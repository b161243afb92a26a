/// The engine of a scheduler. The package is not exported. Only types and members that a face or a
/// room uses are public.
///
/// ```
///   SchedulerCore   puts the parts together
///     Driver        start and run, step: a Run each       TaskFactory          makes tasks
///     Loop          run(Run): turns, passes, sleep        Failures             what went wrong
///       Turns       whose turn it is, on which thread
///       ReadyQueue  the tasks that are ready              Inbox                other threads
///       IdleTasks   the tasks that idle                   ExternalWork
///     TaskCore      what a task is; StackfulTask, StepTaskCore
///       TaskResult      its result, for all threads
///       TaskWaiter      its wait                          WaitStep
/// ```
///
/// **The loop.** There is one loop, `Loop.run`. A `Run` determines when it ends: when no work is
/// left, after one turn, or when all tasks have cleaned up.
///
/// **The task.** Every move of a task from one state to another is a method of `TaskCore`. The loop
/// is the only part of its scheduler that a task knows.
///
/// **The wait.** A task has one `TaskWaiter` for all its waits.
///
/// **Order.** The running task is the head of the `ReadyQueue`. A yield moves it to the back. A
/// task that is woken or scheduled joins the queue in `TaskCore.becomeReady`, at a `Place`.
///
/// **Time.** Timers are in an add-on, the `TimerService`, whose task idles until the earliest
/// deadline. When that has come, `Loop.pass` makes the task ready. In its turn it runs the actions
/// of the timers that are due. Such an action fires the waiter of a task, or fails the wait, as
/// `WaitLimit` does. `PassInterval` decides when the next pass comes.
///
/// **Cancellation.** A task or a scope that is cancelled keeps the `CancelRequest`. A task that is
/// parked is woken, and throws the exception at its suspension point. `Cancellation` has the steps.
///
/// **Rooms.** Packages below this one contain the code that the kernel does not see: `closing`,
/// `cycles`, `host`, `lazy`, `outside`, `policy`, `queue`, `scope`, `select`, `shutdown`,
/// `succession`, `thread`, `view`. Two rooms are elsewhere: `internal.rooms` and
/// `coroutine.handoff`. Faces call the engine through `Faces` and `Engine`, and the kernel calls
/// rooms through `Rooms`. The package `rooms` names the classes that answer.
///
/// **The end.** The room `closing` ends a scheduler.
@NullMarked
package dev.rondo.scheduler.engine;

import org.jspecify.annotations.NullMarked;
