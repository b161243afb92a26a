/// Simulations: a world under faults, a network and a disk by hand, and a check of histories.
@NullMarked
package dev.rondo.examples.worlds;

import org.jspecify.annotations.NullMarked;
