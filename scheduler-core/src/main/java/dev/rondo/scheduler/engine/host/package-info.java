/// The room of the host: what add-ons ask of a scheduler.
///
/// It hangs on the method of [Rooms][dev.rondo.scheduler.engine.Rooms] for it. An add-on runs as a
/// task without a stack, which idles until it has something to do.
@NullMarked
package dev.rondo.scheduler.engine.host;

import org.jspecify.annotations.NullMarked;
