/// The engine of a scheduler. Not exported; public is only what a face calls.
///
/// ```
///   SchedulerCore   puts the parts together
///     Driver        start, run, step: one Run each        Closing, Shutdown    the end
///     Loop          run(Run): turns, passes, sleep        Failures, Deadlocks  what went wrong
///       Turns       whose turn it is; on a LoopThread     MountedTask          a run above frames
///       ReadyQueue  the tasks that are ready              Inbox                other threads
///       IdleTasks   the tasks that idle                   ExternalWork
///     TaskCore      what a task is; StackfulTask, StepTaskCore
///       TaskLifecycle   its state, and every move         TaskResult, Completion
///       TaskWaiter      its wait; SelectCase, WaitChain   Composite
/// ```
///
/// **The loop.** There is one loop, `Loop.run`. What it is run for, and when that is over, is a
/// `Run`: until nothing is left, one turn, until the turn of the mounted task, until all have
/// cleaned up.
///
/// **The task.** Every move of a task from one state to another is a method of `TaskLifecycle`. A
/// task knows one object of its scheduler, the loop.
///
/// **The wait.** A task has one `TaskWaiter` for all its waits. Waiters that are woken together
/// share a place in the ready queue, a `WaitChain`.
///
/// **Circles.** Tasks that wait for each other are found by five classes: `Deadlocks` says what a
/// report says, `CycleWatch` when to look, `StuckTasks` which tasks to look at, `CircleSearch` goes
/// on through other loops, `HeldWaits` shows the waits to observers.
///
/// **The end.** `Shutdown` ends the work in order, `Closing` ends the scheduler.
@NullMarked
package dev.rondo.scheduler.engine;

import org.jspecify.annotations.NullMarked;
