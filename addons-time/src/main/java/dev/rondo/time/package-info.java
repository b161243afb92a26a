/// Waiting for time.
@NullMarked
package dev.rondo.time;

import org.jspecify.annotations.NullMarked;
