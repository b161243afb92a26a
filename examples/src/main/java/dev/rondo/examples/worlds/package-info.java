/// Programs that simulate: a world under faults, a network and a disk by hand, and what clients
/// were told.
@NullMarked
package dev.rondo.examples.worlds;

import org.jspecify.annotations.NullMarked;
