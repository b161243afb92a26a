/// The one place that names the rooms of the engine, see [dev.rondo.scheduler.engine.Rooms].
@NullMarked
package dev.rondo.scheduler.engine.rooms;

import org.jspecify.annotations.NullMarked;
