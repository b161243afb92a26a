/// Small programs with the words of the add-on for time.
@NullMarked
package dev.rondo.examples.time;

import org.jspecify.annotations.NullMarked;
