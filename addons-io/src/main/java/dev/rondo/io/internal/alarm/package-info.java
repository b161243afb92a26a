/// What ends a wait of the system's that is too coarse for a deadline. Exported to add-ons that
/// wait with a `Selector`, too.
@NullMarked
package dev.rondo.io.internal.alarm;

import org.jspecify.annotations.NullMarked;
