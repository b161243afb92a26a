/// Wakes a loop at a deadline for which the system's wait is too coarse. Exported to add-ons that
/// wait with a `Selector`, too.
@NullMarked
package dev.rondo.io.internal.alarm;

import org.jspecify.annotations.NullMarked;
