/// The room of the end: all tasks are cancelled, and have some turns to clean up.
///
/// It hangs on the method of [Rooms][dev.rondo.scheduler.engine.Rooms] for it, and on the seam
/// [Run][dev.rondo.scheduler.engine.Run].
@NullMarked
package dev.rondo.scheduler.engine.closing;

import org.jspecify.annotations.NullMarked;
