/// Waiting for conditions and signals.
@NullMarked
package dev.rondo.condition;

import org.jspecify.annotations.NullMarked;
