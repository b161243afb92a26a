/// What other modules of Rondo need of the IO of a scheduler. Exported to them only.
@NullMarked
package dev.rondo.io.internal.lent;

import org.jspecify.annotations.NullMarked;
