/// The room of the orderly end: a scheduler that is asked for it lets its tasks end, then cancels
/// those that are left, and gives up what does not end then either.
///
/// It hangs on the methods of [Rooms][dev.rondo.scheduler.engine.Rooms] for it, and runs as a task,
/// as an add-on does. It says in [dev.rondo.scheduler.engine.Ending] how far it is.
@NullMarked
package dev.rondo.scheduler.engine.shutdown;

import org.jspecify.annotations.NullMarked;
