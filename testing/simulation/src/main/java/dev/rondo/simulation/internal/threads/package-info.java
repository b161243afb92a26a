/// The seam between a world and programs that are written for threads: what a backend whose tasks
/// are the threads of a program says of itself, and what it is given of its host.
@NullMarked
package dev.rondo.simulation.internal.threads;

import org.jspecify.annotations.NullMarked;
