/// Sockets and names of simulated hosts, as the JDK has them.
@NullMarked
package dev.rondo.simulation.threads.internal.net;

import org.jspecify.annotations.NullMarked;
