/// Programs that are written for threads, in virtual time and in the order of a seed.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.simulation.blocking;

import org.jspecify.annotations.NullMarked;
