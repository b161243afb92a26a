/// The room for waits that consist of other waits: the first of several events, a changed value, an
/// event that is made for each wait.
///
/// It hangs on its methods in [Faces][dev.rondo.scheduler.engine.Faces], and on the seam
/// [WaitStep][dev.rondo.scheduler.engine.WaitStep]. All of these waits are wait steps, with which a
/// task prepares and finishes its wait. The branches of a choice are waiters of their own,
/// [WaiterCore][dev.rondo.scheduler.engine.WaiterCore]. The kernel does not see this package.
@NullMarked
package dev.rondo.scheduler.engine.select;

import org.jspecify.annotations.NullMarked;
