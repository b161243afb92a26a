/// Access of other Rondo modules to a scheduler's IO. Exported to them only.
@NullMarked
package dev.rondo.io.internal.lent;

import org.jspecify.annotations.NullMarked;
