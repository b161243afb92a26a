/// The agent's transformations, and the threads of programs as tasks of their hosts.
@NullMarked
package dev.rondo.simulation.threads.internal;

import org.jspecify.annotations.NullMarked;
