/// The room of the orderly end: on request, a scheduler lets its tasks end, then cancels the tasks
/// that are left, and then gives up the tasks that still do not end.
///
/// It hangs on its methods in [Rooms][dev.rondo.scheduler.engine.Rooms], and runs as a task, as an
/// add-on does. It records its progress in [dev.rondo.scheduler.engine.closing.Ending].
@NullMarked
package dev.rondo.scheduler.engine.shutdown;

import org.jspecify.annotations.NullMarked;
