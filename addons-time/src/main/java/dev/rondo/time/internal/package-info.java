/// A view of a scheduler's timers, for tools. Exported to other modules of Rondo only.
@NullMarked
package dev.rondo.time.internal;

import org.jspecify.annotations.NullMarked;
