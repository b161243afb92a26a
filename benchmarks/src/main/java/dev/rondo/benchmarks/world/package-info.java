/// What a simulated world costs: programs that run in one, and the figures of
/// docs/modules/simulation.md.
@NullMarked
package dev.rondo.benchmarks.world;

import org.jspecify.annotations.NullMarked;
