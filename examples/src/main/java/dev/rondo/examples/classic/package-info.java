/// The classic problems of concurrency, with channels, select and locks.
@NullMarked
package dev.rondo.examples.classic;

import org.jspecify.annotations.NullMarked;
