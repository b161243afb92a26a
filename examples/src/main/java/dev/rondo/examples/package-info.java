/// Runnable programs.
@NullMarked
package dev.rondo.examples;

import org.jspecify.annotations.NullMarked;
