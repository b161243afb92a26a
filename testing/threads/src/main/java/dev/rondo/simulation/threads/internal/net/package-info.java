/// Sockets of simulated hosts that the JDK has no channels for.
@NullMarked
package dev.rondo.simulation.threads.internal.net;

import org.jspecify.annotations.NullMarked;
