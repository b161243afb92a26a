/// What tools see of the timers of a scheduler. Exported to other modules of Rondo only.
@NullMarked
package dev.rondo.time.internal;

import org.jspecify.annotations.NullMarked;
