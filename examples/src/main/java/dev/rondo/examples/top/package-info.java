/// The table of the example Top, and a program to look at with it.
@NullMarked
package dev.rondo.examples.top;

import org.jspecify.annotations.NullMarked;
