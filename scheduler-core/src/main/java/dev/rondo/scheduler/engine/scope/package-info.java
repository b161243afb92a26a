/// The room for scopes, groups and generators.
///
/// It hangs on its methods in [Rooms][dev.rondo.scheduler.engine.Rooms], and on three seams. A
/// scope is a [CancelSource][dev.rondo.scheduler.engine.CancelSource]: the task asks the scope for
/// the cancellation that is due. A group gives each child a
/// [TaskOwner][dev.rondo.scheduler.engine.TaskOwner], which the child calls at its end. The end of
/// all children is a [WaitStep][dev.rondo.scheduler.engine.WaitStep], which all of them hold. A
/// generator is a task and two events. The kernel does not see this package.
@NullMarked
package dev.rondo.scheduler.engine.scope;

import org.jspecify.annotations.NullMarked;
