/// The disk of a host: a file system over Jimfs, and below it what a power failure leaves.
@NullMarked
package dev.rondo.simulation.internal.disk;

import org.jspecify.annotations.NullMarked;
