/// The room of the host: the services of a scheduler for add-ons.
///
/// It hangs on its method in [Rooms][dev.rondo.scheduler.engine.Rooms]. An add-on runs as a task
/// without a stack, which idles until it has something to do.
@NullMarked
package dev.rondo.scheduler.engine.host;

import org.jspecify.annotations.NullMarked;
