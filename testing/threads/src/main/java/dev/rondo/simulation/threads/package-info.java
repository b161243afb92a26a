/// Programs that are written for threads, in virtual time and in the order of a seed.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.simulation.threads;

import org.jspecify.annotations.NullMarked;
