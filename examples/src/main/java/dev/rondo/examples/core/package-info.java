/// The scheduler by itself: programs with tasks and no add-on.
@NullMarked
package dev.rondo.examples.core;

import org.jspecify.annotations.NullMarked;
