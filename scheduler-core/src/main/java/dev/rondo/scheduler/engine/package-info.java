/// The engine of a scheduler. The package is not exported; only what a face or a room uses is
/// public.
///
/// ```
///   SchedulerCore   puts the parts together
///     Driver        start, run, step: one Run each        Ending               the end
///     Loop          run(Run): turns, passes, sleep        Failures             what went wrong
///       Turns       whose turn it is, on which thread
///       ReadyQueue  the tasks that are ready              Inbox                other threads
///       IdleTasks   the tasks that idle                   ExternalWork
///     TaskCore      what a task is; StackfulTask, StepTaskCore
///       TaskResult      its result, for all threads
///       TaskWaiter      its wait                          WaitStep
/// ```
///
/// **The loop.** There is one loop, `Loop.run`. A `Run` says when it ends: when no work is left,
/// after one turn, or when all tasks have cleaned up.
///
/// **The task.** Every move of a task from one state to another is a method of `TaskCore`. Of its
/// scheduler a task knows only the loop.
///
/// **The wait.** A task has one `TaskWaiter` for all its waits.
///
/// **Order.** The running task is the head of the `ReadyQueue`. A yield moves it to the back. A
/// task that is woken or scheduled joins the queue in `TaskCore.becomeReady`, at a `Place`.
///
/// **Time.** Timers are in an add-on, the `TimerService`, whose task idles until the earliest
/// deadline. In a pass, `IdleTasks.serve` makes that task ready. In its turn it runs the actions of
/// the timers that are due. Such an action fires the waiter of a task, or fails its wait as
/// `WaitLimit` does. `PassInterval` decides when the next pass comes.
///
/// **Cancellation.** A task or a scope that is cancelled keeps the `CancelRequest`. A task that is
/// parked is woken, and throws the exception at its suspension point. `Cancellation` has the steps.
///
/// **Rooms.** What the kernel does not see is in packages below this one: `closing`, `cycles`,
/// `host`, `lazy`, `outside`, `policy`, `queue`, `scope`, `select`, `shutdown`, `thread`, `view`.
/// What faces ask of the engine is in `Faces`, what the kernel asks of rooms in `Rooms`. `WaitStep`
/// answers which tasks hold a wait.
///
/// **The end.** `Closing`, in a room, ends the scheduler. `Ending` says how far that is.
@NullMarked
package dev.rondo.scheduler.engine;

import org.jspecify.annotations.NullMarked;
