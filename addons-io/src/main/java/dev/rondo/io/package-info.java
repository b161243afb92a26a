/// Waiting for IO.
@NullMarked
package dev.rondo.io;

import org.jspecify.annotations.NullMarked;
