/// The engine of members on the hosts of a simulated world.
@NullMarked
package dev.rondo.cluster.internal.world;

import org.jspecify.annotations.NullMarked;
