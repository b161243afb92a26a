/// Which classes race, and what their class files say: for the agent, which adds points to them.
@NullMarked
package dev.rondo.simulation.threads.internal.race;

import org.jspecify.annotations.NullMarked;
