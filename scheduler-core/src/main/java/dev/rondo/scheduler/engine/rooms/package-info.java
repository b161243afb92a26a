/// The rooms of the engine as the kernel finds them, see [Rooms][dev.rondo.scheduler.engine.Rooms],
/// and two seams between rooms, [HeldWait] and [KeptWait]. `internal.rooms` names the rooms that
/// other modules use, and `SchedulingPolicies` names `policy`.
@NullMarked
package dev.rondo.scheduler.engine.rooms;

import org.jspecify.annotations.NullMarked;
