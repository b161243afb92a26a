/// What rewrites calls in the classes of a program: a table says which, and what each becomes.
///
/// Nothing here knows of worlds; [dev.rondo.simulation.internal.agent.CallTable] is the seam.
package dev.rondo.simulation.internal.agent;
