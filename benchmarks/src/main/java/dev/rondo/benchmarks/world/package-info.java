/// The cost of a simulated world: programs that run in a world, and the figures of
/// docs/modules/simulation.md.
@NullMarked
package dev.rondo.benchmarks.world;

import org.jspecify.annotations.NullMarked;
