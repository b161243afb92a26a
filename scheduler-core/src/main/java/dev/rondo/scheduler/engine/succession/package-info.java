/// The room of shared coroutines: tasks that never give way need no coroutine each.
///
/// It hangs on its method in [Rooms][dev.rondo.scheduler.engine.Rooms]: the loop lets the room give
/// tasks their first turns, where it need not see each turn.
@NullMarked
package dev.rondo.scheduler.engine.succession;

import org.jspecify.annotations.NullMarked;
