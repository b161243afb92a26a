/// What Rondo's other test modules ask of an exploration, and a test does not.
@NullMarked
package dev.rondo.exploration.internal;

import org.jspecify.annotations.NullMarked;
