/// Programs that are written for threads, in virtual time and in the order of a seed.
@NullMarked
package dev.rondo.simulation.blocking;

import org.jspecify.annotations.NullMarked;
