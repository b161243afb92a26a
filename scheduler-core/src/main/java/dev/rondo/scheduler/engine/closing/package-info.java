/// The room of the end: all tasks are cancelled, and have some turns to clean up.
///
/// It hangs on its methods in [Rooms][dev.rondo.scheduler.engine.Rooms], and on the seam
/// [Run][dev.rondo.scheduler.engine.Loop.Run].
@NullMarked
package dev.rondo.scheduler.engine.closing;

import org.jspecify.annotations.NullMarked;
